/** Texts of `vezne-vendor-form`, shown around the platform's form. */

import type {Locale} from '../core/locale.ts';

export interface VendorFormMessages {
  /** The title of the frame, for screen readers. */
  readonly frame: string;
  readonly successTitle: string;
  readonly successText: string;
  readonly failureTitle: string;
  readonly failureText: string;
  readonly again: string;
}

export const vendorFormMessages: Record<Locale, VendorFormMessages> = {
  tr: {
    frame: 'Satıcı kayıt formu',
    successTitle: 'Formu gönderdiniz',
    successText: 'Kaydınız incelenecek; sonucu satıcı panelinizden öğrenirsiniz.',
    failureTitle: 'Kayıt tamamlanmadı',
    failureText: 'Bilgileriniz kaydedilmemiş olabilir. Formu yeniden açıp deneyin.',
    again: 'Formu yeniden aç',
  },
  en: {
    frame: 'Vendor registration form',
    successTitle: 'You have sent the form',
    successText: 'Your registration will be looked at; your marketplace tells you how it went.',
    failureTitle: 'The registration was not completed',
    failureText: 'Your details may not have been saved. Open the form again and retry.',
    again: 'Open the form again',
  },
};
