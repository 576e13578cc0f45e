/** Texts of `vezne-one-click`, shown when the mobile network has recognized the number. */

import type {Locale} from '../core/locale.ts';

export interface OneClickMessages {
  readonly yourNumber: string;
  readonly otherNumber: string;
  readonly recognizedNumber: (number: string) => string;
  readonly readFirst: string;
}

export const oneClickMessages: Record<Locale, OneClickMessages> = {
  tr: {
    yourNumber: 'Numaranız',
    otherNumber: 'Başka bir numarayla abone ol',
    recognizedNumber: (number) => `${number} numarasıyla abone ol`,
    readFirst: 'Ücreti ve koşulları okuyun; birazdan onaylayabilirsiniz.',
  },
  en: {
    yourNumber: 'Your number',
    otherNumber: 'Subscribe with another number',
    recognizedNumber: (number) => `Subscribe with ${number}`,
    readFirst: 'Read the price and terms; you can confirm in a moment.',
  },
};
