/** Texts of the PIN form, and of the card shown after the subscription has started. */

import type {Locale} from '../core/locale.ts';

export interface PinEntryMessages {
  readonly pinTitle: string;
  readonly pinSent: (number: string) => string;
  readonly pinSentAgain: (number: string, time: string) => string;
  readonly noSms: string;
  readonly pin: string;
  readonly pinMissing: string;
  readonly pinLeft: (time: string) => string;
  readonly pinExpired: string;
  readonly confirm: string;
  readonly resend: string;
  readonly resendIn: (time: string) => string;
  readonly changeNumber: string;
  readonly doneTitle: string;
  readonly doneText: string;
}

export const pinEntryMessages: Record<Locale, PinEntryMessages> = {
  tr: {
    pinTitle: 'SMS ile gelen kodu yazın',
    pinSent: (number) => `Kodu ${number} numarasına gönderdik.`,
    pinSentAgain: (number, time) =>
      `Saat ${time}: ${number} numarasına yeni bir kod gönderdik. Son gelen SMS’teki kodu yazın.`,
    noSms:
      'SMS gelmedi mi? Numarayı ve operatörü kontrol edin. Zaten abone olan ya da mobil ödemeye kapalı numaralara kod gönderilmez.',
    pin: 'Onay kodu',
    pinMissing: 'SMS’teki kodu yazın; yalnızca rakamlardan oluşur.',
    pinLeft: (time) => `Kod ${time} daha geçerli.`,
    pinExpired: 'Kodun süresi doldu. Yeni bir kod isteyin.',
    confirm: 'Aboneliği başlat',
    resend: 'Yeni kod iste',
    resendIn: (time) => `Yeni kod ${time} sonra istenebilir.`,
    changeNumber: 'Numarayı değiştir',
    doneTitle: 'Aboneliğiniz başladı',
    doneText: 'Operatörünüz bir SMS ile onaylar. İptal etme yolu da o mesajda yazar.',
  },
  en: {
    pinTitle: 'Write the code from the SMS',
    pinSent: (number) => `We sent the code to ${number}.`,
    pinSentAgain: (number, time) => `${time}: we sent a new code to ${number}. Write the code of the latest SMS.`,
    noSms:
      'No SMS? Check the number and the operator. A number that is subscribed already, or closed to mobile payment, gets none.',
    pin: 'Code',
    pinMissing: 'Write the code from the SMS; it is digits only.',
    pinLeft: (time) => `The code is good for another ${time}.`,
    pinExpired: 'The code has expired. Ask for a new one.',
    confirm: 'Start the subscription',
    resend: 'Send a new code',
    resendIn: (time) => `You can ask for a new code in ${time}.`,
    changeNumber: 'Change the number',
    doneTitle: 'You are subscribed',
    doneText: 'Your operator confirms it by SMS, which also says how to cancel.',
  },
};
