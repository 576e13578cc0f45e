/** Texts of `vezne-pin-subscribe`: price, number form and consent. */

import type {Locale} from '../core/locale.ts';

export interface PinSubscribeMessages {
  readonly price: string;
  readonly every: Partial<Record<string, string>>;
  readonly priceEvery: (price: string, every: string) => string;
  readonly priceOf: (price: string, period: string) => string;
  readonly renews: string;
  readonly consent: string;
  readonly consentMissing: string;
  readonly operator: string;
  readonly operatorMissing: string;
  readonly number: string;
  readonly numberHint: string;
  readonly numberWrong: string;
  readonly sendPin: string;
  readonly wait: (time: string) => string;
  readonly enterPinHint: string;
  readonly enterPin: string;
}

export const pinSubscribeMessages: Record<Locale, PinSubscribeMessages> = {
  tr: {
    price: 'Ücret',
    every: {daily: 'Günde', weekly: 'Haftada', monthly: 'Ayda', yearly: 'Yılda'},
    priceEvery: (price, every) => `${every} ${price}`,
    priceOf: (price, period) => `${price} (${period})`,
    renews: 'Siz iptal edene kadar kendiliğinden yenilenir; ücret telefon faturanıza ya da bakiyenize yansır.',
    consent: 'Ücreti ve koşulları okudum, abone olmak istiyorum.',
    consentMissing: 'Devam etmek için ücreti ve koşulları kabul edin.',
    operator: 'Operatörünüz',
    operatorMissing: 'Operatörünüzü seçin.',
    number: 'Cep telefonu numaranız',
    numberHint: 'Örnek: 0532 123 45 67',
    numberWrong: 'Türkiye’den bir cep telefonu numarası yazın: 5 ile başlayan 10 hane.',
    sendPin: 'Onay kodu gönder',
    wait: (time) => `${time} sonra yeniden deneyebilirsiniz.`,
    enterPinHint: 'Bu numaraya az önce bir kod geldiyse onu kullanabilirsiniz.',
    enterPin: 'Kodum var',
  },
  en: {
    price: 'Price',
    every: {daily: 'every day', weekly: 'every week', monthly: 'every month', yearly: 'every year'},
    priceEvery: (price, every) => `${price} ${every}`,
    priceOf: (price, period) => `${price} (${period})`,
    renews: 'Renews by itself until you cancel; it is charged to your phone bill or balance.',
    consent: 'I have read the price and the terms, and want to subscribe.',
    consentMissing: 'Agree to the price and the terms to continue.',
    operator: 'Your operator',
    operatorMissing: 'Choose your operator.',
    number: 'Your mobile number',
    numberHint: 'For example 0532 123 45 67',
    numberWrong: 'Write a Turkish mobile number: ten digits that begin with 5.',
    sendPin: 'Send me a code',
    wait: (time) => `You can try again in ${time}.`,
    enterPinHint: 'If a code has just come to this number, you can use it.',
    enterPin: 'I have a code',
  },
};
