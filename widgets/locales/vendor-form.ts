/** Texts of `vezne-vendor-form`, shown around the platform's form. */

import type {Locale} from '../core/locale.ts';

const tr = {
  /** The title of the frame, for screen readers. */
  frame: 'Satıcı başvuru formu',
  /** The heading above the frame. */
  title: 'Satıcı başvurusu',
  /** Shown above the frame, because some browsers hide its scroll bar. */
  scroll: 'Formun tamamı görünmüyorsa çerçevenin içinde kaydırın.',
  successTitle: 'Başvurunuz alındı',
  successText: 'Başvurunuz incelenecek; sonucu pazaryeri size bildirecek.',
  failureTitle: 'Başvurunuz tamamlanmadı',
  failureText: 'Bilgileriniz kaydedilmemiş olabilir. Formu yeniden açıp bir kez daha gönderin.',
  again: 'Formu yeniden aç',
  assurance: 'Bu kez başvuru gönderilmedi.',
};

export type VendorFormMessages = typeof tr;

const en: VendorFormMessages = {
  frame: 'Vendor application form',
  title: 'Vendor application',
  scroll: 'If you can’t see the whole form, scroll inside the frame.',
  successTitle: 'We’ve received your application',
  successText: 'It will be reviewed, and the marketplace will let you know the result.',
  failureTitle: 'Your application wasn’t completed',
  failureText: 'Your details may not have been saved. Open the form and send it again.',
  again: 'Open the form again',
  assurance: 'No application was sent this time.',
};

export const vendorFormMessages: Record<Locale, VendorFormMessages> = {tr, en};
