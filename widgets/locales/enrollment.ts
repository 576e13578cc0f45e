/** Texts that `vezne-pin-entry` and `vezne-one-click` share. */

import type {Locale} from '../core/locale.ts';

export interface EnrollmentMessages {
  readonly confirming: string;
  readonly doneTitle: string;
  /** How long the shopper must wait before the next attempt to subscribe. */
  readonly mayRetry: (time: string) => string;
}

export const enrollmentMessages: Record<Locale, EnrollmentMessages> = {
  tr: {
    confirming: 'Başlatılıyor…',
    doneTitle: 'Aboneliğiniz başladı',
    mayRetry: (time) => `${time} sonra yeniden deneyebilirsiniz.`,
  },
  en: {
    confirming: 'Starting…',
    doneTitle: 'You’re subscribed',
    mayRetry: (time) => `You can try again in ${time}.`,
  },
};
