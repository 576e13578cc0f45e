/** What moves money or ends something: sent once, and looked for until it is known. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {EndpointName} from '../../../../worker/contract/merchant/endpoints.ts';
import type {BeginResult} from '../../../../worker/objects/commands/idempotency-ledger.ts';
import {QUOTA_WINDOW_MS} from '../../../../worker/objects/limits/quota-store.ts';
import {advance, DAY, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, renewToken, replaceBindings} from '../../support/durable-objects.ts';
import {callPlatform, control, pay} from '../../support/sandbox.ts';
import {call, expectProblem, newKey, newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const service = 'DEMO';
const IBAN = 'TR330006100519786457841326';
const OTHER_IBAN = 'TR320010009999901234567890';
const contact = {name: 'Deniz Örnek', iban: IBAN};
const text = expect.any(String) as string;

beforeEach(async () => {
  await control('limits', {limits: null});
  await renewToken();
});

const commands = () => contextOf(env).objects.commands(service);
const quota = () => contextOf(env).objects.quota();
const fail = (operation: string, kind = 'empty', more: object = {times: 1}) =>
  control('faults', {operation, kind, ...more});
const heal = () => control('faults', {});
/** What reached the platform. */
const sentTo = async (path: string) => (await platformCalls()).filter((one) => one.path.startsWith(path));

/** An order with money, and a refund of it. */
async function paidOrder(amount = '149.90', more: object = {}) {
  const order = newOrder();
  const {order_code} = await read('createOrderCode', {service, order, amount, ...more});
  await pay({order_code, amount});
  return {service, order, amount, contact};
}

let numbers = 0;
async function subscribed(first = '532') {
  numbers += 1;
  const msisdn = `${first}${String(7_000_000 + numbers)}`;
  const {subscription_id} = await control<{subscription_id: number}>('subscriptions', {msisdn});
  const {last_charge} = await read('getSubscription', {service, id: String(subscription_id)});
  return {msisdn, subscription: String(subscription_id), charge: last_charge?.id ?? ''};
}

const list = async (state?: 'queued' | 'running' | 'unknown' | 'done' | 'failed') =>
  (await read('listCommands', state ? {state} : {})).items;

/** The command's object does what is due. */
async function wake(afterMs: number): Promise<void> {
  await advance(afterMs);
  await runDurableObjectAlarm(commands());
}

interface Case {
  readonly endpoint: EndpointName;
  /** Where it is sent, and where the state is read. */
  readonly path: string;
  readonly reading: string;
  readonly input: object;
  /** What the platform shows once it is done. */
  readonly isDone: () => Promise<boolean>;
}

const CASES: Readonly<Record<string, () => Promise<Case>>> = {
  async createRefund() {
    const input = await paidOrder();
    const isDone = async () => (await read('listRefunds', {order: input.order})).total === 1;
    return {endpoint: 'createRefund', path: '/phs/refund/create', reading: '/refund/getByOrder', input, isDone};
  },
  async refundCharge() {
    const {charge: id} = await subscribed();
    const isDone = async () => (await read('getCharge', {service, id})).state === 'refunded';
    return {
      endpoint: 'refundCharge',
      path: '/micropayment/transaction/refund',
      reading: '/micropayment/transaction/detail',
      input: {service, id},
      isDone,
    };
  },
  async cancelSubscription() {
    const {subscription: id} = await subscribed();
    const isDone = async () => (await read('getSubscription', {service, id})).state === 'cancelled';
    return {
      endpoint: 'cancelSubscription',
      path: '/micropayment/subscription/cancel',
      reading: '/micropayment/subscription/detail',
      input: {service, id},
      isDone,
    };
  },
  async resetTestNumber() {
    const {subscription: id, msisdn} = await subscribed('555');
    const isDone = async () => (await read('getSubscription', {service, id})).state === 'cancelled';
    return {
      endpoint: 'resetTestNumber',
      path: '/micropayment/subscription/cancel',
      reading: '/micropayment/subscriptions/search',
      input: {service, msisdn},
      isDone,
    };
  },
};
const names = Object.keys(CASES);
const made = async (name: string): Promise<Case> => (CASES[name] as () => Promise<Case>)();
const operationOf = (path: string) => path.replace(/^\/phs/, '');

/** The state before can be read, and then nothing more. */
async function breakReading(reading: string, name: string): Promise<void> {
  if (name !== 'resetTestNumber') await fail(reading, 'delay', {delay_ms: 1, times: 1});
  await fail(reading, 'malformed', {});
}

test.for(names)('%s: what was done though its answer was lost is found at once, and told', async (name) => {
  const {endpoint, path, input, isDone} = await made(name);
  await fail(operationOf(path), 'empty', {after: true, times: 1});
  const key = newKey();
  const first = await call(endpoint, input, {key});
  expect(first.status, first.text).toBeLessThan(300);
  expect(await isDone()).toBe(true);
  const again = await call(endpoint, input, {key});
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(await sentTo(path)).toHaveLength(1);
  expect(await list('unknown')).toEqual([]);
});

test.for(names)(
  '%s: what cannot be looked for is listed, and its key tells what became of it when the platform is back',
  async (name) => {
    const {endpoint, path, reading, input, isDone} = await made(name);
    const key = newKey();
    await breakReading(reading, name);
    await fail(operationOf(path), 'empty', {after: true, times: 1});
    const open = await call(endpoint, input, {key});
    const [command] = await list('unknown');
    expectProblem(open, 'outcome_unknown', {command: command?.id ?? ''});
    expect(command).toMatchObject({
      command: endpoint,
      service,
      state: 'unknown',
      code: null,
      settled_at: null,
      sent_at: text,
    });
    expectProblem(await call(endpoint, input, {key}), 'outcome_unknown', {command: command?.id ?? ''});
    await heal();
    await wake(MINUTE);
    expect((await call(endpoint, input, {key})).status).toBeLessThan(300);
    expect(await isDone()).toBe(true);
    expect(await sentTo(path)).toHaveLength(1);
    expect(await list('unknown')).toEqual([]);
  },
);

test.for(names)(
  '%s: what never reached the platform keeps others away for twelve minutes, and is sent again only under another key',
  async (name) => {
    const {endpoint, path, input, isDone} = await made(name);
    const key = newKey();
    await fail(operationOf(path), 'empty', {times: 1});
    const open = await call(endpoint, input, {key});
    const [command] = await list('unknown');
    expectProblem(open, 'outcome_unknown', {command: command?.id ?? ''});
    expect(command).toMatchObject({next_look_at: wireTime(Date.now() + 2 * SECOND)});
    const began = Date.now();
    for (const delayMs of [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 4 * MINUTE, 5 * MINUTE]) {
      expectProblem(await call(endpoint, input), 'command_pending');
      expect(await alarmIn(commands())).toBe(delayMs);
      await wake(delayMs);
    }
    expect(Date.now() - began).toBeLessThan(15 * MINUTE);
    expect(await list('failed')).toMatchObject([
      {id: command?.id, state: 'failed', code: 'not_done', settled_at: wireTime()},
    ]);
    // It may still be on its way: whether it is sent once more is for the merchant to say.
    for (const _again of [1, 2]) expectProblem(await call(endpoint, input, {key}), 'not_done');
    expect(await sentTo(path)).toHaveLength(1);
    expect((await call(endpoint, input)).status).toBeLessThan(300);
    expect(await isDone()).toBe(true);
    expect(await sentTo(path)).toHaveLength(2);
  },
);

test.for(names)('%s: an object that dies while it sends never sends again', async (name) => {
  const {endpoint, path, input, isDone} = await made(name);
  const key = newKey();
  await fail(operationOf(path), 'delay', {delay_ms: 1500, after: true, times: 1});
  const asking = call(endpoint, input, {key});
  await expect.poll(async () => (await sentTo(path)).length).toBe(1);
  await abortAllDurableObjects();
  // The Worker asks again by the id, and hears what became of it.
  const answer = await asking;
  if (answer.status >= 300) expectProblem(answer, 'outcome_unknown', {command: text});
  expect(await isDone()).toBe(true);
  await wake(MINUTE);
  expect((await call(endpoint, input, {key})).status).toBeLessThan(300);
  expect(await sentTo(path)).toHaveLength(1);
});

test('who asks again under a key while it is carried out waits for the same end', async () => {
  const {endpoint, path, input} = await made('createRefund');
  const key = newKey();
  await fail(operationOf(path), 'delay', {delay_ms: 300, times: 1});
  const [first, second] = await Promise.all([call(endpoint, input, {key}), call(endpoint, input, {key})]);
  expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
  expect(await sentTo(path)).toHaveLength(1);
});

test('a key is not given back while another attempt under it may be on its way', async () => {
  const ledger = await contextOf(env).objects.ledger(newKey());
  const begin = async () => (await ledger.begin('a refund', true)) as Extract<BeginResult, {state: 'begun'}>;
  const [late, unsent] = [await begin(), await begin()];
  await ledger.release(unsent.attempt);
  expect(await begin()).toMatchObject({writeId: late.writeId});
  await advance(MINUTE);
  const alone = await begin();
  await ledger.release(alone.attempt);
  expect((await begin()).writeId).not.toBe(late.writeId);
});

test('of two refunds of one order the platform is asked for what it may have, and each is known again', async () => {
  const input = await paidOrder('100.00', {payout: '90.00', sub_merchant_id: 31, fee: '5.00'});
  await fail('/refund/create', 'empty', {after: true, times: 1});
  await fail('/refund/getByOrder', 'delay', {delay_ms: 1, times: 1});
  await fail('/refund/getByOrder', 'malformed', {times: 3});
  const key = newKey();
  expectProblem(await call('createRefund', {...input, amount: '30.00'}, {key}), 'outcome_unknown', {command: text});
  expectProblem(await call('createRefund', {...input, amount: '30.00'}), 'command_pending');
  const other = await read('createRefund', {...input, amount: '20.00'});
  await wake(MINUTE);
  const first = await read('createRefund', {...input, amount: '30.00'}, {key});
  expect(first.id).not.toBe(other.id);
  const {items} = await read('listRefunds', {order: input.order});
  expect(items.map(({id, amount}) => [id, amount]).sort()).toEqual(
    [
      [first.id, '30.00'],
      [other.id, '20.00'],
    ].sort(),
  );
  // The same amount once more is another refund: this one was there before.
  await fail('/refund/create', 'empty', {after: true, times: 1});
  const again = await read('createRefund', {...input, amount: '30.00'});
  expect(again.id).not.toBe(first.id);
  expect((await read('listRefunds', {order: input.order})).total).toBe(3);
});

test('somebody else’s refund of the same order is not taken for ours', async () => {
  const input = await paidOrder('100.00', {payout: '90.00', sub_merchant_id: 31, fee: '5.00'});
  await fail('/refund/create', 'empty', {times: 1});
  const key = newKey();
  expectProblem(await call('createRefund', {...input, amount: '30.00'}, {key}), 'outcome_unknown', {command: text});
  await callPlatform('/refund/create', {
    code: service,
    order: input.order,
    amount: '30.00',
    'contact[name]': 'Başkası',
    'contact[iban]': OTHER_IBAN,
  });
  await callPlatform('/refund/create', {
    code: service,
    order: input.order,
    amount: '10.00',
    'contact[name]': 'Deniz',
    'contact[iban]': IBAN,
  });
  await wake(2 * SECOND);
  expect(await list('unknown')).toHaveLength(1);
  // This one fits, and is as good as ours.
  await callPlatform('/refund/create', {
    code: service,
    order: input.order,
    amount: '30.00',
    'contact[name]': 'Deniz',
    'contact[iban]': 'tr33 0006 1005 1978 6457 8413 26',
  });
  await wake(10 * SECOND);
  expect(await list('done')).toMatchObject([
    {state: 'done', amount: '30.00', refund: (await read('createRefund', {...input, amount: '30.00'}, {key})).id},
  ]);
});

test('what is done already is refused without being sent', async () => {
  const refund = await paidOrder();
  await read('createRefund', refund);
  expectProblem(await call('createRefund', {...refund, amount: '1.00'}), 'already_refunded');
  const {charge, subscription} = await subscribed();
  await read('refundCharge', {service, id: charge});
  expectProblem(await call('refundCharge', {service: 1, id: charge}), 'already_refunded');
  await read('cancelSubscription', {service, id: subscription});
  expectProblem(await call('cancelSubscription', {service, id: subscription}), 'already_cancelled');
  expect(
    [
      await sentTo('/phs/refund/create'),
      await sentTo('/micropayment/transaction/refund'),
      await sentTo('/micropayment/subscription/cancel'),
    ].map(({length}) => length),
  ).toEqual([1, 1, 1]);
});

test('when the state before cannot be read nothing is sent, and the key may be used again', async () => {
  const input = await paidOrder();
  const key = newKey();
  await fail('/refund/getByOrder', 'malformed', {});
  expectProblem(await call('createRefund', input, {key}), 'temporarily_unavailable');
  expect([await sentTo('/phs/refund/create'), await list()]).toEqual([[], []]);
  await heal();
  expect((await call('createRefund', input, {key})).status).toBe(201);
});

test('a completion that nobody can tell about is listed, keeps others away for twelve minutes, and may then be asked for with another key', async () => {
  const input = {service, order: newOrder()};
  await read('createOrderCode', {...input, amount: '1.00'});
  const key = newKey();
  await fail('/transaction/order-complete', 'empty', {after: true, times: 1});
  expectProblem(await call('completeOrder', input, {key}), 'outcome_unknown', {command: text});
  expect(await list('unknown')).toMatchObject([{command: 'completeOrder', order: input.order, next_look_at: null}]);
  expectProblem(await call('completeOrder', input, {key}), 'outcome_unknown', {command: text});
  await advance(12 * MINUTE - SECOND);
  expectProblem(await call('completeOrder', input), 'command_pending');
  expect(await sentTo('/phs/transaction/order-complete')).toHaveLength(1);
  await advance(SECOND);
  expect(await read('completeOrder', input)).toEqual({...input, state: 'completed'});
  // Now both are.
  expect(await list('unknown')).toEqual([]);
  expect(await read('completeOrder', input, {key})).toEqual({...input, state: 'completed'});
  expect(await sentTo('/phs/transaction/order-complete')).toHaveLength(2);
});

test('the merchant hears of a refund, a cancellation and a charge that went back, once each', async () => {
  const refund = await paidOrder();
  const {id} = await read('createRefund', refund);
  const {charge, subscription} = await subscribed();
  await fail('/micropayment/transaction/refund', 'empty', {after: true, times: 1});
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

test('of two refunds of an order that may have one, whatever their amounts, the second waits for the first', async () => {
  const input = await paidOrder();
  const other = {...input, amount: '100.00'};
  await fail('/refund/create', 'empty', {times: 1});
  expectProblem(await call('createRefund', input), 'outcome_unknown', {command: text});
  expectProblem(await call('createRefund', other), 'command_pending');
  expect(await sentTo('/phs/refund/create')).toHaveLength(1);
  await callPlatform('/refund/create', {
    code: service,
    order: input.order,
    amount: input.amount,
    'contact[name]': contact.name,
    'contact[iban]': IBAN,
  });
  await wake(2 * SECOND);
  expectProblem(await call('createRefund', other), 'already_refunded');
});

const outboxEvents = async () =>
  (await read('listEvents', {})).items
    .filter(({type}) => type.startsWith('command.'))
    .map(({type, data}) => ({type, data}));

test('the merchant hears once that nobody knows, and how it ended', async () => {
  const {order} = await paidOrder();
  const key = newKey();
  await fail('/refund/create', 'empty', {times: 1});
  const open = await call('createRefund', {service, order, amount: '149.90', contact}, {key});
  const {command} = open.body as {command: string};
  const about = {
    command,
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
  const unknown = {type: 'command.unknown', data: {...about, state: 'unknown'}};
  for (const delayMs of [2 * SECOND, 10 * SECOND]) {
    await wake(delayMs);
    expect(await outboxEvents()).toEqual([unknown]);
  }
  const {refund_id} = await callPlatform('/refund/create', {
    code: service,
    order,
    amount: '149.90',
    'contact[name]': contact.name,
    'contact[iban]': IBAN,
  });
  await wake(30 * SECOND);
  expect(await outboxEvents()).toEqual([
    unknown,
    {type: 'command.settled', data: {...about, state: 'done', refund_id: String(refund_id)}},
  ]);
});

test('a subscription of the landing interface is cancelled once; whether it was, the next refusal tells', async () => {
  const {subscription} = await subscribed();
  await fail('/landing/cancel-subscription', 'empty', {after: true, times: 1});
  const key = newKey();
  const open = await call('cancelLandingSubscription', {subscription}, {key});
  const {command} = open.body as {command: string};
  expectProblem(open, 'outcome_unknown', {command});
  expectProblem(await call('cancelLandingSubscription', {subscription}, {key}), 'outcome_unknown', {command});
  expect(await list('unknown')).toMatchObject([
    {id: command, command: 'cancelLandingSubscription', service: null, subscription, next_look_at: null},
  ]);
  expectProblem(await call('cancelLandingSubscription', {subscription}), 'command_pending');
  expect(await sentTo('/landing/cancel-subscription')).toHaveLength(1);
  await advance(12 * MINUTE);
  expectProblem(await call('cancelLandingSubscription', {subscription}), 'already_cancelled', {
    platform: {status: '032', message: text},
  });
  expect(await read('cancelLandingSubscription', {subscription}, {key})).toMatchObject({
    id: subscription,
    state: 'cancelled',
  });
  expect([await list('unknown'), (await sentTo('/landing/cancel-subscription')).length]).toEqual([[], 2]);
  await runDurableObjectAlarm(contextOf(env).objects.commands(null));
  const events = (await read('listEvents', {})).items.map(({type, data}) => [type, 'state' in data && data.state]);
  expect(events).toEqual([
    ['command.unknown', 'unknown'],
    ['subscription.cancelled', 'cancelled'],
    ['command.settled', 'done'],
  ]);
});

/** The platform's own limits, and ours of two a day. */
async function twoADay() {
  const bindings = {
    QUOTAS: JSON.stringify({refund_charge: {day: 2, second: null}, get_charge: null, get_subscription: null}),
  };
  await replaceBindings(commands(), bindings);
  await replaceBindings(quota(), bindings);
  return bindings;
}

test('a refund beyond the day’s limit is put in line where that is asked for, and carried out when its turn comes', async () => {
  const targets = [];
  for (let count = 0; count < 4; count += 1) targets.push({service, id: (await subscribed()).charge});
  const [first, second, third, fourth] = targets as [
    (typeof targets)[0] & object,
    (typeof targets)[0] & object,
    (typeof targets)[0] & object,
    (typeof targets)[0] & object,
  ];
  await twoADay();
  await read('refundCharge', first);
  await advance(MINUTE);
  await read('refundCharge', second);
  const refused = await call('refundCharge', third);
  expectProblem(refused, 'quota_exhausted');
  expect(Number(refused.headers.get('retry-after'))).toBe((QUOTA_WINDOW_MS - MINUTE) / 1000);

  const key = newKey();
  const wait = {when_exhausted: 'queue'};
  const expected = [Date.now() + QUOTA_WINDOW_MS - MINUTE, Date.now() + QUOTA_WINDOW_MS].map(wireTime);
  const queued = await call('refundCharge', {...third, ...wait}, {key});
  expect([queued.status, queued.body]).toEqual([
    202,
    {state: 'queued', command: text, place: 1, expected_at: expected[0]},
  ]);
  expect((await call('refundCharge', {...fourth, ...wait})).body).toMatchObject({place: 2, expected_at: expected[1]});
  expectProblem(await call('refundCharge', {...third, ...wait}), 'command_pending');
  expect(await list('queued')).toMatchObject([
    {charge: third.id, place: 1, expected_at: expected[0]},
    {charge: fourth.id, place: 2, expected_at: expected[1]},
  ]);
  expect((await read('showQuotas', {})).quotas.find(({name}) => name === 'refund_charge')).toMatchObject({
    used: 2,
    waiting: 2,
  });

  await abortAllDurableObjects();
  await twoADay();
  expect((await call('refundCharge', {...third, ...wait}, {key})).body).toMatchObject({state: 'queued', place: 1});
  await wake(QUOTA_WINDOW_MS - MINUTE);
  expect(await list('queued')).toMatchObject([{charge: fourth.id, place: 1}]);
  expect((await call('refundCharge', {...third, ...wait}, {key})).body).toMatchObject({
    id: third.id,
    state: 'refunded',
  });
  await wake(MINUTE);
  expect([await list('queued'), (await read('getCharge', fourth)).state]).toEqual([[], 'refunded']);
  expect((await sentTo('/micropayment/transaction/refund')).map(({path}) => path.split('/').at(-1))).toEqual(
    targets.map(({id}) => id),
  );
  const {items} = await read('listEvents', {});
  const toldOf = (type: string) =>
    items.filter((item) => item.type === type).map(({data}) => 'charge_id' in data && data.charge_id);
  expect([toldOf('charge.changed'), toldOf('command.settled')]).toEqual([
    targets.map(({id}) => id),
    [third.id, fourth.id],
  ]);
});

test('one that was given back meanwhile leaves the line without a call', async () => {
  const {charge} = await subscribed();
  await control('limits', {limits: {'transaction/refund': {day: 0, second: null}}});
  await replaceBindings(quota(), {QUOTAS: JSON.stringify({refund_charge: {day: 20, second: null}})});
  await replaceBindings(commands(), {QUOTAS: JSON.stringify({refund_charge: {day: 20, second: null}})});
  // The platform's own refusal puts it in line too.
  expect((await call('refundCharge', {service, id: charge, when_exhausted: 'queue'})).status).toBe(202);
  await control(`charges/${charge}/status`, {status: 6});
  await wake(SECOND);
  expect(await list()).toMatchObject([{state: 'failed', code: 'already_refunded', place: null}]);
  expect((await read('showQuotas', {})).quotas.find(({name}) => name === 'refund_charge')).toMatchObject({waiting: 0});
  expect(await sentTo('/micropayment/transaction/refund')).toHaveLength(1);
});

test('a long list is read page by page, each command once', async () => {
  const all = Array.from({length: 150}, (_, index) => index);
  await runInDurableObject(commands(), (_object, {storage}) => {
    for (const number of all) {
      const query = `INSERT INTO commands (id, name, subject, state, kept, created_at) VALUES (?, 'refundCharge', ?, 'unknown', ?, ?)`;
      storage.sql.exec(
        query,
        `c-${number}`,
        String(number),
        JSON.stringify({service, charge: String(number)}),
        Date.now() + number,
      );
    }
  });
  const first = await read('listCommands', {state: 'unknown'});
  const second = await read('listCommands', {state: 'unknown', cursor: first.next_cursor ?? ''});
  expect([...first.items, ...second.items].map(({charge}) => charge)).toEqual(all.map(String));
  expect([first.items.length, first.total, second.next_cursor]).toEqual([100, 150, null]);
});

test('a settled command is known for a week, longer than any key under which it was asked for once more', async () => {
  await read('createRefund', await paidOrder());
  await wake(6 * DAY);
  expect(await list('done')).toHaveLength(1);
  await wake(DAY);
  expect(await list()).toEqual([]);
});
