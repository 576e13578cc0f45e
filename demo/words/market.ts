/** A vendor's page. */
export const tr = {
  market_title: 'Satıcı ol · Fener Atölyesi',
  market_heading: 'Fener’de satıcı olun',
  market_text: 'Pazar yeri satıcıyı tanır; kalanını platformun formu kapalı bir çerçevede sorar.',
  market_name: 'Ad ya da unvan',
  market_phone: 'Cep telefonu',
  market_apply: 'Kayıt formunu aç',
};

export const en: typeof tr = {
  market_title: 'Become a vendor · Fener Atölyesi',
  market_heading: 'Sell at Fener',
  market_text: 'The marketplace knows the vendor; the platform’s form asks the rest in a closed frame.',
  market_name: 'Name or company',
  market_phone: 'Mobile phone',
  market_apply: 'Open the registration form',
};
