/** Texts of the page on which a marketplace registers a vendor. */
export const tr = {
  market_title: 'Satıcı ol · Fener Atölyesi',
  market_heading: 'Fener’de satıcı olun',
  market_text: 'Bilgilerinizi girin; kalan adımları ödeme kuruluşunun güvenli formunda tamamlarsınız.',
  market_name: 'Ad ya da unvan',
  market_phone: 'Cep telefonu',
  market_apply: 'Kayıt formunu aç',
  market_wrong: 'Form açılamadı; biraz sonra yeniden deneyin.',
  market_wrong_name: 'Adınızı ya da unvanınızı yazın.',
  market_wrong_phone: 'Cep telefonu numarasını kontrol edin: 05 ile başlayan 11 hane.',
  market_wrong_iban: 'IBAN’ı kontrol edin: TR ile başlayan 26 karakter.',
};

export const en: typeof tr = {
  market_title: 'Become a vendor · Fener Atölyesi',
  market_heading: 'Sell at Fener',
  market_text: 'Enter your details, then finish the remaining steps in the payment provider’s secure form.',
  market_name: 'Name or company',
  market_phone: 'Mobile phone',
  market_apply: 'Open the registration form',
  market_wrong: 'The form could not be opened; try again in a moment.',
  market_wrong_name: 'Write your name or that of your company.',
  market_wrong_phone: 'Check the mobile number: 11 digits starting with 05.',
  market_wrong_iban: 'Check the IBAN: it starts with TR and has 26 characters.',
};
