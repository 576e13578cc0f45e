/** What is said to whose number the network knows. */

import type {Locale} from '../core/locale.ts';

export interface OneClickWords {
  readonly yourNumber: string;
  readonly confirmAtOnce: string;
  readonly otherNumber: string;
  readonly readFirst: string;
}

export const oneClickWords: Record<Locale, OneClickWords> = {
  tr: {
    yourNumber: 'Numaranız',
    confirmAtOnce: 'Abone ol',
    otherNumber: 'Başka bir numarayla abone ol',
    readFirst: 'Ücreti ve koşulları okuyun; birazdan onaylayabilirsiniz.',
  },
  en: {
    yourNumber: 'Your number',
    confirmAtOnce: 'Subscribe',
    otherNumber: 'Subscribe with another number',
    readFirst: 'Read the price and the terms; you can confirm in a moment.',
  },
};
