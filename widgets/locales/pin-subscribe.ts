/** Texts of `vezne-pin-subscribe`: offer, number form and consent; and of the price, which every later card shows too. */

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

export interface PriceMessages {
  /** The words for a period, by the platform's name of the period. */
  readonly periods: Partial<Record<string, string>>;
  /** The price of one period. It stands alone, or after free days. */
  readonly each: (price: string, period: string, freeDays: number | null | undefined) => string;
  /** The price of one period, with the free days before the first charge. */
  readonly trial: (days: number, each: string) => string;
  /** The label of the button that starts the subscription, before the price. */
  readonly subscribeFor: string;
}

// A no-break space keeps the price or the period on one line with the word beside it.
export const priceMessages: Record<Locale, PriceMessages> = {
  tr: {
    periods: {daily: 'gün', weekly: 'hafta', monthly: 'ay', yearly: 'yıl'},
    each: (price, period, freeDays) =>
      freeDays ? `${period}${period === 'gün' ? 'lük' : 'lık'} ${price}` : `${price} /\u00a0${period}`,
    trial: (days, each) => `${days}\u00a0gün\u00a0ücretsiz, sonra ${each}`,
    subscribeFor: 'Abone ol ·',
  },
  en: {
    periods: {daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year'},
    each: (price, period) => `${price} a\u00a0${period}`,
    trial: (days, each) => `${each}, first\u00a0${days > 1 ? `${days}\u00a0days` : 'day'}\u00a0free`,
    subscribeFor: 'Subscribe for',
  },
};
