/** Texts of the page with two ways to pay. */
export const tr = {
  pay_title: 'Nasıl ödemek istersiniz? · Fener Atölyesi',
  pay_description: 'Lambanızı havaleyle ya da telefon faturanızla ödeyin.',
  ways_heading: 'Nasıl ödemek istersiniz?',
  way_bank: 'Havale / EFT / FAST',
  way_bank_text: 'Ödeme kuruluşunun sayfasında kodu ve hesabı görür, ödedikten sonra buraya dönersiniz.',
  way_phone: 'Mobil ödeme',
  way_phone_text:
    'Ödeme kuruluşunun sayfasında SMS ile gelen kodu girersiniz; tutar faturanıza yansıtılır veya bakiyenizden düşülür.',
  ways_to_shop: 'Mağazadan ayrılmadan öde',
  pay_how:
    'İki düğmeyle ve mağaza sayfasında aynı siparişi ödersiniz; ödenen sipariş için yeniden ödeme istenmez. Sayfaya eklenen kod:',
};

export const en: typeof tr = {
  pay_title: 'How would you like to pay? · Fener Atölyesi',
  pay_description: 'Pay for your lamp by bank transfer or on your phone bill.',
  ways_heading: 'How would you like to pay?',
  way_bank: 'Bank transfer',
  way_bank_text: 'The payment provider shows you the code and the account, and brings you back once you’ve paid.',
  way_phone: 'Mobile payment',
  way_phone_text:
    'You enter a code we text you on the payment provider’s page. The amount is added to your phone bill or taken from your balance.',
  ways_to_shop: 'Pay without leaving the shop',
  pay_how:
    'Both buttons and the shop page pay for the same order. Once it’s paid, no page asks you to pay again. Code on the page:',
};
