/** Texts that every element may need. Both languages load with the element, because the network may fail later. */

import type {Locale} from '../core/locale.ts';

export interface TroubleMessages {
  readonly loading: string;
  readonly tryAgain: string;
  readonly offlineTitle: string;
  readonly offlineText: string;
  readonly unreachableTitle: string;
  readonly unreachableText: string;
  readonly busyTitle: string;
  readonly busyText: string;
  /** Tells the shopper that the element retries by itself. */
  readonly repeats: string;
  /** Tells the shopper to retry. */
  readonly repeat: string;
}

export const troubleMessages: Record<Locale, TroubleMessages> = {
  tr: {
    loading: 'Yükleniyor…',
    tryAgain: 'Yeniden dene',
    offlineTitle: 'İnternet bağlantınız yok',
    offlineText: 'Bağlantı gelince kaldığınız yerden devam edersiniz.',
    unreachableTitle: 'Ödeme hizmetine ulaşılamıyor',
    unreachableText: 'Bağlantınızı kontrol edin.',
    busyTitle: 'Ödeme hizmeti şu an yanıt vermiyor',
    busyText: 'Bilgileriniz kaybolmadı.',
    repeats: 'Birazdan yeniden denenecek.',
    repeat: 'Birazdan yeniden deneyin.',
  },
  en: {
    loading: 'Loading…',
    tryAgain: 'Try again',
    offlineTitle: 'You are offline',
    offlineText: 'You can continue once you are back online.',
    unreachableTitle: 'The payment service cannot be reached',
    unreachableText: 'Check your connection.',
    busyTitle: 'The payment service does not answer right now',
    busyText: 'Nothing is lost.',
    repeats: 'We will try again in a moment.',
    repeat: 'Try again in a moment.',
  },
};
