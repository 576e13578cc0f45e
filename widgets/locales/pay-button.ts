/** Texts of `vezne-pay-button`, which opens the platform's own pages. */

import type {Locale} from '../core/locale.ts';

/** The texts of a button for one of the two pages. */
interface PageMessages {
  /** The label of the button. The amount is empty until the page knows it. */
  readonly pay: (amount: string) => string;
  readonly again: string;
  /** In place of the other button: the shopper has left for this page, and no outcome is known. */
  readonly left: string;
  /** The shopper says not to have paid on the other page. */
  readonly payHere: string;
  /** In place of the other button, while the payment on this page is being checked. */
  readonly onItsWay: string;
}

export type PayButtonMessages = Readonly<Record<'bank-page' | 'payment-page', PageMessages>> & {
  readonly leaving: string;
};

const tr: PayButtonMessages = {
  leaving: 'Ödeme sayfası açılıyor…',
  'bank-page': {
    pay: (amount) => `Havale\u00a0/ EFT\u00a0/ FAST ile ${amount ? `${amount} ` : ''}öde`,
    again: 'Banka sayfasını yeniden aç',
    left: 'Banka sayfasını açtınız. Orada ödediyseniz yeniden ödemeyin.',
    payHere: 'Ödemedim, bankadan öderim',
    onItsWay: 'Bankadan yaptığınız ödemeyi kontrol ediyoruz; yeniden ödemeyin.',
  },
  'payment-page': {
    pay: (amount) => `Telefon faturasıyla ${amount ? `${amount} ` : ''}öde`,
    again: 'Telefon faturası sayfasını yeniden aç',
    left: 'Telefon faturası sayfasını açtınız. Orada ödediyseniz yeniden ödemeyin.',
    payHere: 'Ödemedim, telefon faturasıyla öderim',
    onItsWay: 'Telefon faturasıyla yaptığınız ödemeyi kontrol ediyoruz; yeniden ödemeyin.',
  },
};

const en: PayButtonMessages = {
  leaving: 'Opening the payment page…',
  'bank-page': {
    pay: (amount) => (amount ? `Pay ${amount} by bank transfer` : 'Pay by bank transfer'),
    again: 'Reopen the bank page',
    left: 'You opened the bank page. If you’ve paid there, don’t pay again.',
    payHere: 'I haven’t paid, pay by bank transfer',
    onItsWay: 'We’re checking your bank payment. Don’t pay again.',
  },
  'payment-page': {
    pay: (amount) => (amount ? `Pay ${amount} by phone bill` : 'Pay by phone bill'),
    again: 'Reopen the phone bill page',
    left: 'You opened the phone bill page. If you’ve paid there, don’t pay again.',
    payHere: 'I haven’t paid, pay by phone bill',
    onItsWay: 'We’re checking your phone bill payment. Don’t pay again.',
  },
};

export const payButtonMessages: Record<Locale, PayButtonMessages> = {tr, en};

/** The text above the button if the price has changed. The button shows the new price. */
export const priceNowMessages: Record<Locale, (amount: string) => string> = {
  tr: (amount) => `Fiyat değişti; yeni tutar ${amount}.`,
  en: (amount) => `The price is now ${amount}.`,
};
