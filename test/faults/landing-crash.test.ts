/** A Worker that is killed when the platform has done what it was asked for and nobody has been told. */

import {setTimeout as wait} from 'node:timers/promises';
import {afterAll, beforeAll, expect, inject, test} from 'vitest';
import {LandingStack} from './support/landing-stack.ts';

const PATIENCE = {timeout: 60_000};
const ADDRESS = '198.51.100.7';

let stack: LandingStack;
beforeAll(async () => {
  // Longer than it takes to kill it.
  stack = await LandingStack.open(inject('bundles'), {pin_answer_ms: 10_000});
});
afterAll(() => stack.close());

/** Has a call carried out, and the Worker killed before it hears of it. */
async function killDuring(path: string, ask: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<void> {
  await stack.line.set('silent-after', {match: path, times: 1});
  const answer = ask().then(
    () => 'answered',
    () => 'cut off',
  );
  while (!(await isDone())) await wait(20);
  await stack.worker.kill();
  expect(await answer).toBe('cut off');
  await stack.worker.startAgain();
}

test('whoever asks again for a PIN is sent no second one, and the first one counts', PATIENCE, async () => {
  const token = await stack.openSession('club');
  const msisdn = '5321234567';
  const askPin = () => stack.askPin(token, msisdn, ADDRESS);
  await killDuring('/landing/generate-pin', askPin, async () => (await stack.messagesTo(msisdn)).length > 0);
  const {status, headers} = await askPin();
  expect([status, Number(headers['retry-after']) <= 60, (await stack.messagesTo(msisdn)).length]).toEqual([
    429,
    true,
    1,
  ]);
  const {text} = await stack.ask('/v1/subscriptions', {
    token,
    address: ADDRESS,
    body: {operator: 1, msisdn, pin: await stack.pinOf(msisdn), tracking_id: 't-1'},
  });
  expect(JSON.parse(text)).toEqual({state: 'subscribed'});
});

test('whoever asks again to be subscribed is told that they are, and is subscribed once', PATIENCE, async () => {
  const token = await stack.openSession('club');
  const msisdn = '5337654321';
  stack.askPin(token, msisdn, ADDRESS).catch(() => {});
  const pin = await stack.pinOf(msisdn);
  const subscribe = () =>
    stack.ask('/v1/subscriptions', {token, address: ADDRESS, body: {operator: 1, msisdn, pin, tracking_id: 't-1'}});
  const begun = async () => (await stack.messagesTo(msisdn)).filter((message) => message.includes('başladı')).length;
  await killDuring('/landing/subscription-request', subscribe, async () => (await begun()) > 0);
  for (const answer of [await subscribe(), await subscribe()])
    expect([answer.status, JSON.parse(answer.text)]).toEqual([201, {state: 'subscribed'}]);
  expect(await begun()).toBe(1);
});
