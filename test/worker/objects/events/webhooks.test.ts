import {abortAllDurableObjects, evictDurableObject} from 'cloudflare:test';
import {expect, test, vi} from 'vitest';
import {Objects} from '../../../../worker/objects.ts';
import type {Sender} from '../../../../worker/objects/events/sender.ts';
import type {WebhookSettings} from '../../../../worker/objects/events/webhooks.ts';
import {advance, DAY, HOUR, MINUTE} from '../../support/clock.ts';
import {alarmIn, everythingStored, repeatAlarm, replaceBindings} from '../../support/durable-objects.ts';
import {notice, receivedNotices} from '../../support/events.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {
  deliver,
  freshReceiver,
  outboxObject,
  receivedRequests,
  receiverStats,
  receiverUrl,
  setReceiver,
} from '../../support/webhook-receiver.ts';

freshWorker();
freshReceiver();

const append = (...events: ReturnType<typeof notice>[]) => outboxObject().append(events);

/** Creates a webhook for a path of the receiver. For this path, the receiver verifies with the webhook's secret. */
async function createWebhook(path: string, settings: Partial<WebhookSettings> = {}) {
  const created = await outboxObject().createWebhook({
    url: receiverUrl(path),
    types: null,
    services: null,
    enabled: true,
    ...settings,
  });
  const {webhook, secret} = created ?? expect.fail('There are too many webhooks.');
  await setReceiver({path, secret: secret ?? ''});
  return {id: webhook.id, secret: secret ?? ''};
}

async function rotate(id: string, overlapMs: number): Promise<string> {
  const rotated = await outboxObject().rotateSecret(id, overlapMs);
  return (typeof rotated === 'object' && rotated.secret) || expect.fail('There is no new secret.');
}

/** The types of the events that reached a path. */
const typesAt = async (path: string) =>
  (await receivedRequests())
    .filter((request) => request.path === path)
    .map(({body, genuine}) => `${(body as {type: string}).type}${genuine ? '' : ' forged'}`);
const stateOf = async (id: string) => (await outboxObject().listWebhooks()).find((webhook) => webhook.id === id);
const waitingFor = async (webhook: string) =>
  (await outboxObject().listDeliveries(0, {webhook, state: 'waiting', limit: null})).items;

test('every webhook gets the events of its types, signed with its own secret', async () => {
  await createWebhook('/all');
  await createWebhook('/payments', {types: ['payment.received']});
  await createWebhook('/notices', {types: ['payment_notice.created']});
  await deliver();
  await setReceiver({path: '/all'});
  await append(notice('S-1'));
  await deliver();
  expect(await receivedNotices()).toEqual(['S-1 1']);
  // For this path, the receiver now verifies with the secret of another webhook.
  expect((await typesAt('/all')).at(-1)).toBe('payment_notice.created forged');
  expect(await typesAt('/payments')).toEqual(['webhook.changed', 'webhook.changed']);
  expect(await typesAt('/notices')).toEqual(['webhook.changed', 'payment_notice.created']);
});

test('each change of a webhook is an event for the other webhooks; a deleted webhook gets no more events', async () => {
  const {id} = await createWebhook('/a', {types: ['payment.received']});
  await outboxObject().updateWebhook(id, {types: null});
  await outboxObject().rotateSecret(id, 0);
  await outboxObject().updateWebhook(id, {enabled: false});
  await outboxObject().deleteWebhook(id);
  const {items} = await outboxObject().read(0);
  const host = new URL(receiverUrl('/')).host;
  const data = {webhook_id: id, host, enabled: true, types: null, services: null};
  expect(items.map((item) => item.data)).toEqual([
    {...data, change: 'created', types: ['payment.received']},
    {...data, change: 'changed'},
    {...data, change: 'secret_rotated'},
    {...data, change: 'changed', enabled: false},
    {...data, change: 'deleted', enabled: false},
  ]);
  await deliver();
  const configured = (await receivedRequests()).filter(({path}) => path === undefined);
  expect(configured.map(({body}) => body)).toEqual(items);
  expect(configured.every(({genuine}) => genuine)).toBe(true);
  expect(await typesAt('/a')).toEqual([]);
});

test('a webhook that never answers delays no other webhook', async () => {
  await createWebhook('/dead');
  await setReceiver({path: '/dead', silent: true});
  await append(...Array.from({length: 100}, (_, index) => notice(`S-${index}`)));
  const delivering = deliver();
  await expect.poll(async () => (await receivedNotices()).length).toBe(100);
  await expect.poll(async () => (await receivedNotices('/dead')).length).toBeGreaterThan(0);
  expect(await receivedNotices('/dead')).not.toContainEqual(expect.not.stringContaining('refused'));
  await append(notice('S-later'));
  await expect.poll(async () => (await receivedNotices()).at(-1)).toBe('S-later 1');
  await setReceiver({path: '/dead'});
  await delivering;
});

test('if a webhook refuses an event, only this webhook gets it again, and its deliveries say what failed', async () => {
  const {id} = await createWebhook('/down');
  await deliver();
  await setReceiver({path: '/down', refused: 1, status: 500});
  await append(notice('S-1'), notice('S-1', 2));
  await deliver();
  expect(await receivedNotices()).toEqual(['S-1 1', 'S-1 2']);
  expect(await receivedNotices('/down')).toEqual(['S-1 1 refused']);
  const nextIn = (await alarmIn(outboxObject())) ?? 0;
  expect(await waitingFor(id)).toMatchObject([
    {attempts: 1, tried_at: Date.now(), last_status: 500, last_fault: null, due_at: Date.now() + nextIn},
    {attempts: 0, tried_at: null, last_status: null, last_fault: null, due_at: null},
  ]);
  expect(await waitingFor('wh_configured')).toEqual([]);
  expect(await stateOf(id)).toMatchObject({last_failure_at: Date.now(), last_status: 500, failures: 1, waiting: 2});
  const {items} = await outboxObject().read(1);
  expect(logLines('event_refused')).toEqual([
    {
      level: 'warn',
      event: 'event_refused',
      alarm_id: expect.any(String) as string,
      event_id: items[0]?.id,
      type: 'payment_notice.created',
      webhook: id,
      attempt: 1,
      status: 500,
    },
  ]);
  await setReceiver({path: '/down'});
  await advance(nextIn);
  await deliver();
  expect(await receivedNotices('/down')).toEqual(['S-1 1 refused', 'S-1 1', 'S-1 2']);
  expect(await stateOf(id)).toMatchObject({last_success_at: Date.now(), failures: 0, waiting: 0});
});

test('a delivery to a receiver that cannot be reached fails with the fault “connection”', async () => {
  const {id} = await createWebhook('/gone', {url: 'http://127.0.0.1:1/'});
  await deliver();
  expect(await stateOf(id)).toMatchObject({last_status: null, last_fault: 'connection', failures: 1, waiting: 1});
  expect(logLines('event_refused')).toMatchObject([{webhook: id, attempt: 1, fault: 'connection'}]);
});

test('after a crash in the middle of deliveries, a webhook gets every event, in sequence per order', async () => {
  await createWebhook('/b');
  await deliver();
  await setReceiver({path: '/b', silent: true});
  await append(notice('S-1'), notice('S-2'));
  void deliver().catch(() => {});
  await expect.poll(async () => (await receivedNotices('/b')).length).toBe(2);
  await append(notice('S-1', 2));
  await abortAllDurableObjects();
  await setReceiver({path: '/b'});
  // If the outbox has noticed that a sender ended, the outbox waits before it sends again.
  await advance(MINUTE);
  await repeatAlarm(outboxObject());
  expect((await receivedNotices('/b')).filter((text) => text.startsWith('S-1')).slice(1)).toEqual(['S-1 1', 'S-1 2']);
  expect(await receivedNotices('/b')).toContain('S-2 1');
});

test('if a sender ends while it sends, the event is sent again', async () => {
  await setReceiver({silent: true});
  await append(notice('S-1'));
  const broken = {send: () => Promise.reject(new Error('The object was reset.'))};
  const sender = vi.spyOn(Objects.prototype, 'sender').mockReturnValue(broken as unknown as DurableObjectStub<Sender>);
  await deliver();
  sender.mockRestore();
  expect(await stateOf('wh_configured')).toMatchObject({last_fault: 'interrupted', waiting: 1});
  await setReceiver({});
  await evictDurableObject(outboxObject());
  await advance((await alarmIn(outboxObject())) ?? 0);
  await deliver();
  expect(await receivedNotices()).toEqual(['S-1 1']);
});

test('switching a webhook off ends its deliveries; if it is on, an event can be sent again to it alone', async () => {
  const {id, secret} = await createWebhook('/a');
  await deliver();
  await setReceiver({path: '/a', refused: 1});
  await append(notice('S-1'));
  await deliver();
  await outboxObject().updateWebhook(id, {enabled: false});
  expect(await waitingFor(id)).toEqual([]);
  await append(notice('S-2'));
  await setReceiver({path: '/a', secret});
  await advance(HOUR);
  await deliver();
  expect(await receivedNotices('/a')).toEqual(['S-1 1 refused']);
  const event = (await outboxObject().read(0)).items.find(({type}) => type === 'payment_notice.created');
  expect(await outboxObject().resend(event?.id ?? '', id, null)).toBe('not_configured');
  await outboxObject().updateWebhook(id, {enabled: true});
  expect(await outboxObject().resend(event?.id ?? '', id, null)).toBe('waiting');
  await deliver();
  expect(await receivedNotices('/a')).toEqual(['S-1 1 refused', 'S-1 1']);
  expect(await receivedNotices()).toEqual(['S-1 1', 'S-2 1']);
});

test('after a rotation, both secrets sign until the overlap ends, and from then on only the new secret', async () => {
  const {id, secret: old} = await createWebhook('/a');
  const rotated = await rotate(id, HOUR);
  await deliver();
  expect((await receivedRequests()).filter(({path}) => path === '/a')).toMatchObject([
    {genuine: true, signatures: 2},
    {genuine: true, signatures: 2},
  ]);
  await advance(HOUR);
  await append(notice('S-1'));
  await deliver();
  await setReceiver({path: '/a', secret: rotated});
  await append(notice('S-2'));
  await deliver();
  expect((await receivedRequests()).filter(({path}) => path === '/a').slice(2)).toMatchObject([
    {genuine: false, signatures: 1},
    {genuine: true, signatures: 1},
  ]);
  expect(old).not.toBe(rotated);
});

test('a receiver that missed rotations goes on verifying: each secret signs until its own time, five at once', async () => {
  const {id, secret: first} = await createWebhook('/a');
  const until = [24, 2, 4, 3].map((hours) => Date.now() + hours * HOUR);
  const secrets = [first];
  for (const hours of [24, 2, 4, 3]) secrets.push(await rotate(id, hours * HOUR));
  expect(await outboxObject().rotateSecret(id, HOUR)).toBe('refused');
  // A secret that ends at once is never one too many.
  secrets[4] = await rotate(id, 0);
  expect(await stateOf(id)).toMatchObject({previousUntil: until[3]});

  await setReceiver({path: '/a', secrets});
  /** The secrets that verify the next event, by number. */
  const verifying = async () => {
    await append(notice(crypto.randomUUID()));
    await deliver();
    const last = (await receivedRequests()).findLast(({path}) => path === '/a');
    return last?.verifying?.map((secret) => secrets.indexOf(secret));
  };
  expect(await verifying()).toEqual([0, 1, 2, 3, 4]);
  await advance(2 * HOUR);
  expect(await verifying()).toEqual([0, 2, 3, 4]);
  await advance(2 * HOUR);
  expect(await verifying()).toEqual([0, 4]);
  expect(await stateOf(id)).toMatchObject({previousUntil: until[0]});
  await advance(20 * HOUR);
  expect(await verifying()).toEqual([4]);
  expect(await stateOf(id)).toMatchObject({previousUntil: null});
});

test('a secret is stored sealed, and survives a rotation of SESSION_SECRET if the webhooks are listed during it', async () => {
  const [old, next] = ['an old session secret, long enough to be one', 'a new session secret, long enough to be one'];
  await replaceBindings(outboxObject(), {SESSION_SECRET: old});
  const {id, secret} = await createWebhook('/a');
  const bytes = atob(secret.slice('whsec_'.length));
  const stored = await everythingStored();
  for (const shown of [secret, secret.slice('whsec_'.length), bytes]) expect(stored).not.toContain(shown);
  const rotated = await rotate(id, DAY);
  await setReceiver({path: '/a', secrets: [rotated, secret]});

  await evictDurableObject(outboxObject());
  await replaceBindings(outboxObject(), {SESSION_SECRET: next, SESSION_SECRET_PREVIOUS: old});
  await outboxObject().listWebhooks();
  await evictDurableObject(outboxObject());
  await replaceBindings(outboxObject(), {SESSION_SECRET: next});
  await deliver();
  const created = (await receivedRequests()).find(({path}) => path === '/a');
  expect(created?.verifying).toEqual([rotated, secret]);

  await evictDurableObject(outboxObject());
  await replaceBindings(outboxObject(), {SESSION_SECRET: 'a secret that never sealed anything here'});
  await append(notice('S-1'));
  await deliver();
  expect(await stateOf(id)).toMatchObject({last_fault: 'secret_unreadable', waiting: 1});
  expect(await receivedNotices()).toEqual(['S-1 1']);
});

test('a test event is sent once and immediately, even to a webhook that is off, and is not listed', async () => {
  const {id} = await createWebhook('/a', {enabled: false});
  expect(await outboxObject().testWebhook(id)).toMatchObject({accepted: true, status: 204, fault: null});
  expect(await typesAt('/a')).toEqual(['webhook.test']);
  await setReceiver({path: '/a', refused: 1, status: 404});
  expect(await outboxObject().testWebhook(id)).toMatchObject({accepted: false, status: 404, fault: null});
  expect((await outboxObject().read(0)).items.map(({type}) => type)).toEqual(['webhook.changed']);
  expect(await outboxObject().testWebhook('wh_000000000000000000000000')).toBeNull();
});

test('an alarm sends 900 events at most, and the next alarm sends the rest', async () => {
  await append(...Array.from({length: 950}, (_, index) => notice(`S-${index}`)));
  await deliver();
  await expect.poll(async () => (await receiverStats()).received).toBe(900);
  await deliver();
  expect((await receiverStats()).received).toBe(950);
  expect(await alarmIn(outboxObject())).toBeGreaterThan(DAY);
});

test('a webhook that is limited to services gets their events and no others, and changes of webhooks with the same limit', async () => {
  const demo = await createWebhook('/demo', {services: ['DEMO']});
  await createWebhook('/other', {services: ['OTHER']});
  const {id} = await createWebhook('/all');
  const quota = {quota: 'refund_charge', per_day: 100, used: 90, left: 10, waiting: 0, resets_at: null} as const;
  await append(notice('S-1'));
  await outboxObject().append([{type: 'quota.low', key: 'q', at: Date.now(), data: quota}]);
  await deliver();
  expect((await typesAt('/demo')).toSorted()).toEqual(['payment_notice.created', 'webhook.changed']);
  expect(await typesAt('/other')).toEqual(['webhook.changed']);
  expect((await typesAt('/all')).toSorted()).toEqual(['payment_notice.created', 'quota.low', 'webhook.changed']);
  const {items} = await outboxObject().read(0);
  const event = items.find(({type}) => type === 'quota.low')?.id ?? '';
  expect(await outboxObject().resend(event, demo.id, null)).toBe('not_configured');
  expect(await outboxObject().resend(event, id, null)).toBe('waiting');
});
