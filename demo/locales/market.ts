/** Texts of the page on which a marketplace registers a vendor. */
export const tr = {
  market_title: 'Satıcı ol · Fener Atölyesi',
  market_heading: 'Fener’de satıcı olun',
  market_text: 'Pazar yeri satıcıyı tanır; kalanını platformun formu kapalı bir çerçevede sorar.',
  market_name: 'Ad ya da unvan',
  market_phone: 'Cep telefonu',
  market_apply: 'Kayıt formunu aç',
  market_wrong: 'Form açılamadı; biraz sonra yeniden deneyin.',
  market_wrong_name: 'Adınızı ya da unvanınızı yazın.',
  market_wrong_phone: 'Cep telefonu numarasını kontrol edin: 5 ile başlayan on hane.',
  market_wrong_iban: 'IBAN’ı kontrol edin: TR ile başlar, 26 karakterdir.',
};

export const en: typeof tr = {
  market_title: 'Become a vendor · Fener Atölyesi',
  market_heading: 'Sell at Fener',
  market_text: 'The marketplace knows the vendor; the platform’s form asks the rest in a closed frame.',
  market_name: 'Name or company',
  market_phone: 'Mobile phone',
  market_apply: 'Open the registration form',
  market_wrong: 'The form could not be opened; try again in a moment.',
  market_wrong_name: 'Write your name or that of your company.',
  market_wrong_phone: 'Check the mobile number: ten digits that begin with 5.',
  market_wrong_iban: 'Check the IBAN: it begins with TR and has 26 characters.',
};
