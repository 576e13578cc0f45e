/** Texts of `vezne-handoff`, shown with the QR code. */

import type {Locale} from '../core/locale.ts';

export type HandoffMessages = Record<
  'picture' | 'advice' | 'copyLink' | 'copied' | 'copyByHand' | 'again' | 'opened' | 'openedText',
  string
>;

export const handoffMessages: Record<Locale, HandoffMessages> = {
  tr: {
    picture: 'Bu ödemeyi telefonda açan kare kod',
    advice: 'Telefonunuzun kamerasıyla okutun: aynı kod telefonda açılır. Bir kez ve on dakika içinde kullanılabilir.',
    copyLink: 'Bağlantıyı kopyala',
    copied: 'Bağlantı kopyalandı.',
    copyByHand: 'Tarayıcınız kopyalamaya izin vermedi. Seçili bağlantıyı kendiniz kopyalayın.',
    again: 'Yeni kare kod',
    opened: 'Telefonda açıldı',
    openedText:
      'Telefonunuzdan devam edin; ödeme gelince iki sayfa da gösterir. Açan siz değilseniz o kişi yalnızca bakabilir: ödemeyi buradan yapın.',
  },
  en: {
    picture: 'QR code that opens this payment on a phone',
    advice: 'Point your phone’s camera here: it opens with the same code. Works once, within ten minutes.',
    copyLink: 'Copy the link',
    copied: 'Link copied.',
    copyByHand: 'Your browser did not allow copying. Copy the selected link yourself.',
    again: 'New QR code',
    opened: 'Opened on the phone',
    openedText:
      'Go on there; both pages show when the money arrives. If it was not you, they can only look: pay from here.',
  },
};
