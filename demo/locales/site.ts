/** Texts that all pages share. */
export const tr = {
  other_language_name: 'English',
  shop_name: 'Fener Atölyesi',
  api_link: 'API',
};

export const en: typeof tr = {
  other_language_name: 'Türkçe',
  shop_name: 'Fener Atölyesi',
  api_link: 'API',
};
