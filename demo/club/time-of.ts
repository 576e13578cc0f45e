/** `2026-11-21 15:42:07`, or the same as ISO 8601 → `15:42`. */
export function timeOf(at: string): string {
  return /(\d{2}:\d{2})(?::\d{2})?/.exec(at.slice(10))?.[1] ?? at;
}
