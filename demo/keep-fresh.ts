const REFRESH_MS = 2_000;

/**
 * Draws what the sandbox has every two seconds while somebody looks at the page.
 * @returns what draws it at once.
 */
export function keepFresh(draw: () => Promise<void>): () => Promise<void> {
  const refresh = async (): Promise<void> => {
    if (document.hidden) return;
    try {
      await draw();
    } catch {
      // The sandbox is away; the next round or the next click tells.
    }
  };
  setInterval(() => void refresh(), REFRESH_MS);
  document.addEventListener('visibilitychange', () => void refresh());
  return refresh;
}
