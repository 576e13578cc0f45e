/** The states of the form that asks who buys, in the elements that may show it. */

import {BUYER_FORM} from '../../stub-worker/answers.ts';
import {find, until, untilText} from '../page.ts';
import {chooseBank, press, typeInto} from '../shopper.ts';
import {checkout} from './checkout.ts';
import {code} from './payment-code.ts';
import type {States} from './state.ts';

const asks = {buyerForm: BUYER_FORM};
const showsForm = (element: Element) => until('the form', () => find(element, 'form'));

/** Fills in what `BUYER_FORM` requires, apart from the ticks. */
export async function fillIn(element: Element): Promise<void> {
  await showsForm(element);
  for (const [name, value] of Object.entries({
    name: 'Deniz Örnek',
    email: 'deniz@shop.example',
    'address.line': 'Çiçek Sokak 7/3',
    'address.province': 'istanbul',
    'address.district': 'Kadıköy',
    'own.color': 'oak',
  }))
    await typeInto(element, `[name='${name}']`, value);
}

export const BUYER_STATES: States = {
  'a checkout that asks who buys': {
    markup: checkout,
    script: asks,
    reach: async (element) => {
      await chooseBank(element, 'Toros');
      await showsForm(element);
    },
  },
  'a checkout whose form of the buyer has wrong fields': {
    markup: checkout,
    script: asks,
    reach: async (element) => {
      await chooseBank(element, 'Toros');
      await showsForm(element);
      await typeInto(element, '[name=email]', 'deniz@');
      await typeInto(element, '[name=phone]', '12');
      await typeInto(element, "[name='address.postal_code']", '347');
      find<HTMLFormElement>(element, 'form')?.requestSubmit();
      await until('the errors', () => find(element, '#own-contract-error')?.textContent);
    },
  },
  'a checkout whose form of the buyer is filled in': {
    markup: checkout,
    script: asks,
    reach: async (element) => {
      await chooseBank(element, 'Toros');
      await fillIn(element);
      find(element, "[name='own.contract']")?.click();
    },
  },
  'a short form of the buyer': {
    markup: code,
    script: {buyerForm: {...BUYER_FORM, phone: undefined, address: undefined, own: undefined, marketing: undefined}},
    reach: showsForm,
  },
  'a pay button that asks who buys': {
    markup: '<vezne-pay-button offer="gold" lang="tr"></vezne-pay-button>',
    script: asks,
    reach: async (element) => {
      await press(element, 'Havale / EFT / FAST ile');
      await showsForm(element);
    },
  },
  'a form of the buyer that could not be read': {
    markup: code.replace('offer="gold"', 'session="shop-session"'),
    script: {...asks, faults: {payment: {kind: 'reset'}}},
    reach: (element) => untilText(element, 'Yazdıklarınız bu sekmede duruyor'),
  },
};
