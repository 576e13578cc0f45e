/** Tests that the Worker sends each command once, and checks the platform until the command's outcome is known. */

import {abortAllDurableObjects, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {EndpointName} from '../../../../worker/contract/merchant/endpoints.ts';
import {QUOTA_WINDOW_MS} from '../../../../worker/objects/platform/quota-store.ts';
import type {BeginResult} from '../../../../worker/objects/record/ledger.ts';
import {advance, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, replaceBindings} from '../../support/durable-objects.ts';
import {callPlatform, control, hold, release, untilHeld} from '../../support/sandbox.ts';
import {call, expectProblem, newKey, newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';
import {
  commands,
  contact,
  IBAN,
  injectFault,
  liftPlatformLimits,
  paidOrder,
  runAlarmAfter,
  service,
} from './support/refundable-orders.ts';

const text = expect.any(String) as string;

liftPlatformLimits();

const quota = () => contextOf(env).objects.platform();
const clearFaults = () => control('faults', {});
/** The calls that reached the platform, for paths that begin with `path`. */
const callsTo = async (path: string) => (await platformCalls()).filter((one) => one.path.startsWith(path));

let numberCount = 0;
/** Creates a subscription for a number that no test has used before. */
async function newSubscription(prefix = '532') {
  numberCount += 1;
  const msisdn = `${prefix}${String(7_000_000 + numberCount)}`;
  const {subscription_id} = await control<{subscription_id: number}>('subscriptions', {msisdn});
  const {last_charge} = await read('getSubscription', {service, id: String(subscription_id)});
  return {msisdn, subscription: String(subscription_id), charge: last_charge?.id ?? ''};
}

const listCommands = async (state?: 'queued' | 'running' | 'unknown' | 'done' | 'failed') =>
  (await read('listCommands', state ? {state} : {})).items;

interface Case {
  readonly endpoint: EndpointName;
  /** Path of the call that the command sends. */
  readonly path: string;
  /** Path of the call with which the Worker reads whether the command was done. */
  readonly readPath: string;
  readonly input: object;
  /** Asks the platform whether the command was done. */
  readonly isDone: () => Promise<boolean>;
}

const CASES: Readonly<Record<string, () => Promise<Case>>> = {
  async createRefund() {
    const input = await paidOrder();
    const isDone = async () => (await read('listRefunds', {order: input.order})).total === 1;
    return {endpoint: 'createRefund', path: '/phs/refund/create', readPath: '/refund/getByOrder', input, isDone};
  },
  async refundCharge() {
    const {charge: id} = await newSubscription();
    const isDone = async () => (await read('getCharge', {service, id})).state === 'refunded';
    return {
      endpoint: 'refundCharge',
      path: '/micropayment/transaction/refund',
      readPath: '/micropayment/transaction/detail',
      input: {service, id},
      isDone,
    };
  },
  async cancelSubscription() {
    const {subscription: id} = await newSubscription();
    const isDone = async () => (await read('getSubscription', {service, id})).state === 'cancelled';
    return {
      endpoint: 'cancelSubscription',
      path: '/micropayment/subscription/cancel',
      readPath: '/micropayment/subscription/detail',
      input: {service, id},
      isDone,
    };
  },
  async resetTestNumber() {
    const {subscription: id, msisdn} = await newSubscription('555');
    const isDone = async () => (await read('getSubscription', {service, id})).state === 'cancelled';
    return {
      endpoint: 'resetTestNumber',
      path: '/micropayment/subscription/cancel',
      readPath: '/micropayment/subscriptions/search',
      input: {service, msisdn},
      isDone,
    };
  },
};
const names = Object.keys(CASES);
const prepare = async (name: string): Promise<Case> => (CASES[name] as () => Promise<Case>)();
const operationOf = (path: string) => path.replace(/^\/phs/, '');

/** Lets the Worker read the state once, before it sends the command, and makes all later reads fail. */
async function breakLaterReads(readPath: string, name: string): Promise<void> {
  if (name !== 'resetTestNumber') await injectFault(readPath, 'delay', {delay_ms: 1, times: 1});
  await injectFault(readPath, 'malformed', {});
}

test.for(names)('if the reply to %s is lost, the Worker immediately finds the outcome and returns it', async (name) => {
  const {endpoint, path, input, isDone} = await prepare(name);
  await injectFault(operationOf(path), 'empty', {after: true, times: 1});
  const key = newKey();
  const first = await call(endpoint, input, {key});
  expect(first.status, first.text).toBeLessThan(300);
  expect(await isDone()).toBe(true);
  const again = await call(endpoint, input, {key});
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(await callsTo(path)).toHaveLength(1);
  expect(await listCommands('unknown')).toEqual([]);
});

test.for(['createRefund', 'resetTestNumber'])(
  'if the outcome of %s cannot be read, the command is listed as unknown until the outcome is read',
  async (name) => {
    const {endpoint, path, readPath, input, isDone} = await prepare(name);
    const key = newKey();
    await breakLaterReads(readPath, name);
    await injectFault(operationOf(path), 'empty', {after: true, times: 1});
    const open = await call(endpoint, input, {key});
    const [command] = await listCommands('unknown');
    expectProblem(open, 'outcome_unknown', {command_id: command?.id ?? ''});
    expect(command).toMatchObject({
      operation: endpoint,
      service,
      state: 'unknown',
      code: null,
      settled_at: null,
      sent_at: text,
    });
    expectProblem(await call(endpoint, input, {key}), 'outcome_unknown', {command_id: command?.id ?? ''});
    await clearFaults();
    await runAlarmAfter(MINUTE);
    expect((await call(endpoint, input, {key})).status).toBeLessThan(300);
    expect(await isDone()).toBe(true);
    expect(await callsTo(path)).toHaveLength(1);
    expect(await listCommands('unknown')).toEqual([]);
  },
);

test.for(names)(
  'if %s never reached the platform, a request with a new key is refused for twelve minutes, and sent after that',
  async (name) => {
    const {endpoint, path, input, isDone} = await prepare(name);
    const key = newKey();
    await injectFault(operationOf(path), 'empty', {times: 1});
    const open = await call(endpoint, input, {key});
    const [command] = await listCommands('unknown');
    expectProblem(open, 'outcome_unknown', {command_id: command?.id ?? ''});
    expect(command).toMatchObject({next_check_at: wireTime(Date.now() + 2 * SECOND)});
    const startedAt = Date.now();
    for (const delayMs of [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 4 * MINUTE, 5 * MINUTE]) {
      expectProblem(await call(endpoint, input), 'command_pending');
      expect(await alarmIn(commands())).toBe(delayMs);
      await runAlarmAfter(delayMs);
    }
    expect(Date.now() - startedAt).toBeLessThan(15 * MINUTE);
    expect(await listCommands('failed')).toMatchObject([
      {id: command?.id, state: 'failed', code: 'not_done', settled_at: wireTime()},
    ]);
    // The call may still arrive, so the Worker does not send it again by itself. The merchant decides.
    for (const _again of [1, 2]) expectProblem(await call(endpoint, input, {key}), 'not_done');
    expect(await callsTo(path)).toHaveLength(1);
    expect((await call(endpoint, input)).status).toBeLessThan(300);
    expect(await isDone()).toBe(true);
    expect(await callsTo(path)).toHaveLength(2);
  },
);

test('a command is not sent again when the object that sends it restarts', async () => {
  const {endpoint, path, input, isDone} = await prepare('refundCharge');
  const key = newKey();
  await hold(operationOf(path), {after: true});
  const pendingAnswer = call(endpoint, input, {key});
  await untilHeld();
  await abortAllDurableObjects();
  // With the command's id, the Worker asks the restarted object for the outcome.
  const answer = await pendingAnswer;
  if (answer.status >= 300) expectProblem(answer, 'outcome_unknown', {command_id: text});
  expect(await isDone()).toBe(true);
  await runAlarmAfter(MINUTE);
  expect((await call(endpoint, input, {key})).status).toBeLessThan(300);
  expect(await callsTo(path)).toHaveLength(1);
});

test.for([10 * SECOND, MINUTE])('a command that takes %i ms does not keep other commands waiting', async (ageMs) => {
  const [slow, other] = [await prepare('createRefund'), await prepare('cancelSubscription')];
  await injectFault(operationOf(other.path), 'empty', {after: true, times: 1});
  await breakLaterReads(other.readPath, 'cancelSubscription');
  expectProblem(await call(other.endpoint, other.input), 'outcome_unknown', {command_id: text});
  await clearFaults();
  await hold(operationOf(slow.path));
  const answer = call(slow.endpoint, slow.input);
  await untilHeld();
  await runAlarmAfter(ageMs);
  expect(await listCommands('unknown')).toEqual([]);
  expect(await alarmIn(commands())).toBeGreaterThan(0);
  await release(operationOf(slow.path));
  expect((await answer).status).toBe(201);
});

test('if a request is repeated with the same key while its command runs, both get the same answer', async () => {
  const {endpoint, path, input} = await prepare('createRefund');
  const key = newKey();
  await hold(operationOf(path));
  const requests = [call(endpoint, input, {key}), call(endpoint, input, {key})] as const;
  await untilHeld();
  await release(operationOf(path));
  const [first, second] = await Promise.all(requests);
  expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
  expect(await callsTo(path)).toHaveLength(1);
});

test('a key is not released while a different attempt with the same key may still be running', async () => {
  const ledger = await contextOf(env).objects.ledger('money', newKey());
  const begin = async () =>
    (await ledger.beginWrite({fingerprint: 'a refund', resumable: true, askedBy: 'root'})) as Extract<
      BeginResult,
      {state: 'begun'}
    >;
  const [running, unsent] = [await begin(), await begin()];
  await ledger.releaseWrite(unsent.attempt);
  expect(await begin()).toMatchObject({writeId: running.writeId});
  await advance(MINUTE);
  const onlyAttempt = await begin();
  await ledger.releaseWrite(onlyAttempt.attempt);
  expect((await begin()).writeId).not.toBe(running.writeId);
});

test('a command is refused and not sent if the platform shows that it is already done', async () => {
  const {charge, subscription} = await newSubscription();
  await read('refundCharge', {service, id: charge});
  expectProblem(await call('refundCharge', {service: 1, id: charge}), 'already_refunded');
  await read('cancelSubscription', {service, id: subscription});
  expectProblem(await call('cancelSubscription', {service, id: subscription}), 'already_cancelled');
  expect(
    [await callsTo('/micropayment/transaction/refund'), await callsTo('/micropayment/subscription/cancel')].map(
      ({length}) => length,
    ),
  ).toEqual([1, 1]);
});

test('if the state cannot be read before a command, nothing is sent, and the key may be used again', async () => {
  const input = await paidOrder();
  const key = newKey();
  await injectFault('/refund/getByOrder', 'malformed', {});
  expectProblem(await call('createRefund', input, {key}), 'temporarily_unavailable');
  expect([await callsTo('/phs/refund/create'), await listCommands()]).toEqual([[], []]);
  await clearFaults();
  expect((await call('createRefund', input, {key})).status).toBe(201);
});

test('a completion with an unknown outcome is listed, and may be repeated after twelve minutes', async () => {
  const input = {service, order: newOrder()};
  await read('createOrderCode', {...input, amount: '1.00'});
  const key = newKey();
  await injectFault('/transaction/order-complete', 'empty', {after: true, times: 1});
  expectProblem(await call('completeOrder', input, {key}), 'outcome_unknown', {command_id: text});
  expect(await listCommands('unknown')).toMatchObject([
    {operation: 'completeOrder', order: input.order, next_check_at: null},
  ]);
  expectProblem(await call('completeOrder', input, {key}), 'outcome_unknown', {command_id: text});
  await advance(12 * MINUTE - SECOND);
  expectProblem(await call('completeOrder', input), 'command_pending');
  expect(await callsTo('/phs/transaction/order-complete')).toHaveLength(1);
  await advance(SECOND);
  expect(await read('completeOrder', input)).toEqual({...input, state: 'completed', pending_refunds: []});
  // The outcome of the second completion also settles the first completion.
  expect(await listCommands('unknown')).toEqual([]);
  expect(await read('completeOrder', input, {key})).toEqual({...input, state: 'completed', pending_refunds: []});
  expect(await callsTo('/phs/transaction/order-complete')).toHaveLength(2);
});

test('a refund, a cancellation and a refunded charge create one event each', async () => {
  const refund = await paidOrder();
  const {id} = await read('createRefund', refund);
  const {charge, subscription} = await newSubscription();
  await injectFault('/micropayment/transaction/refund', 'empty', {after: true, times: 1});
  await read('refundCharge', {service, id: charge});
  await read('cancelSubscription', {service, id: subscription});
  const {items} = await read('listEvents', {});
  expect(
    items.map(({type, data}) => [
      type,
      'refund_id' in data
        ? data.refund_id
        : 'charge_id' in data
          ? data.charge_id
          : 'subscription_id' in data
            ? data.subscription_id
            : '',
    ]),
  ).toEqual([
    ['refund.requested', id],
    ['charge.changed', charge],
    ['subscription.cancelled', subscription],
  ]);
  expect(items.map(({data}) => data)).toMatchObject([
    {state: 'waiting', amount: '149.90'},
    {state: 'refunded', status: 6},
    {state: 'cancelled', service, product: null},
  ]);
  expect(JSON.stringify(items)).not.toMatch(/\d{10,}(?!\d)5?$|TR\d{24}|Deniz/);
});

const commandEvents = async () =>
  (await read('listEvents', {})).items
    .filter(({type}) => type.startsWith('command.'))
    .map(({type, data}) => ({type, data}));

test('a command creates an event when its outcome is unknown, and another when the outcome is known', async () => {
  const {order} = await paidOrder();
  const key = newKey();
  await injectFault('/refund/create', 'empty', {times: 1});
  const open = await call('createRefund', {service, order, amount: '149.90', contact}, {key});
  const {command_id} = open.body as {command_id: string};
  const commonData = {
    command_id,
    operation: 'createRefund',
    service,
    order,
    amount: '149.90',
    charge_id: null,
    subscription_id: null,
    code: null,
    refund_id: null,
    sent_at: wireTime(),
  };
  const unknown = {type: 'command.unknown', data: {...commonData, state: 'unknown'}};
  for (const delayMs of [2 * SECOND, 10 * SECOND]) {
    await runAlarmAfter(delayMs);
    expect(await commandEvents()).toEqual([unknown]);
  }
  const {refund_id} = await callPlatform('/refund/create', {
    code: service,
    order,
    amount: '149.90',
    'contact[name]': contact.name,
    'contact[iban]': IBAN,
  });
  await runAlarmAfter(30 * SECOND);
  expect(await commandEvents()).toEqual([
    unknown,
    {type: 'command.settled', data: {...commonData, state: 'done', refund_id: String(refund_id)}},
  ]);
});

test('for a landing subscription, the refusal of a second cancellation shows the outcome of the first', async () => {
  const {subscription} = await newSubscription();
  await injectFault('/landing/cancel-subscription', 'empty', {after: true, times: 1});
  const key = newKey();
  const open = await call('cancelLandingSubscription', {subscription}, {key});
  const {command_id} = open.body as {command_id: string};
  expectProblem(open, 'outcome_unknown', {command_id});
  expectProblem(await call('cancelLandingSubscription', {subscription}, {key}), 'outcome_unknown', {command_id});
  expect(await listCommands('unknown')).toMatchObject([
    {
      id: command_id,
      operation: 'cancelLandingSubscription',
      service: null,
      subscription_id: subscription,
      next_check_at: null,
    },
  ]);
  expectProblem(await call('cancelLandingSubscription', {subscription}), 'command_pending');
  expect(await callsTo('/landing/cancel-subscription')).toHaveLength(1);
  await advance(12 * MINUTE);
  expectProblem(await call('cancelLandingSubscription', {subscription}), 'already_cancelled', {
    platform: {status: '032', message: text},
  });
  expect(await read('cancelLandingSubscription', {subscription}, {key})).toMatchObject({
    id: subscription,
    state: 'cancelled',
  });
  expect([await listCommands('unknown'), (await callsTo('/landing/cancel-subscription')).length]).toEqual([[], 2]);
  await runDurableObjectAlarm(contextOf(env).objects.commands(null));
  const events = (await read('listEvents', {})).items.map(({type, data}) => [type, 'state' in data && data.state]);
  expect(events).toEqual([
    ['command.unknown', 'unknown'],
    ['subscription.cancelled', 'cancelled'],
    ['command.settled', 'done'],
  ]);
});

/** Limits the Worker, but not the platform, to two refunds a day. */
async function limitToTwoRefunds() {
  const bindings = {
    QUOTAS: JSON.stringify({refund_charge: {day: 2, second: null}, get_charge: null, get_subscription: null}),
  };
  await replaceBindings(commands(), bindings);
  await replaceBindings(quota(), bindings);
  return bindings;
}

test('on request, a refund that exceeds the daily limit is queued, and sent when the limit allows it', async () => {
  const targets = [];
  for (let count = 0; count < 4; count += 1) targets.push({service, id: (await newSubscription()).charge});
  const [first, second, third, fourth] = targets as [
    (typeof targets)[0] & object,
    (typeof targets)[0] & object,
    (typeof targets)[0] & object,
    (typeof targets)[0] & object,
  ];
  await limitToTwoRefunds();
  await read('refundCharge', first);
  await advance(MINUTE);
  await read('refundCharge', second);
  const refused = await call('refundCharge', third);
  expectProblem(refused, 'quota_exhausted');
  expect(Number(refused.headers.get('retry-after'))).toBe((QUOTA_WINDOW_MS - MINUTE) / 1000);

  const key = newKey();
  const queueing = {when_exhausted: 'queue'};
  const expected = [Date.now() + QUOTA_WINDOW_MS - MINUTE, Date.now() + QUOTA_WINDOW_MS].map(wireTime);
  const queued = await call('refundCharge', {...third, ...queueing}, {key});
  expect([queued.status, queued.body]).toEqual([
    202,
    {state: 'queued', command_id: text, queue_position: 1, expected_at: expected[0]},
  ]);
  expect((await call('refundCharge', {...fourth, ...queueing})).body).toMatchObject({
    queue_position: 2,
    expected_at: expected[1],
  });
  expectProblem(await call('refundCharge', {...third, ...queueing}), 'command_pending');
  expect(await listCommands('queued')).toMatchObject([
    {charge_id: third.id, queue_position: 1, expected_at: expected[0]},
    {charge_id: fourth.id, queue_position: 2, expected_at: expected[1]},
  ]);
  expect((await read('showQuotas', {})).items.find(({name}) => name === 'refund_charge')).toMatchObject({
    used: 2,
    waiting: 2,
  });

  await abortAllDurableObjects();
  await limitToTwoRefunds();
  expect((await call('refundCharge', {...third, ...queueing}, {key})).body).toMatchObject({
    state: 'queued',
    queue_position: 1,
  });
  await runAlarmAfter(QUOTA_WINDOW_MS - MINUTE);
  expect(await listCommands('queued')).toMatchObject([{charge_id: fourth.id, queue_position: 1}]);
  expect((await call('refundCharge', {...third, ...queueing}, {key})).body).toMatchObject({
    id: third.id,
    state: 'refunded',
  });
  await runAlarmAfter(MINUTE);
  expect([await listCommands('queued'), (await read('getCharge', fourth)).state]).toEqual([[], 'refunded']);
  expect((await callsTo('/micropayment/transaction/refund')).map(({path}) => path.split('/').at(-1))).toEqual(
    targets.map(({id}) => id),
  );
  const {items} = await read('listEvents', {});
  const chargesIn = (type: string) =>
    items.filter((item) => item.type === type).map(({data}) => 'charge_id' in data && data.charge_id);
  expect([chargesIn('charge.changed'), chargesIn('command.settled')]).toEqual([
    targets.map(({id}) => id),
    [third.id, fourth.id],
  ]);
});

test('a queued refund fails, and is not sent again, if its charge was refunded in the meantime', async () => {
  const {charge} = await newSubscription();
  await control('limits', {limits: {'transaction/refund': {day: 0, second: null}}});
  await replaceBindings(quota(), {QUOTAS: JSON.stringify({refund_charge: {day: 20, second: null}})});
  await replaceBindings(commands(), {QUOTAS: JSON.stringify({refund_charge: {day: 20, second: null}})});
  // The refund is also queued when the platform, and not the Worker, refuses it because of a limit.
  expect((await call('refundCharge', {service, id: charge, when_exhausted: 'queue'})).status).toBe(202);
  await control(`charges/${charge}/status`, {status: 6});
  await runAlarmAfter(SECOND);
  expect(await listCommands()).toMatchObject([{state: 'failed', code: 'already_refunded', queue_position: null}]);
  expect((await read('showQuotas', {})).items.find(({name}) => name === 'refund_charge')).toMatchObject({waiting: 0});
  expect(await callsTo('/micropayment/transaction/refund')).toHaveLength(1);
});
