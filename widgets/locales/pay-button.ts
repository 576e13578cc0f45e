/** Texts of `vezne-pay-button`, which opens the platform's own pages. */

import type {Locale} from '../core/locale.ts';

/** The texts of a button for one of the two pages. */
interface PageMessages {
  /** The label of the button. The amount is empty until the page knows it. */
  readonly pay: (amount: string) => string;
  readonly again: string;
  /** The shopper says not to have paid on the other page. */
  readonly payHere: string;
}

export type PayButtonMessages = Readonly<Record<'bank-page' | 'payment-page', PageMessages>> & {
  readonly leaving: string;
};

const tr: PayButtonMessages = {
  leaving: 'Ödeme sayfası açılıyor…',
  'bank-page': {
    pay: (amount) => `Havale\u00a0/ EFT\u00a0/ FAST ile ${amount ? `${amount} ` : ''}öde`,
    again: 'Banka sayfasını yeniden aç',
    payHere: 'Ödemedim, havaleyle öderim',
  },
  'payment-page': {
    pay: (amount) => `Telefon faturasıyla ${amount ? `${amount} ` : ''}öde`,
    again: 'Telefon faturası sayfasını yeniden aç',
    payHere: 'Ödemedim, telefon faturasıyla öderim',
  },
};

const en: PayButtonMessages = {
  leaving: 'Opening the payment page…',
  'bank-page': {
    pay: (amount) => (amount ? `Pay ${amount} by bank transfer` : 'Pay by bank transfer'),
    again: 'Reopen the bank page',
    payHere: 'I haven’t paid, pay by bank transfer',
  },
  'payment-page': {
    pay: (amount) => (amount ? `Pay ${amount} by phone bill` : 'Pay by phone bill'),
    again: 'Reopen the phone bill page',
    payHere: 'I haven’t paid, pay by phone bill',
  },
};

export const payButtonMessages: Record<Locale, PayButtonMessages> = {tr, en};

/** The text above the button if the price has changed. The button shows the new price. */
export const priceNowMessages: Record<Locale, (amount: string) => string> = {
  tr: (amount) => `Fiyat değişti; yeni tutar ${amount}.`,
  en: (amount) => `The price is now ${amount}.`,
};
