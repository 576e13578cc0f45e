/**
 * How long whoever answered wants to be left alone, in milliseconds. Null where it does not say, or names a date: its clock is not ours,
 * and it is asked again in our own time.
 */
export function readRetryAfter(headers: Headers): number | null {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}
