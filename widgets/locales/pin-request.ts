/** Texts of the number form if the terms have changed or a request for a PIN was refused. */

import type {Locale} from '../core/locale.ts';

const tr = {
  mayRequestPin: (time: string) => `Çok fazla kod istendi. ${time} sonra yeniden isteyebilirsiniz.`,
  /** Another device may have requested it. */
  pinJustSent: (time: string) => `Az önce bir kod gönderildi. ${time} sonra yenisini isteyebilirsiniz.`,
  enterPinHint: 'Bu numaraya az önce kod geldiyse o kodla devam edebilirsiniz.',
  enterPin: 'Kodum var',
  /** The price has changed since the page was loaded; the terms may have changed too. */
  priceChanged: (before: string, now: string) =>
    `Ücret değişti: ${before} yerine ${now}. Koşulları okuyun; uygunsa onaylayın.`,
  /** The title or the terms have changed since the page was loaded. */
  termsChanged: (price: string) => `Koşullar değişti; ücret aynı: ${price}. Yeniden okuyup onaylayın.`,
};

export type PinRequestMessages = typeof tr;

const en: PinRequestMessages = {
  mayRequestPin: (time) => `Too many codes were requested. You can request another in ${time}.`,
  pinJustSent: (time) => `A code was sent just now. You can request another in ${time}.`,
  enterPinHint: 'Just received a code on this number? You can use it.',
  enterPin: 'I have a code',
  priceChanged: (before, now) => `The price changed from ${before} to ${now}. Read the terms and agree if that’s OK.`,
  termsChanged: (price) => `The terms have changed; the price is still ${price}. Read and accept them again.`,
};

export const pinRequestMessages: Record<Locale, PinRequestMessages> = {tr, en};
