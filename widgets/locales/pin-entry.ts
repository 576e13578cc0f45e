/** Texts of the PIN form. */

import type {Locale} from '../core/locale.ts';

const tr = {
  /** Unfolds the terms. */
  terms: 'Koşullar',
  pinTitle: 'SMS ile gelen kodu girin',
  pinSent: (number: string) => `Kodu ${number} numarasına gönderdik.`,
  pinSentAgain: (number: string, time: string) =>
    `${number} numarasına yeni bir kod gönderdik (saat\u00a0${time}). Son gelen SMS’teki kodu girin.`,
  noSms:
    'SMS gelmedi mi? Numaranızı ve operatörünüzü kontrol edin. Zaten abone olan veya mobil ödemeye kapalı hatlara kod gönderilmez.',
  pin: 'Onay kodu',
  pinMissing: 'SMS’teki kodu girin; kod yalnızca rakamlardan oluşur.',
  pinWrong: (attemptsLeft: number) => `Kod hatalı, ${attemptsLeft}\u00a0hakkınız kaldı. Son gelen SMS’teki kodu girin.`,
  pinLeft: (time: string) => `Kod süresi:\u00a0${time}`,
  /** Read out one minute before the PIN expires. */
  lastMinute: 'Kodun süresinin dolmasına 1 dakika kaldı.',
  pinExpired: 'Kodun süresi doldu',
  /** The advice below a PIN that can no longer be used. */
  requestPin: 'Devam etmek için yeni kod isteyin.',
  /** The button that starts the subscription, if the price is not known yet. */
  confirm: 'Abone ol',
  resend: 'Yeni kod iste',
  resendIn: (time: string) => `Yeni kod için:\u00a0${time}`,
  /** Read out when another PIN can be requested. */
  canResend: 'Artık yeni kod isteyebilirsiniz.',
  changeNumber: 'Numarayı değiştir',
};

export type PinEntryMessages = typeof tr;

const en: PinEntryMessages = {
  terms: 'Terms',
  pinTitle: 'Enter the code we texted you',
  pinSent: (number) => `We sent it to ${number}.`,
  pinSentAgain: (number, time) =>
    `We sent a new code to ${number} at\u00a0${time}. Enter the code from the latest text.`,
  noSms:
    'Didn’t get a text? Check your number and operator. We can’t send a code to a number that’s already subscribed or that has mobile payments turned off.',
  pin: 'Code',
  pinMissing: 'Enter the code from the text message. It only has digits.',
  pinWrong: (attemptsLeft) =>
    `That code isn’t right. You have ${attemptsLeft}\u00a0${attemptsLeft === 1 ? 'try' : 'tries'} left. Enter the code from the latest text.`,
  pinLeft: (time) => `Code expires in\u00a0${time}`,
  lastMinute: 'Your code expires in one minute.',
  pinExpired: 'The code has expired',
  requestPin: 'Request a new one to continue.',
  confirm: 'Subscribe',
  resend: 'Text me a new code',
  resendIn: (time) => `You can request a new code in\u00a0${time}`,
  canResend: 'You can request a new code now.',
  changeNumber: 'Change number',
};

export const pinEntryMessages: Record<Locale, PinEntryMessages> = {tr, en};
