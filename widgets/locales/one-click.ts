/** Texts of `vezne-one-click`, shown when the mobile network has recognized the number. */

import type {Locale} from '../core/locale.ts';
import {pinSubscribeMessages} from './pin-subscribe.ts';

const tr = {
  assurance: pinSubscribeMessages.tr.assurance,
  yourNumber: 'Numaranız',
  otherNumber: 'Başka bir numarayla abone ol',
  recognizedNumber: (number: string) => `${number} ile abone ol`,
  readFirst: 'Ücreti ve koşulları okuyun; birazdan onaylayabilirsiniz.',
  /** Takes the place of \`readFirst\`, so that nothing moves under the shopper's finger. */
  mayConfirm: 'Ücreti ve koşulları okuduysanız onaylayabilirsiniz.',
  waiting: 'Operatörünüzün yanıtı bekleniyor; sayfayı kapatmayın.',
};

export type OneClickMessages = typeof tr;

const en: OneClickMessages = {
  assurance: pinSubscribeMessages.en.assurance,
  yourNumber: 'Your number',
  otherNumber: 'Subscribe with another number',
  recognizedNumber: (number) => `Subscribe with ${number}`,
  readFirst: 'Read the price and terms; you can confirm in a moment.',
  mayConfirm: 'If you’ve read the price and terms, you can confirm.',
  waiting: 'Waiting for your operator’s answer; keep this page open.',
};

export const oneClickMessages: Record<Locale, OneClickMessages> = {tr, en};
