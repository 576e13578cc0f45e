/** How long to wait before the n-th attempt (from 0): growing, capped, and never the same for two pages. */
export function pace(attempt: number, fromMs: number, toMs: number, growth = 2): number {
  const waitMs = Math.min(fromMs * growth ** attempt, toMs);
  return waitMs * (0.8 + 0.4 * Math.random());
}
