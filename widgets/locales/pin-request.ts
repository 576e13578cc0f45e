/** Texts of the number form after the shopper has requested a PIN. */

import type {Locale} from '../core/locale.ts';

export interface PinRequestMessages {
  readonly mayRequestPin: (time: string) => string;
  /** Another device may have requested it. */
  readonly pinJustSent: (time: string) => string;
  /** Unfolds the terms. */
  readonly terms: string;
  readonly enterPinHint: string;
  readonly enterPin: string;
  /** The price has changed since the page was loaded; the terms may have changed too. */
  readonly priceChanged: (before: string, now: string) => string;
  /** The title or the terms have changed since the page was loaded. */
  readonly termsChanged: (price: string) => string;
}

export const pinRequestMessages: Record<Locale, PinRequestMessages> = {
  tr: {
    mayRequestPin: (time) => `Çok fazla kod istendi. ${time} sonra yeniden isteyebilirsiniz.`,
    pinJustSent: (time) => `Az önce bir kod gönderildi. ${time} sonra yenisini isteyebilirsiniz.`,
    terms: 'Koşullar',
    enterPinHint: 'Bu numaraya az önce kod geldiyse o kodla devam edebilirsiniz.',
    enterPin: 'Kodum var',
    priceChanged: (before, now) => `Ücret değişti: ${before} yerine ${now}. Koşulları okuyun; uygunsa onaylayın.`,
    termsChanged: (price) => `Koşullar değişti; ücret aynı: ${price}. Yeniden okuyup onaylayın.`,
  },
  en: {
    mayRequestPin: (time) => `Too many codes were requested. You can request another in ${time}.`,
    pinJustSent: (time) => `A code was sent just now. You can request another in ${time}.`,
    terms: 'Terms',
    enterPinHint: 'Just received a code on this number? You can use it.',
    enterPin: 'I have a code',
    priceChanged: (before, now) => `The price changed from ${before} to ${now}. Read the terms and agree if that’s OK.`,
    termsChanged: (price) => `The terms have changed; the price is still ${price}. Read and accept them again.`,
  },
};
