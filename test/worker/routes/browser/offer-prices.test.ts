/** Tests that no order is sold at a price that its offer did not have, whatever isolates keep in memory. */

import {env} from 'cloudflare:workers';
import {expect, inject, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {NewPaymentSession, PlacedOrder} from '../../../../worker/contract/browser/answers.ts';
import {parseAmount} from '../../../../worker/lib/money.ts';
import {KEPT_MS} from '../../../../worker/routes/kept-reads.ts';
import {advance} from '../../support/clock.ts';
import {orderObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {type Answer, askAsPage, putOffer, read, TITLE} from '../../support/page.ts';

freshWorker();

const isBench = inject('scale') === 1;
const HOT = 3;
const [OFFERS, ISOLATES, STEPS] = isBench ? [10_000, 6, 3_000] : [HOT, 3, 30];

/** Numbers that are the same in each run. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const timeout = isBench ? 1_800_000 : 60_000;
test(
  'each order has a price that its offer had in the last five seconds, and that its page showed',
  {timeout},
  async () => {
    const random = chance(7);
    const isolates = Array.from({length: ISOLATES}, (): {isolate?: Env} => ({isolate: {...env}}));
    isolates.push({});
    const prices = new Map<string, {amount: string; from: number; until: number}[]>();
    const offers = contextOf(env).objects.offers();
    const offer = {kind: 'payment', service: 'DEMO', title: TITLE, hours: 72} as const;
    for (let index = HOT; index < OFFERS; index += 1) await offers.put(`o-${index}`, {...offer, amount: '1.00'});
    const change = async (id: string) => {
      const known = prices.get(id) ?? [];
      const amount = `${100 + known.length}.0${id.slice(-1)}`;
      await putOffer(id, {amount});
      const before = known.at(-1);
      if (before) before.until = Date.now();
      prices.set(id, [...known, {amount, from: Date.now(), until: Infinity}]);
    };
    const send = (path: string, body: object): Promise<Answer> =>
      askAsPage('POST', path, {body, ...isolates[random(isolates.length)]});
    const counts = {sold: 0, changed: 0, old: 0};
    for (let index = 0; index < HOT; index += 1) await change(`o-${index}`);
    for (let step = 0; step < STEPS; step += 1) {
      const id = `o-${random(HOT)}`;
      if (random(4) === 0) await change(id);
      const shown = read(await send('/v1/sessions', {offer: id}), NewPaymentSession, 201).amount;
      await advance(random(3_000));
      if (random(8) === 0) await change(id);
      const attempt = `${step}-${'x'.repeat(22)}`;
      const answer = await send('/v1/order-code', {offer: id, attempt, shown_amount: shown});
      if ((answer.body as {code?: string}).code === 'price_changed') counts.changed += 1;
      else {
        const {amount, order} = read(answer, PlacedOrder);
        const stored = await orderObject(order).details();
        expect([amount, parseAmount(stored?.payment.amount ?? '')]).toEqual([shown, parseAmount(shown)]);
        const price = prices.get(id)?.find((one) => one.amount === amount);
        expect(price?.until ?? 0).toBeGreaterThan(Date.now() - KEPT_MS);
        counts.sold += 1;
        if (price?.until !== Infinity) counts.old += 1;
      }
    }
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  },
);
