/** Texts of the merchant in the lines for a page, in the language of the element. */
export const tr = {
  recipe_sentence: 'Bu bölüm açılmazsa bizi arayın: 0850 000 00 00.',
  recipe_title: 'Fener Kulübü',
  recipe_again: 'Yeniden abone ol',
  recipe_success: 'Size döneceğiz.',
};

export const en: typeof tr = {
  recipe_sentence: 'If nothing opens here, call us: 0850 000 00 00.',
  recipe_title: 'Fener Club',
  recipe_again: 'Subscribe again',
  recipe_success: 'We will be in touch.',
};
