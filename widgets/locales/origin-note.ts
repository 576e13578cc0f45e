/** What the merchant reads in the console of their page. In English, as all that browsers write there. */
export const originNote = (worker: string, origin: string) =>
  `Vezne: ${worker} can be reached, but does not answer pages of ${origin}. Is that origin in its ALLOWED_ORIGINS?`;
