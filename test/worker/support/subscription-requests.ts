/** What the tests of subscription requests share. */

import {runInDurableObject} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {expect} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import {listAddressed} from './durable-objects.ts';
import {type Answer, openSubscription} from './page.ts';
import {PROBLEMS} from './problems.ts';
import {landingCalls} from './sandbox.ts';
import {newNumber, receivePin} from './subscriber.ts';

export const SECRET = (env as unknown as Record<string, string>)['SESSION_SECRET'] ?? '';
export const NEXT_SECRET = 'sandbox-next-session-secret-that-is-long-enough';
export const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/;
export const SUBSCRIBED = [201, {state: 'subscribed'}];
export const statusAndBody = ({status, body}: Answer) => [status, body];
export const countRequests = async (): Promise<number> => (await landingCalls('subscription-request')).length;
/** Answers that are delayed come at once. */
export const FAST = {LIMITS: {pin_answer_ms: 1}};
export const wrongPin = (pin: string): string => String((Number(pin) + 1) % 10_000).padStart(4, '0');

export const pinWrong = (attempts_left: number) => ({...PROBLEMS.pin_wrong, attempts_left});

const isAnyPending = (id: DurableObjectId): Promise<unknown> =>
  runInDurableObject(
    exports.Subscriber.get(id),
    (_object, {storage}) => [...storage.kv.list({prefix: 'event '})].length > 0,
  );

/**
 * The events of the outbox, after every `Subscriber` object has handed its events to the outbox. Before an object does
 * so, it looks up the id of the subscription.
 */
export async function events(): Promise<unknown[]> {
  for (const id of listAddressed(exports.Subscriber)) await expect.poll(() => isAnyPending(id)).toBe(false);
  return (await contextOf(env).objects.outbox().read(0)).items.map(({id: _id, ...event}) => event);
}

/** Sends a PIN to a new shopper. */
export async function openWithPin(msisdn = newNumber()) {
  const {token} = await openSubscription();
  const pin = await receivePin({token, msisdn});
  // Waits until the object has recorded the PIN as sent, which is after the SMS arrives. The Worker reports refusals
  // of a number only after this record.
  const subscriber = await contextOf(env).objects.subscriber(msisdn);
  await expect
    .poll(() =>
      runInDurableObject(subscriber, (_object, {storage}) => storage.kv.get<{sent: readonly object[]}>('pins')?.sent),
    )
    .toContainEqual(expect.objectContaining({sent: true}));
  return {token, msisdn, pin};
}
