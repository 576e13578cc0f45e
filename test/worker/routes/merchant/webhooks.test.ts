/** Tests the endpoints of webhooks and deliveries. The receiver cannot be reached, so no delivery succeeds. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {MAX_WEBHOOKS} from '../../../../worker/objects/events/webhooks.ts';
import {HOUR, wireTime} from '../../support/clock.ts';
import {everythingStored, runSweep} from '../../support/durable-objects.ts';
import {call, expectProblem, fieldsOf, newKey, read} from './support/merchant-server.ts';
import {paidOrder} from './support/refundable-orders.ts';

/** No server listens on this port. */
const url = 'http://127.0.0.1:1/vezne';
const outbox = () => contextOf(env).objects.outbox();
const check = async () => (await read('examine', {})).checks.find(({name}) => name === 'webhooks');
const failDeliveries = async () => void (await runDurableObjectAlarm(outbox()));

test('a webhook is created with a secret, and is read and listed without the secret', async () => {
  const {secret, ...webhook} = await read('createWebhook', {url, types: ['payment.received']});
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toEqual({
    id: expect.stringMatching(/^wh_[0-9a-f]{24}$/) as string,
    url,
    types: ['payment.received'],
    services: null,
    enabled: true,
    configured: false,
    created_at: wireTime(),
    changed_at: wireTime(),
    previous_secret_until: null,
    last_success_at: null,
    last_failure_at: null,
    last_status: null,
    last_fault: null,
    waiting: 1,
  });
  expect(await read('getWebhook', {id: webhook.id})).toEqual({...webhook, waiting: 1});
  expect(await read('listWebhooks', {})).toEqual({items: [{...webhook, waiting: 1}]});
});

test.for([
  ['createWebhook', {url}],
  ['rotateWebhookSecret', {overlap_hours: 1}],
] as const)('%s shows the secret only once, and the secret is stored nowhere in plain text', async ([name, input]) => {
  const {id} = await read('createWebhook', {url});
  const key = newKey();
  const body = {...(name === 'rotateWebhookSecret' && {id}), ...input};
  const first = await call(name, body, {key});
  const {secret} = first.body as {secret: string};
  const again = await call(name, body, {key});
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body).toEqual({...(first.body as object), secret: null});
  expect(await everythingStored()).not.toContain(secret.slice('whsec_'.length));
});

test('a webhook can be changed, switched off and deleted, and is not found after that', async () => {
  const {id} = await read('createWebhook', {url});
  expect(await read('updateWebhook', {id, types: ['refund.failed']})).toMatchObject({url, types: ['refund.failed']});
  expect(await read('updateWebhook', {id, enabled: false})).toMatchObject({enabled: false, types: ['refund.failed']});
  expect(await read('updateWebhook', {id, url: `${url}/2`, types: null})).toMatchObject({url: `${url}/2`, types: null});
  const rotated = await read('rotateWebhookSecret', {id, overlap_hours: 2});
  expect(rotated.previous_secret_until).toBe(wireTime(Date.now() + 2 * HOUR));
  expect(await read('deleteWebhook', {id})).toEqual({id, state: 'deleted'});
  expect(await read('listWebhooks', {})).toEqual({items: []});
  for (const name of ['getWebhook', 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook'] as const)
    expectProblem(await call(name, {id}), 'not_found');
  expect((await read('listEvents', {})).items.map(({type}) => type)).toEqual(Array(6).fill('webhook.changed'));
});

test('the webhook of `WEBHOOK_URL` cannot be changed or deleted through the API', async () => {
  const id = 'wh_configured';
  for (const name of ['updateWebhook', 'deleteWebhook', 'rotateWebhookSecret'] as const)
    expectProblem(await call(name, {id}), 'webhook_configured');
});

test('a rotation that would make six secrets sign is refused, unless the present secret ends at once', async () => {
  const {id} = await read('createWebhook', {url});
  for (let count = 0; count < 4; count += 1) await read('rotateWebhookSecret', {id});
  expectProblem(await call('rotateWebhookSecret', {id}), 'rotation_limit');
  expect(await read('rotateWebhookSecret', {id, overlap_hours: 0})).toMatchObject({
    previous_secret_until: wireTime(Date.now() + 24 * HOUR),
  });
});

test('there may be ten webhooks, and a further webhook is refused', async () => {
  for (let count = 0; count < MAX_WEBHOOKS; count += 1) await read('createWebhook', {url});
  expectProblem(await call('createWebhook', {url}), 'webhook_limit');
});

const WRONG = [
  {url: 'http://shop.example/vezne'},
  {url: 'https://user:password@shop.example/'},
  {url: 'https://shop.example/#secret'},
  {url: 'not a URL'},
  {types: []},
  {types: ['payment.unheard-of']},
  {enabled: 'yes'},
  {secret: 'whsec_dmV6bmUgd2ViaG9vayB0ZXN0IHNlY3JldCAwMDAx'},
];

test('a webhook with a wrong URL, type, switch or secret is refused', async () => {
  for (const input of WRONG) {
    const answer = await call('createWebhook', {url, ...input});
    expectProblem(answer, 'invalid_request', {fields: expect.any(Array) as []});
    expect(fieldsOf(answer)[0]).toContain(Object.keys(input)[0]);
  }
});

test('the answer to a test of a webhook says that the receiver cannot be reached', async () => {
  const {id} = await read('createWebhook', {url});
  expect(await read('testWebhook', {id})).toEqual({
    event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
    accepted: false,
    status: null,
    fault: 'connection',
  });
});

test('waiting deliveries are listed with attempts, the last fault and the next try, page by page', async () => {
  const {id} = await read('createWebhook', {url});
  const other = await read('createWebhook', {url});
  await failDeliveries();
  const first = await read('listDeliveries', {});
  expect(first.items[0]).toEqual({
    event_id: expect.stringMatching(/^evt_/) as string,
    type: 'webhook.changed',
    created_at: wireTime(),
    service: null,
    order: null,
    webhook: id,
    state: 'waiting',
    attempts: 1,
    last_attempt_at: wireTime(),
    last_status: null,
    last_fault: 'connection',
    next_attempt_at: expect.stringMatching(/^2/) as string,
  });
  expect(first.items).toHaveLength(3);
  expect((await read('listDeliveries', {webhook: other.id})).items.map(({webhook}) => webhook)).toEqual([other.id]);
  expect(await read('listDeliveries', {state: 'dead'})).toEqual({items: [], next_cursor: null});

  await outbox().append(
    Array.from({length: 80}, (_, index) => ({
      type: 'vendor.registered' as const,
      key: `V-${index}`,
      at: Date.now(),
      data: {service: 'DEMO', vendor_code: `V-${index}`},
    })),
  );
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const {items, next_cursor} = await read('listDeliveries', cursor === undefined ? {} : {cursor});
    seen.push(...items.map(({event_id, webhook}) => `${event_id} ${webhook}`));
    cursor = next_cursor as string | null;
  }
  expect([seen.length, new Set(seen).size]).toEqual([163, 163]);
});

test('the doctor names the host of a webhook that fails, and what failed', async () => {
  expect(await check()).toMatchObject({
    state: 'ok',
    message: 'There is no webhook. Your servers can read events only with `GET /merchant/v1/events`.',
  });
  const {id} = await read('createWebhook', {url});
  expect(await check()).toMatchObject({
    state: 'ok',
    message: `${id} (127.0.0.1:1): no event was accepted yet; 1 event waits.`,
  });
  await failDeliveries();
  expect(await check()).toMatchObject({
    state: 'warning',
    message:
      `${id} (127.0.0.1:1): no event was accepted yet; 1 attempt failed, at ${wireTime()} ` +
      'with fault connection; 1 event waits.',
  });
  for (let change = 0; change < 3; change += 1) await read('createWebhook', {url});
  await failDeliveries();
  expect(await check()).toMatchObject({state: 'failed'});
});

/** The order of each delivery, and whether it is due now. */
const deliveriesDue = async () =>
  (await read('listDeliveries', {})).items.map((item) => [item.order, item.next_attempt_at === wireTime()]);

test('what waits for a later attempt is delivered at once when the merchant asks for it, and the doctor says so', async () => {
  const {id} = await read('createWebhook', {url, types: ['payment.received']});
  const {order} = await paidOrder();
  await runSweep();
  await failDeliveries();
  expect(await check()).toMatchObject({
    state: 'failed',
    action: expect.stringContaining('POST /merchant/v1/deliveries/resend delivers now what waits.') as string,
  });
  expect(await deliveriesDue()).toEqual([
    [null, false],
    [order, false],
  ]);
  expectProblem(await call('resendDeliveries', {webhook: 'wh_configured'}), 'not_found');
  expect(await read('resendDeliveries', {webhook: id})).toEqual({resumed: 2});
  expect(await deliveriesDue()).toEqual([
    [null, true],
    [order, true],
  ]);
  expect(await read('resendDeliveries', {})).toEqual({resumed: 0});
});
