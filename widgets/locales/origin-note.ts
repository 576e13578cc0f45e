/**
 * The console message for a page's developer if the Worker does not allow the page's origin. It is in English only,
 * like a browser's own messages.
 */
export const originNote = (worker: string, origin: string) =>
  `Vezne: ${worker} can be reached, but does not answer pages of ${origin}. Add that origin to its ALLOWED_ORIGINS.`;
