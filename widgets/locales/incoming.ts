/** Texts of `vezne-incoming`, which asks the shopper before it opens the order of a hand-off link. */

import type {Locale} from '../core/locale.ts';

export type IncomingMessages = Record<
  'title' | 'advice' | 'ownStays' | 'untitled' | 'open' | 'leave' | 'assurance',
  string
> & {
  readonly seller: (name: string) => string;
};

/** The texts if the Worker cannot read or open the order of the link at the moment. */
export const unopenedMessages: Record<Locale, {readonly title: string}> = {
  tr: {title: 'Sipariş açılamadı'},
  en: {title: 'We couldn’t open the order'},
};

export const incomingMessages: Record<Locale, IncomingMessages> = {
  tr: {
    title: 'Bu sipariş burada açılsın mı?',
    advice: 'Başka bir cihazda başlatıldı. Siz başlatmadıysanız açmayın; başkasının siparişini ödemiş olursunuz.',
    ownStays: 'Bu cihazdaki siparişiniz olduğu gibi kalır.',
    seller: (name) => `Satıcı: ${name}`,
    untitled: 'Havale / EFT / FAST ile ödeme',
    open: 'Siparişi aç',
    leave: 'Şimdi değil',
    assurance: 'Sipariş, başlatıldığı cihazda duruyor.',
  },
  en: {
    title: 'Open this order here?',
    advice:
      'It was started on another device. If that wasn’t you, don’t open it: you’d be paying someone else’s order.',
    ownStays: 'Your own order on this device stays as it is.',
    seller: (name) => `Seller: ${name}`,
    untitled: 'Payment by bank transfer',
    open: 'Open the order',
    leave: 'Not now',
    assurance: 'It’s still there on the device where it was started.',
  },
};
