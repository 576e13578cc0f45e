/** Texts of `vezne-handoff`, shown with the QR code. */

import type {Locale} from '../core/locale.ts';

export type HandoffMessages = Record<
  'picture' | 'advice' | 'copyLink' | 'copied' | 'again' | 'opened' | 'openedText' | 'failed' | 'limited',
  string
>;

export const handoffMessages: Record<Locale, HandoffMessages> = {
  tr: {
    picture: 'Bu ödemeyi telefonda açan karekod',
    advice:
      'Telefonunuzun kamerasıyla okutun; bu ödeme telefonunuzda açılır. Karekod 10 dakika geçerlidir ve bir kez kullanılır.',
    copyLink: 'Bağlantıyı kopyala',
    copied: 'Bağlantı kopyalandı',
    again: 'Karekodu yenile',
    opened: 'Telefonda açıldı',
    openedText:
      'Telefonunuzdan devam edin; ödemenizin geldiğini iki cihazda da görürsünüz. Siz açmadıysanız ödemeyi buradan yapın; diğer cihaz siparişi yalnızca görüntüleyebilir.',
    failed: 'Karekod oluşturulamadı. Ödemeye bu cihazdan devam edebilirsiniz.',
    limited: 'Karekod birazdan hazır olacak. Ödemeye bu cihazdan da devam edebilirsiniz.',
  },
  en: {
    picture: 'QR code that opens this payment on a phone',
    advice:
      'Scan the code with your phone’s camera to open this payment there. It works once and expires in 10 minutes.',
    copyLink: 'Copy the link',
    copied: 'Link copied',
    again: 'Get a new QR code',
    opened: 'Opened on a phone',
    openedText:
      'Continue on your phone; both devices show when your payment arrives. If it wasn’t you, pay from here. The other device can only view the order.',
    failed: 'We couldn’t create the QR code. You can pay on this device.',
    limited: 'The QR code will be ready in a moment. You can also pay on this device.',
  },
};
