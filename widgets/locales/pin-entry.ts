/** Texts of the PIN form. */

import type {Locale} from '../core/locale.ts';

export interface PinEntryMessages {
  readonly pinTitle: string;
  readonly pinSent: (number: string) => string;
  readonly pinSentAgain: (number: string, time: string) => string;
  readonly noSms: string;
  readonly pin: string;
  readonly pinMissing: string;
  readonly pinWrong: (attemptsLeft: number) => string;
  readonly pinLeft: (time: string) => string;
  /** Read out one minute before the PIN expires. */
  readonly lastMinute: string;
  readonly pinExpired: string;
  /** The advice below a PIN that can no longer be used. */
  readonly requestPin: string;
  /** The button that starts the subscription, if the price is not known yet. */
  readonly confirm: string;
  readonly resend: string;
  readonly resendIn: (time: string) => string;
  /** Read out when another PIN can be requested. */
  readonly canResend: string;
  readonly changeNumber: string;
}

export const pinEntryMessages: Record<Locale, PinEntryMessages> = {
  tr: {
    pinTitle: 'SMS ile gelen kodu girin',
    pinSent: (number) => `Kodu ${number} numarasına gönderdik.`,
    pinSentAgain: (number, time) =>
      `${number} numarasına yeni bir kod gönderdik (saat ${time}). Son gelen SMS’teki kodu girin.`,
    noSms:
      'SMS gelmedi mi? Numaranızı ve operatörünüzü kontrol edin. Zaten abone olan veya mobil ödemeye kapalı hatlara kod gönderilmez.',
    pin: 'Onay kodu',
    pinMissing: 'SMS’teki kodu girin; kod yalnızca rakamlardan oluşur.',
    pinWrong: (attemptsLeft) => `Kod hatalı, ${attemptsLeft} hakkınız kaldı. Son gelen SMS’teki kodu girin.`,
    pinLeft: (time) => `Kalan süre ${time}`,
    lastMinute: 'Kodun süresinin dolmasına 1 dakika kaldı.',
    pinExpired: 'Kodun süresi doldu',
    requestPin: 'Devam etmek için yeni kod isteyin.',
    confirm: 'Abone ol',
    resend: 'Yeni kod iste',
    resendIn: (time) => `Yeni kod için kalan süre: ${time}`,
    canResend: 'Artık yeni kod isteyebilirsiniz.',
    changeNumber: 'Numarayı değiştir',
  },
  en: {
    pinTitle: 'Enter the code we texted you',
    pinSent: (number) => `We sent it to ${number}.`,
    pinSentAgain: (number, time) => `We sent a new code to ${number} at ${time}. Enter the code from the latest text.`,
    noSms:
      'Didn’t get a text? Check your number and operator. We can’t send a code to a number that’s already subscribed or that has mobile payments turned off.',
    pin: 'Code',
    pinMissing: 'Enter the code from the text message. It only has digits.',
    pinWrong: (attemptsLeft) =>
      `That code isn’t right. You have ${attemptsLeft} ${attemptsLeft === 1 ? 'try' : 'tries'} left. Enter the code from the latest text.`,
    pinLeft: (time) => `Code expires in ${time}`,
    lastMinute: 'Your code expires in one minute.',
    pinExpired: 'The code has expired',
    requestPin: 'Request a new one to continue.',
    confirm: 'Subscribe',
    resend: 'Text me a new code',
    resendIn: (time) => `New code in ${time}`,
    canResend: 'You can request a new code now.',
    changeNumber: 'Change number',
  },
};
