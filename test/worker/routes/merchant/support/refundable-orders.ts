/** Helpers for tests of refunds and commands: paid orders, faults of the platform, and the alarm of commands. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach} from 'vitest';
import {contextOf} from '../../../../../worker/context.ts';
import {advance} from '../../../support/clock.ts';
import {renewToken} from '../../../support/durable-objects.ts';
import {control, pay} from '../../../support/sandbox.ts';
import {newOrder, read} from './merchant-server.ts';

export const service = 'DEMO';
export const IBAN = 'TR330006100519786457841326';
export const contact = {name: 'Deniz Örnek', iban: IBAN};

/** Before every test of the file: lifts the sandbox's limits and renews the token. */
export function liftPlatformLimits(): void {
  beforeEach(async () => {
    await control('limits', {limits: null});
    await renewToken();
  });
}

export const commands = () => contextOf(env).objects.commands(service);

/** Lets an operation of the sandbox fail when it is called. */
export const injectFault = (operation: string, kind = 'empty', options: object = {times: 1}) =>
  control('faults', {operation, kind, ...options});

/** Creates and pays an order; returns the input of its refund. */
export async function paidOrder(amount = '149.90', split: object = {}) {
  const order = newOrder();
  const {order_code} = await read('createOrderCode', {service, order, amount, ...split});
  await pay({order_code, amount});
  return {service, order, amount, contact};
}

/** Advances the clock and runs the alarm of the commands' object. */
export async function runAlarmAfter(delayMs: number): Promise<void> {
  await advance(delayMs);
  await runDurableObjectAlarm(commands());
}
