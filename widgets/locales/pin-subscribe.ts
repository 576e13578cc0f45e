/** Texts of `vezne-pin-subscribe`: offer, number form and consent. */

import type {Locale} from '../core/locale.ts';

const tr = {
  price: 'Ücret',
  renews: 'Siz iptal edene kadar otomatik yenilenir. Ücret faturanıza yansıtılır veya bakiyenizden düşülür.',
  termsLink: 'Abonelik koşulları',
  privacyLink: 'Aydınlatma metni',
  consent: 'Ücreti ve koşulları okudum, abone olmak istiyorum.',
  consentMissing: 'Devam etmek için ücreti ve koşulları onaylayın.',
  operator: 'Operatörünüz',
  operatorMissing: 'Operatörünüzü seçin.',
  number: 'Cep telefonu numaranız',
  numberHint: 'Örnek: 0532\u00a0123\u00a045\u00a067',
  /** The offer has one mobile operator, which the shopper need not choose. */
  onlyOperator: (name: string) => `Yalnızca ${name} hatları abone olabilir.`,
  numberWrong: 'Geçerli bir cep telefonu numarası girin: 05 ile başlayan 11\u00a0hane.',
  sendPin: 'Onay kodu gönder',
  sending: 'Gönderiliyor…',
  assurance: 'Siz onaylamadan ücret alınmaz.',
};

export type PinSubscribeMessages = typeof tr;

const en: PinSubscribeMessages = {
  price: 'Price',
  renews: 'Renews automatically until you cancel. It’s charged to your phone bill or balance.',
  termsLink: 'Subscription terms',
  privacyLink: 'Privacy notice',
  consent: 'I’ve read the price and terms, and I want to subscribe.',
  consentMissing: 'Agree to the price and terms to continue.',
  operator: 'Your operator',
  operatorMissing: 'Choose your operator.',
  number: 'Your mobile number',
  numberHint: 'For example, 0532\u00a0123\u00a045\u00a067',
  onlyOperator: (name) => `Only ${name} numbers can subscribe.`,
  numberWrong: 'Enter a Turkish mobile number: 11\u00a0digits starting with 05.',
  sendPin: 'Text me a code',
  sending: 'Sending…',
  assurance: 'You won’t pay until you confirm.',
};

export const pinSubscribeMessages: Record<Locale, PinSubscribeMessages> = {tr, en};
