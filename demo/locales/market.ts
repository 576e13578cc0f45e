/** Texts of the page on which a marketplace registers a vendor. */
export const tr = {
  market_title: 'Satıcı ol · Fener Atölyesi',
  market_description: 'El yapımı ürünlerinizi Fener’de satışa sunun.',
  market_heading: 'Fener’de satıcı olun',
  market_text: 'Bilgilerinizi girin; kalan adımları ödeme kuruluşunun güvenli formunda tamamlarsınız.',
  market_application: 'Başvurunuz',
  market_last: 'Son adım: bilgilerinizi kontrol edip onaylayın.',
  market_name: 'Ad soyad ya da unvan',
  market_phone: 'Cep telefonu',
  market_apply: 'Devam et',
  market_wrong: 'Form açılamadı. Biraz sonra yeniden deneyin.',
  market_wrong_name: 'Adınızı ya da unvanınızı yazın.',
  market_wrong_iban: 'IBAN’ı kontrol edin: TR ile başlar, 26 karakterdir.',
  market_how:
    'Gerçek bir pazaryerinde bu bilgileri sunucunuz ödeme kuruluşuna iletir. Form kapalı bir çerçevede açılır; sayfanızın verilerine erişemez.',
};

export const en: typeof tr = {
  market_title: 'Sell with us · Fener Atölyesi',
  market_description: 'Sell your handmade products at Fener.',
  market_heading: 'Sell at Fener',
  market_text: 'Tell us who you are, then finish the remaining steps on the payment provider’s secure form.',
  market_application: 'Your application',
  market_last: 'Last step: check your details and confirm.',
  market_name: 'Full name or company',
  market_phone: 'Mobile phone',
  market_apply: 'Continue',
  market_wrong: 'We couldn’t open the form. Try again in a moment.',
  market_wrong_name: 'Enter your name or your company’s name.',
  market_wrong_iban: 'Check the IBAN: it starts with TR and has 26 characters.',
  market_how:
    'On a real marketplace, your server passes these details to the provider. The form opens in a sandboxed frame that can’t read your page.',
};
