/** Tests refunds of charges that the platform does not finish at once. */

import {expect, test} from 'vitest';
import {DAY} from '../../../support/clock.ts';
import {alarmIn} from '../../../support/durable-objects.ts';
import {control} from '../../../support/sandbox.ts';
import {call, expectProblem, newKey, read} from '../support/merchant-server.ts';
import {platformCalls} from '../support/platform-calls.ts';
import {commands, liftPlatformLimits, runAlarmAfter, service} from '../support/refundable-orders.ts';

liftPlatformLimits();

const listCommands = async () => (await read('listCommands', {})).items;
const commandEvents = async () =>
  (await read('listEvents', {})).items
    .filter(({type}) => type.startsWith('command.'))
    .map(({type, data}) => ({type, data}));

/** Creates a subscription. @returns its first charge. */
async function newCharge(): Promise<string> {
  const {subscription_id} = await control<{subscription_id: number}>('subscriptions', {msisdn: '5327000001'});
  return (await read('getSubscription', {service, id: String(subscription_id)})).last_charge?.id ?? '';
}

test.for<[status: number, outcome: object, changes: string[]]>([
  [6, {state: 'done', code: null}, ['refund_in_progress', 'refunded']],
  [3, {state: 'failed', code: 'not_done'}, ['refund_in_progress', 'successful']],
])(
  'a refund of a charge in progress is read again until it ends with status %i, and events report how',
  async ([status, outcome, changes]) => {
    await control('readings', {charge_refund: 'in_progress'});
    const id = await newCharge();
    const key = newKey();
    const answer = await read('refundCharge', {service, id}, {key});
    expect(answer).toMatchObject({id, status: 7, state: 'refund_in_progress'});
    expect(await read('refundCharge', {service, id}, {key})).toEqual(answer);
    expectProblem(await call('refundCharge', {service, id}), 'command_pending');
    for (let count = 0; count < 20; count += 1) await runAlarmAfter((await alarmIn(commands())) ?? 0);
    expect(await listCommands()).toMatchObject([{state: 'unknown', charge_id: id, code: null, settled_at: null}]);
    expect(await commandEvents()).toEqual([]);
    await control(`charges/${id}/status`, {status});
    while ((await listCommands())[0]?.state === 'unknown') await runAlarmAfter((await alarmIn(commands())) ?? 0);
    expect(await listCommands()).toMatchObject([outcome]);
    expect(await commandEvents()).toMatchObject([{type: 'command.settled', data: {charge_id: id, ...outcome}}]);
    const {items} = await read('listEvents', {type: 'charge.changed'});
    expect(items.map(({data}) => 'state' in data && data.state)).toEqual(changes);
    expect(
      (await platformCalls()).filter(({path}) => path.startsWith('/micropayment/transaction/refund')),
    ).toHaveLength(1);
  },
);

test('if a refund of a charge is in progress for 90 days, the Worker reports that it stops reading', async () => {
  await control('readings', {charge_refund: 'in_progress'});
  const id = await newCharge();
  await read('refundCharge', {service, id});
  for (let day = 0; day < 91; day += 1) await runAlarmAfter(DAY);
  expect(await commandEvents()).toMatchObject([{type: 'command.unknown', data: {charge_id: id, state: 'unknown'}}]);
});
