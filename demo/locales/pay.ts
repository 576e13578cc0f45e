/** Texts of the page with two ways to pay. */
export const tr = {
  pay_title: 'Nasıl ödersiniz? · Fener Atölyesi',
  ways_heading: 'Nasıl ödersiniz?',
  way_bank: 'Havale',
  way_bank_text: 'Kodu ve hesabı ödeme kuruluşunun sayfası gösterir; sonra buraya dönersiniz.',
  way_phone: 'Telefon faturası',
  way_phone_text: 'Numaranıza SMS ile bir PIN gelir; tutar faturanıza yansır.',
  ways_to_shop: 'Buradan ayrılmadan ödeyin',
};

export const en: typeof tr = {
  pay_title: 'How would you like to pay? · Fener Atölyesi',
  ways_heading: 'How would you like to pay?',
  way_bank: 'Bank transfer',
  way_bank_text: 'The payment provider’s page shows the code and the account; then you come back here.',
  way_phone: 'Phone bill',
  way_phone_text: 'You get a PIN by SMS; the amount goes on your phone bill.',
  ways_to_shop: 'Pay without leaving the shop',
};
