/** Texts of `vezne-handoff`, shown with the QR code. */

import type {Locale} from '../core/locale.ts';

export type HandoffMessages = Record<
  'picture' | 'advice' | 'copyLink' | 'copied' | 'copyByHand' | 'again' | 'opened' | 'openedText' | 'failed',
  string
>;

export const handoffMessages: Record<Locale, HandoffMessages> = {
  tr: {
    picture: 'Bu ödemeyi telefonda açan karekod',
    advice:
      'Telefonunuzun kamerasıyla okutun; ödeme aynı kodla telefonda açılır. On dakika içinde ve bir kez kullanılabilir.',
    copyLink: 'Bağlantıyı kopyala',
    copied: 'Bağlantı kopyalandı.',
    copyByHand: 'Tarayıcınız kopyalamaya izin vermedi. Seçili bağlantıyı elle kopyalayın.',
    again: 'Yeni karekod',
    opened: 'Telefonda açıldı',
    openedText:
      'Telefonunuzdan devam edin; ödemeniz gelince iki sayfada da görürsünüz. Açan siz değilseniz ödemeyi buradan yapın; diğer cihaz siparişi yalnızca görüntüleyebilir.',
    failed: 'Karekod oluşturulamadı. Ödemeye bu cihazdan devam edebilirsiniz.',
  },
  en: {
    picture: 'QR code that opens this payment on a phone',
    advice:
      'Scan it with your phone’s camera to open this payment with the same code. It works once, within ten minutes.',
    copyLink: 'Copy the link',
    copied: 'Link copied.',
    copyByHand: 'Your browser didn’t allow copying. Copy the selected link yourself.',
    again: 'New QR code',
    opened: 'Opened on your phone',
    openedText:
      'Continue there; both pages show when your payment arrives. If that wasn’t you, pay from here: the other device can only view the order.',
    failed: 'The QR code couldn’t be created. You can continue on this device.',
  },
};
