/** Texts that `vezne-pin-entry` and `vezne-one-click` share. */

import type {Locale} from '../core/locale.ts';

const tr = {
  confirming: 'Başlatılıyor…',
  doneTitle: 'Aboneliğiniz başladı',
  /** How long the shopper must wait before the next attempt to subscribe. */
  mayRetry: (time: string) => `${time} sonra yeniden deneyebilirsiniz.`,
};

export type EnrollmentMessages = typeof tr;

const en: EnrollmentMessages = {
  confirming: 'Starting…',
  doneTitle: 'You’re subscribed',
  mayRetry: (time) => `You can try again in ${time}.`,
};

export const enrollmentMessages: Record<Locale, EnrollmentMessages> = {tr, en};
