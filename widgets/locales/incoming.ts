/** Texts of `vezne-incoming`, which asks the shopper before it opens the order of a hand-off link. */

import type {Locale} from '../core/locale.ts';

export type IncomingMessages = Record<'title' | 'advice' | 'untitled' | 'open' | 'leave', string>;

export const incomingMessages: Record<Locale, IncomingMessages> = {
  tr: {
    title: 'Bu bağlantının getirdiği sipariş açılsın mı?',
    advice:
      'Başka bir cihazda başlatıldı. Siz başlatmadıysanız açmayın: ödediğiniz, o sipariş olur. Buradaki siparişiniz olduğu gibi kalır.',
    untitled: 'Banka havalesiyle ödeme',
    open: 'Siparişi aç',
    leave: 'Hayır, açma',
  },
  en: {
    title: 'Open the order that this link brings?',
    advice:
      'It was begun on another device. If that was not you, do not open it: you would pay for that order. Your own order here stays as it is.',
    untitled: 'Pay by bank transfer',
    open: 'Open the order',
    leave: 'No, do not open it',
  },
};
