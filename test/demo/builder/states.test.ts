/** The states that have an address, against what the elements can show. */

import {expect, test} from 'vitest';
import {rowOf, TAGS} from '../../../demo/builder/elements.ts';
import {statesOf} from '../../../demo/builder/states.ts';

/** The types of the elements and of the Worker need other libraries than those of the demo. */
const load = async (file: string) => (await import(new URL(`../../../${file}`, import.meta.url).href)) as unknown;
const {VIEWS} = (await load('widgets/transfer/payment/payment-views.ts')) as {VIEWS: object};
const {SUBSCRIPTION_STATES} = (await load('worker/contract/fields.ts')) as {SUBSCRIPTION_STATES: readonly string[]};

test('every view of a payment has an address in an element for transfers', () => {
  // A new checkout is the view of the choice of a bank.
  const transfers = TAGS.filter((element) => rowOf(element).source === 'payment');
  const shown = new Set<string>(['choose-bank', ...transfers.flatMap((element) => statesOf(element))]);
  expect(Object.keys(VIEWS).filter((view) => !shown.has(view))).toEqual([]);
});

test('every state of a subscription has an address', () => {
  expect(statesOf('vezne-subscription')).toEqual(expect.arrayContaining([...SUBSCRIPTION_STATES]));
});
