/** What a page says of an order, and what the page does once the money has arrived. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {NewPaymentSession, PlacedOrder} from '../../../../worker/contract/browser/answers.ts';
import {Offers} from '../../../../worker/objects/offers.ts';
import {advance, SECOND} from '../../support/clock.ts';
import {orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {
  ask,
  askAsPage,
  askMerchant,
  openMerchantSession,
  ORIGIN,
  putOffer,
  read,
  showPayment,
} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {pay} from '../../support/sandbox.ts';

freshWorker();

const PAGE = {
  reference: 'lamp-red',
  metadata: {size: 'L'},
  utm: {source: 'news', campaign: 'bayram', medium: ''},
  click_ids: {gclid: 'abc'},
  client_reference_id: 'c-1',
};
const KEPT = {
  reference: 'lamp-red',
  metadata: {size: 'L'},
  campaign: {source: 'news', campaign: 'bayram'},
  click_ids: {gclid: 'abc'},
  client_reference_id: 'c-1',
};

let attempts = 0;

const order = (offer: string, page?: unknown) =>
  askAsPage('POST', '/v1/order-code', {
    body: {offer, attempt: `attempt-of-a-page-facts-${++attempts}`, shown_amount: '149.90', page},
  });

async function merchantGets(path: string): Promise<unknown> {
  const {status, text, body} = await ask(`/merchant/v1/${path}`, {
    headers: {authorization: 'Bearer sandbox-merchant-api-key'},
  });
  expect(status, text).toBe(200);
  return body;
}

const orderOf = (reference: string) => merchantGets(`orders?service=DEMO&order=${reference}`);

/** As no page views the order, its alarm tells the sweep the code. */
async function receive({order: reference, order_code}: {order: string; order_code: string}): Promise<void> {
  await runDurableObjectAlarm(orderObject(reference));
  await pay({order_code, amount: '149.90'});
  await runSweep();
}

test('what a page says comes back with the order and its events, apart from the merchant’s words', async () => {
  const placed = read(await order('gold', PAGE), PlacedOrder);
  expect(await orderOf(placed.order)).toMatchObject({metadata: {}, page: KEPT});
  // The first page counts.
  await askAsPage('POST', '/v1/order-code', {token: placed.token, body: {page: {reference: 'other'}}});
  await receive(placed);
  const {items} = (await merchantGets(`events?service=DEMO&order=${placed.order}`)) as {
    items: {type: string; data: object}[];
  };
  expect(items.map(({type, data}) => [type, (data as {page?: object}).page])).toEqual([['payment.received', KEPT]]);
  // The campaign is for the page that counts the purchase; ids of the visit do not leave the order.
  expect((await showPayment(placed.token)).purchase).toEqual({campaign: KEPT.campaign});
  // An erasure leaves the campaign, which names nobody.
  expect((await askMerchant('erasures', {service: 'DEMO', order: placed.order})).status).toBe(200);
  expect(await orderOf(placed.order)).toMatchObject({page: {campaign: KEPT.campaign}});
  expect(JSON.stringify(await merchantGets(`events?service=DEMO&order=${placed.order}`))).not.toContain('gclid');
});

test('a page with a session says it with the request for the code', async () => {
  const {token, order: reference} = read(
    await askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}}),
    NewPaymentSession,
    201,
  );
  await askAsPage('POST', '/v1/order-code', {token, body: {page: PAGE}});
  expect(await orderOf(reference)).toMatchObject({page: KEPT});
});

test('a stranger’s link cannot stop a sale with a long or senseless campaign', async () => {
  const utm = {campaign: `\u202eb\u0000ay\ud800${'x'.repeat(3000)}`, source: '\u0007'};
  const placed = read(await order('gold', {utm}), PlacedOrder);
  const {page} = (await orderOf(placed.order)) as {page: {campaign: object}};
  expect(page).toEqual({campaign: {campaign: `bay${'x'.repeat(194)}`}});
});

test('no text of a page stops its sale: it is cut, and what shows nothing is dropped', async () => {
  const page = {
    reference: ` shelf\u2028 3\u0000 ${'x'.repeat(190)}😀`,
    metadata: {size: 'L\ud83d\u202e', note: 'two\n  lines', none: '\u0007'},
  };
  const placed = read(await order('gold', page), PlacedOrder);
  expect(await orderOf(placed.order)).toMatchObject({
    page: {reference: `shelf 3 ${'x'.repeat(189)}`, metadata: {size: 'L', note: 'two lines'}},
  });
  const silent = read(await order('gold', {reference: ' ', metadata: {size: ''}}), PlacedOrder);
  expect(await orderOf(silent.order)).not.toHaveProperty('page');
});

test('a page that says something wrong is told which field is wrong', async () => {
  for (const [page, path] of [
    [{reference: 3}, 'page.reference'],
    [{metadata: {'a b': 'x'}}, 'page.metadata.a b'],
    [{metadata: Object.fromEntries(Array.from({length: 11}, (_, at) => [`n${at}`, '1']))}, 'page.metadata'],
    [{client_reference_id: 'a b'}, 'page.client_reference_id'],
    [{utm: {id: 'x'}}, 'page.utm.id'],
  ] as const) {
    const {status, body} = await order('gold', page);
    expect([status, (body as {fields?: {path: string}[]}).fields?.[0]?.path]).toEqual([422, path]);
  }
});

test('thanks and the next address are for a page whose money has arrived, as they were when it ordered', async () => {
  const thanks = {tr: 'Teşekkürler!', en: 'Thank you!'};
  await putOffer('thankful', {thanks, after_payment: `${ORIGIN}/thanks`});
  const placed = read(await order('thankful'), PlacedOrder);
  expect(await showPayment(placed.token)).not.toHaveProperty('purchase');
  await putOffer('thankful', {thanks: {tr: 'Sağ olun', en: 'Cheers'}});
  await receive(placed);
  expect((await showPayment(placed.token)).purchase).toEqual({thanks, after_payment: `${ORIGIN}/thanks`});
  const session = await openMerchantSession({
    kind: 'payment',
    service: 'DEMO',
    order: 'S-thanks',
    amount: '149.90',
    thanks,
  });
  const {body} = await askAsPage('POST', '/v1/order-code', session);
  await receive(body as {order: string; order_code: string});
  expect((await showPayment(session.token)).purchase).toEqual({thanks});
});

test('an order that is made while offers cannot be read is made later, with its thanks', async () => {
  const thanks = {tr: 'Teşekkürler!', en: 'Thank you!'};
  await putOffer('thankful', {thanks});
  const session = read(await askAsPage('POST', '/v1/sessions', {body: {offer: 'thankful'}}), NewPaymentSession, 201);
  await advance(6 * SECOND);
  const broken = vi.spyOn(Offers.prototype, 'find').mockImplementation(() => {
    throw new Error('The object cannot be reached.');
  });
  expectProblem(await askAsPage('POST', '/v1/order-code', {token: session.token}), PROBLEMS.temporarily_unavailable);
  broken.mockRestore();
  await receive((await askAsPage('POST', '/v1/order-code', {token: session.token})).body as PlacedOrder);
  expect((await showPayment(session.token)).purchase).toEqual({thanks});
});

test('a page with a bill’s link does not get the campaign of who ordered', async () => {
  const name = await putOffer('bill', {uses: 'one', thanks: {tr: 'Teşekkürler!', en: 'Thank you!'}});
  const placed = read(await order(name, PAGE), PlacedOrder);
  await receive(placed);
  expect((await showPayment(placed.token)).purchase).toEqual({thanks: {tr: 'Teşekkürler!', en: 'Thank you!'}});
});

test('a shopper who has paid is led only to the merchant’s own pages', async () => {
  const elsewhere = 'https://elsewhere.example/thanks';
  for (const [path, method, body] of [
    ['offers/away', 'PUT', {kind: 'payment', service: 'DEMO', amount: '1', title: {tr: 'a', en: 'a'}}],
    ['sessions', 'POST', {kind: 'payment', origin: ORIGIN, service: 'DEMO', order: 'S-away', amount: '1'}],
  ] as const)
    expect((await askMerchant(path, {...body, after_payment: elsewhere}, undefined, method)).body).toMatchObject({
      code: 'return_url_not_allowed',
      fields: [{path: 'after_payment'}],
    });
  const {config} = contextOf({
    ...env,
    OFFERS: {
      away: {kind: 'payment', service: 'DEMO', amount: '1', title: {tr: 'a', en: 'a'}, after_payment: elsewhere},
    },
  } as unknown as Env);
  expect(config.unusableOffers.reasons).toContain(
    'OFFERS.away: ALLOWED_ORIGINS does not include the origin of `after_payment`.',
  );
});
