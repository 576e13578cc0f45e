/**
 * Texts for paying and for waiting for the payment. Each language is a file of its own, so that a page in one language
 * loads only this one, together with the code that needs it.
 */

import type {Locale} from '../core/locale.ts';
import type {PaymentMessages} from './payment/payment-tr.ts';

export type {Line, PaymentMessages, ViewWords} from './payment/payment-tr.ts';

const RETRY_MS = 30_000;

/** The texts that have loaded, or, as `undefined`, that are loading. */
const loaded = new Map<Locale, PaymentMessages | undefined>();

/** Adds the texts with which the code has loaded. */
export function addTexts(locale: Locale, texts: PaymentMessages): void {
  loaded.set(locale, texts);
}

/**
 * Each first use of a further language loads its texts: on a page with elements in both languages, or after a change of
 * the language. Until they are there, elements show the texts of the other language.
 */
export const paymentMessages: Readonly<Record<Locale, PaymentMessages>> = {
  get tr() {
    return textsIn('tr', () => import('./payment/payment-tr.ts'));
  },
  get en() {
    return textsIn('en', () => import('./payment/payment-en.ts'));
  },
};

function textsIn(locale: Locale, file: () => Promise<{readonly texts: PaymentMessages}>): PaymentMessages {
  if (!loaded.has(locale)) void load(locale, file);
  return loaded.get(locale) ?? ([...loaded.values()].find(Boolean) as PaymentMessages);
}

async function load(locale: Locale, file: () => Promise<{readonly texts: PaymentMessages}>): Promise<void> {
  loaded.set(locale, undefined);
  try {
    addTexts(locale, (await file()).texts);
    renderAll();
  } catch {
    // The first rendering after this time loads them again. A countdown renders every second.
    setTimeout(() => loaded.get(locale) || loaded.delete(locale), RETRY_MS);
  }
}

/** Renders all elements again, which observe `lang` attributes. A list of all elements would be in every first file. */
function renderAll(): void {
  const root = document.documentElement;
  const lang = root.getAttribute('lang');
  root.setAttribute('lang', lang ?? '');
  if (lang === null) root.removeAttribute('lang');
}
