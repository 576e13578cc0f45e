/** Texts that every element may need. Both languages load with the element, because the network may fail later. */

import type {Locale} from '../core/locale.ts';

export interface TroubleMessages {
  readonly loading: string;
  readonly tryAgain: string;
  readonly reload: string;
  readonly offlineTitle: string;
  readonly offlineText: string;
  readonly unreachableTitle: string;
  readonly unreachableText: string;
  readonly busyTitle: string;
  /** Tells the shopper that the element retries by itself. */
  readonly repeats: string;
  /** Tells the shopper to retry. */
  readonly repeat: string;
}

export const troubleMessages: Record<Locale, TroubleMessages> = {
  tr: {
    loading: 'Yükleniyor…',
    tryAgain: 'Yeniden dene',
    reload: 'Sayfayı yenile',
    offlineTitle: 'İnternet bağlantınız yok',
    offlineText: 'Bağlantı kurulunca devam edersiniz.',
    unreachableTitle: 'Ödeme hizmetine ulaşılamıyor',
    unreachableText: 'Bağlantınızı kontrol edin.',
    busyTitle: 'Ödeme hizmeti şu\u00a0an yanıt vermiyor',
    repeats: 'Biraz sonra yeniden deneyeceğiz.',
    repeat: 'Biraz sonra yeniden deneyin.',
  },
  en: {
    loading: 'Loading…',
    tryAgain: 'Try again',
    reload: 'Reload the page',
    offlineTitle: 'You’re offline',
    offlineText: 'You can continue once you’re back online.',
    unreachableTitle: 'We can’t reach the payment service',
    unreachableText: 'Check your connection.',
    busyTitle: 'The payment service isn’t responding',
    repeats: 'We’ll retry in a moment.',
    repeat: 'Try again in a moment.',
  },
};
