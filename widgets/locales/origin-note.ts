/** The console message for a page's developer when the Worker does not allow its origin. English only, as in browsers. */
export const originNote = (worker: string, origin: string) =>
  `Vezne: ${worker} can be reached, but does not answer pages of ${origin}. Is that origin in its ALLOWED_ORIGINS?`;
