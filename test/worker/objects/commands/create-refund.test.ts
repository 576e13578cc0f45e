/** Tests how the Worker recognizes the result of a refund command in the order's list of refunds after a lost answer. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {CommandOutcome} from '../../../../worker/objects/commands/command-runner.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {renewToken, replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {refundsObject} from '../../support/notifications.ts';
import {openOrder} from '../../support/page.ts';
import {callPlatform, control, countCalls, pay, setFault} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();
beforeEach(renewToken);

const CREATE = '/refund/create';
const LIST = '/refund/getByOrder';
const contact = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
const services = {SERVICES: {DEMO: {micropaymentId: 1}, OTHER: {}}};

/** The object with the commands of this service. The merchant has two services. */
async function commandsOf(service: string) {
  const commands = contextOf(env).objects.commands(service);
  await replaceBindings(commands, services);
  return commands;
}

/** Opens an order of 149.90 and pays it. The Worker has not found the money yet. */
async function paidOrder(): Promise<string> {
  const {order, code} = await openOrder();
  await pay({order_code: code});
  return order;
}

async function refund(order: string, {id = 'first', service = 'DEMO', amount = '50.00'} = {}): Promise<CommandOutcome> {
  const input = {service, order, amount, contact};
  return (await commandsOf(service)).run(id, {name: 'createRefund', input, mayQueue: false, askedBy: null});
}

/** Makes a refund at the platform, without the Worker. */
async function refundElsewhere(order: string, amount: string): Promise<string> {
  const fields = {code: 'DEMO', order, amount, 'contact[name]': contact.name, 'contact[iban]': contact.iban};
  return String((await callPlatform('/refund/create', fields))['refund_id']);
}

/** Runs the alarm of the service's commands after each of these delays. */
async function runAlarms(delays: readonly number[], service = 'DEMO'): Promise<void> {
  for (const delay of delays) {
    await advance(delay);
    await runDurableObjectAlarm(await commandsOf(service));
  }
}

/** After these delays, a command that left no trace at the platform counts as failed. */
const ABSENCE_DELAYS = [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 4 * MINUTE, 5 * MINUTE];

async function listed(state: 'unknown' | 'done' | 'failed', service = 'DEMO') {
  const {items} = await (await commandsOf(service)).list([state], 0, 10);
  return items.map(({id, result, dueAt}) => ({id, result, isRead: dueAt !== null}));
}

const eventsOf = async (order: string): Promise<string[]> =>
  (await outboxObject().read(0)).items.flatMap(({type, data}) =>
    'order' in data && data.order === order && /^(command|refund)\./.test(type) ? [type] : [],
  );

describe('if the platform refused to list the refunds before the command', () => {
  test.for([
    ['ERR_006', 'utc'],
    ['ERR_014', 'utc'],
    ['ERR_008', 'absent'],
  ] as const)(
    'a command stays unknown, and an equal refund waits, if a listed refund’s time proves nothing: %s, times %s',
    async ([no_refunds, refund_times]) => {
      await control('readings', {no_refunds, refund_times});
      const order = await paidOrder();
      await setFault({operation: CREATE, kind: 'empty', after: true, times: 1});
      expect(await refund(order)).toEqual({state: 'unknown'});
      await runAlarms([...ABSENCE_DELAYS, HOUR]);
      expect(await listed('failed')).toEqual([]);
      expect(await listed('unknown')).toMatchObject([{id: 'first', isRead: true}]);
      expect(await refund(order, {id: 'second'})).toEqual({state: 'pending'});
      expect(await countCalls(CREATE)).toBe(1);
    },
  );

  test('an earlier command’s refund is not the result of a new command, whatever the refund’s time is', async () => {
    const order = await paidOrder();
    const made = await refund(order);
    expect(made).toMatchObject({state: 'done'});
    await advance(8 * DAY);
    await runDurableObjectAlarm(await commandsOf('DEMO'));
    expect(await listed('done')).toEqual([]);
    await control('readings', {refund_times: 'utc'});
    await setFault({operation: LIST, kind: 'status', status: 'ERR_014', times: 1});
    await setFault({operation: CREATE, kind: 'empty', times: 1});
    await renewToken();
    expect(await refund(order, {id: 'second'})).toEqual({state: 'unknown'});
    await runAlarms(ABSENCE_DELAYS);
    expect(await listed('failed')).toMatchObject([{id: 'second'}]);
  });
});

test.for(['ERR_020', 'ERR_039'])(
  'if the platform refuses the list of refunds with %s before and after a command, the command does not fail',
  async (status) => {
    const order = await paidOrder();
    await setFault({operation: LIST, kind: 'status', status});
    await setFault({operation: CREATE, kind: 'empty', after: true, times: 1});
    expect(await refund(order)).toEqual({state: 'unknown'});
    await runAlarms([...ABSENCE_DELAYS, HOUR]);
    expect(await listed('failed')).toEqual([]);
  },
);

describe('if two services have an order with the same reference', () => {
  test.for(['both', 'example', 'table'])(
    'the refund that one service made is not the result of the other service’s lost request: field names as in %s',
    async (refund_names) => {
      await control('readings', {refund_names});
      const order = await paidOrder();
      await setFault({operation: CREATE, kind: 'empty', times: 1});
      expect(await refund(order, {service: 'OTHER'})).toEqual({state: 'unknown'});
      expect(await refund(order)).toMatchObject({state: 'done'});
      await runAlarms(ABSENCE_DELAYS, 'OTHER');
      expect(await listed('done', 'OTHER')).toEqual([]);
      expect(await listed('failed', 'OTHER')).toHaveLength(1);
      expect(await refundsObject().ofOrder('DEMO', order)).toHaveLength(1);
    },
  );

  test.for(['both', 'example', 'table'])(
    'a refund that the Worker does not know belongs to the service of its transaction: field names as in %s',
    async (refund_names) => {
      await control('readings', {refund_names});
      const order = await paidOrder();
      for (const service of ['OTHER', 'DEMO']) {
        await setFault({operation: CREATE, kind: 'empty', times: 1});
        expect(await refund(order, {service})).toEqual({state: 'unknown'});
      }
      const id = await refundElsewhere(order, '50.00');
      await runAlarms([2 * SECOND], 'OTHER');
      await runAlarms([2 * SECOND]);
      expect(await listed('unknown', 'OTHER')).toHaveLength(1);
      expect(await listed('done')).toMatchObject([{result: {id}}]);
    },
  );
});

describe('if the platform refuses to list the refunds after the command', () => {
  test('three days later the merchant gets a second command.unknown and may request an equal refund', async () => {
    const order = await paidOrder();
    await setFault({operation: CREATE, kind: 'empty', after: true, times: 1});
    await setFault({operation: LIST, kind: 'delay', delay_ms: 1, times: 1});
    await setFault({operation: LIST, kind: 'status', status: 'ERR_014'});
    expect(await refund(order)).toEqual({state: 'unknown'});
    await runAlarms(Array.from({length: 70}, () => HOUR));
    expect(await eventsOf(order)).toEqual(['command.unknown']);
    expect(await refund(order, {id: 'second'})).toEqual({state: 'pending'});
    await runAlarms(Array.from({length: 12}, () => HOUR));
    expect(await listed('unknown')).toMatchObject([{id: 'first', isRead: false}]);
    expect(await eventsOf(order)).toEqual(['command.unknown', 'command.unknown']);
    const reads = await countCalls(LIST);
    await runAlarms([DAY]);
    expect(await countCalls(LIST)).toBe(reads);
    await renewToken();
    expect(await refund(order, {id: 'other', amount: '20.00'})).toMatchObject({state: 'done'});
    // The other refund does not show whether the first refund was made.
    expect(await listed('unknown')).toMatchObject([{id: 'first', result: null}]);
    expect(await refund(order, {id: 'second'})).toMatchObject({state: 'done'});
  });
});
