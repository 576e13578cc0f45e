/** GET /merchant/v1/funnel: visits, clicks and sales by day, offer and campaign. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {PlacedOrder} from '../../../../worker/contract/browser/answers.ts';
import type {EndpointAnswer} from '../../../../worker/contract/merchant/endpoints.ts';
import {formatPlatformDay} from '../../../../worker/lib/time.ts';
import type {ObjectStorage} from '../../../../worker/objects/object-storage.ts';
import {MAX_CAMPAIGNS, OTHER_CAMPAIGNS, VISITS, VisitStore} from '../../../../worker/objects/visit-store.ts';
import {advance, DAY} from '../../support/clock.ts';
import {orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {ask, askAsPage, ORIGIN, putOffer, read} from '../../support/page.ts';
import {pay} from '../../support/sandbox.ts';

freshWorker();

let count = 0;

async function visit(
  offer: string,
  campaign: string,
  type = 'visit',
  eventId = `event-no-${++count}`,
): Promise<number> {
  const url = `${ORIGIN}/?utm_campaign=${encodeURIComponent(campaign)}`;
  const body = {offer, type, tracking_id: 'visitor', event_id: eventId, url};
  return (await askAsPage('POST', '/v1/activities', {body})).status;
}

async function sell(offer: string, campaign?: string): Promise<void> {
  const page = campaign && {utm: {campaign}};
  const body = {offer, attempt: `attempt-of-a-funnel-${++count}-0`, shown_amount: '149.90', page};
  const {order, order_code} = read(await askAsPage('POST', '/v1/order-code', {body}), PlacedOrder);
  await runDurableObjectAlarm(orderObject(order));
  await pay({order_code, amount: '149.90'});
  await runSweep();
  // The excess makes no second sale.
  await pay({order_code, amount: '1.00'});
  await runSweep();
}

async function funnel(query: string): Promise<unknown[]> {
  const {status, text, body} = await ask(`/merchant/v1/funnel?${query}`, {
    headers: {authorization: 'Bearer sandbox-merchant-api-key'},
  });
  expect(status, text).toBe(200);
  return (body as EndpointAnswer<'showFunnel'>).items.map(
    ({offer, campaign, others, visits, clicks, sales, amount}) => [
      offer,
      campaign,
      others,
      visits,
      clicks,
      sales,
      amount,
    ],
  );
}

test('the funnel has the visits, the clicks and the exact sales of each campaign', async () => {
  const from = formatPlatformDay(Date.now());
  for (let visits = 0; visits < 6; visits += 1) await visit('gold', ' bayram\u0007 sale ');
  await visit('gold', 'bayram sale', 'subscribe_clicked');
  // The platform counts the visits of subscriptions, too.
  for (let visits = 0; visits < 5; visits += 1) await visit('club', 'bayram sale');
  for (const campaign of ['', 'rare one', 'rare two', 'sold']) await visit('gold', campaign);
  expect(await visit('gold', 'rare one', 'visit', 'event-same')).toBe(202);
  expect(await visit('gold', 'rare one', 'visit', 'event-same')).toBe(202);
  await sell('gold', 'sold');
  await sell('gold', 'sold');
  await sell('gold');
  // Others count where they have no name of their own.
  expect(await funnel(`from=${from}`)).toEqual([
    ['club', 'bayram sale', false, 5, 0, 0, '0.00'],
    ['gold', null, false, 0, 0, 1, '149.90'],
    ['gold', 'bayram sale', false, 6, 1, 0, '0.00'],
    ['gold', 'sold', false, 0, 0, 2, '299.80'],
    ['gold', null, true, 5, 0, 0, '0.00'],
  ]);
  await advance(DAY);
  expect(await funnel(`from=${formatPlatformDay(Date.now())}`)).toEqual([]);
  const headers = {authorization: 'Bearer sandbox-merchant-api-key'};
  expect((await ask('/merchant/v1/funnel?from=2026-01-01&to=2026-02-01', {headers})).status).toBe(422);
});

test('the visits and sales of one campaign are one row, however its name is written', async () => {
  const name = ` yaz   indirimi\u2028 ${'x'.repeat(182)}😀 son`;
  for (let visits = 0; visits < 5; visits += 1) await visit('gold', name);
  // An element cuts the name before it sends it.
  await sell('gold', name.slice(0, 200));
  expect(await funnel(`from=${formatPlatformDay(Date.now())}`)).toEqual([
    ['gold', `yaz indirimi ${'x'.repeat(182)}`, false, 5, 0, 1, '149.90'],
  ]);
});

test('the visits of a bill are not counted, because its name is a secret', async () => {
  expect(await visit(await putOffer('bill', {uses: 'one'}), 'x')).toBe(404);
});

test('a flood of invented names takes one place, and writes as much as a few visits', async () => {
  const object = await contextOf(env).objects.activities('flood');
  await runInDurableObject(object, (instance) => {
    const {storage} = instance as unknown as {storage: ObjectStorage};
    storage.versions.create(VISITS);
    const store = new VisitStore(storage);
    const at = {day: '2026-11-21', offer: 'gold'};
    for (let name = 0; name < MAX_CAMPAIGNS; name += 1)
      for (let visits = 0; visits <= 1; visits += 1) store.count('visit', {...at, campaign: `real ${name}`});
    for (let name = 0; name < 1_000; name += 1) store.count('visit', {...at, campaign: `invented ${name}`});
    const rows = store.list('2026-11-21', '2026-11-21');
    expect(rows).toHaveLength(MAX_CAMPAIGNS + 1);
    expect(rows.filter(({campaign}) => campaign.startsWith('real'))).toHaveLength(MAX_CAMPAIGNS - 1);
    expect(rows.find(({campaign}) => campaign === OTHER_CAMPAIGNS)?.visits).toBe(1_001);
  });
});
