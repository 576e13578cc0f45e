/** The texts after too many requests, with the time until the Worker accepts the next one. */

import type {Locale} from '../core/locale.ts';

/** What follows the wait if the element repeats the request. */
const REPEATS = {
  tr: (time: string) => `${time} yeniden deneyeceğiz.`,
  en: (time: string) => `We’ll try again ${time}.`,
};

/** What follows the wait if the shopper repeats the request. */
export const CONTINUES = {
  tr: (time: string) => `${time} devam edebilirsiniz.`,
  en: (time: string) => `You can continue ${time}.`,
};

/** An element that retries by itself has no button, because it waits as told. @param next - What follows the wait. */
export function limited(retryAfterMs: number, next: Record<Locale, (time: string) => string> = REPEATS) {
  const {tr, en} = inTime(retryAfterMs);
  return {
    nextStep: 'none',
    tone: 'calm',
    messages: {
      tr: {title: 'Lütfen biraz bekleyin', text: `Çok fazla istek geldi. ${next.tr(tr)}`},
      en: {title: 'Please wait a moment', text: `Too many requests. ${next.en(en)}`},
    },
  } as const;
}

/** When a wait is over: `30 saniye sonra`. Without a time, soon. */
export function inTime(ms: number): Record<Locale, string> {
  if (ms <= 0) return {tr: 'Biraz sonra', en: 'in a moment'};
  const seconds = Math.ceil(ms / 1000);
  if (seconds > 90) return {tr: `${Math.ceil(seconds / 60)} dakika sonra`, en: `in ${Math.ceil(seconds / 60)} minutes`};
  return {tr: `${seconds} saniye sonra`, en: seconds > 1 ? `in ${seconds} seconds` : 'in a second'};
}
