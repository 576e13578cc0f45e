/** Kills a Worker after the platform has executed a call and before the Worker has read the answer. */

import {setTimeout as wait} from 'node:timers/promises';
import {afterAll, beforeAll, expect, inject, test} from 'vitest';
import {sendRequest} from './support/http-request.ts';
import {LandingStack} from './support/landing-stack.ts';

const ADDRESS = '198.51.100.7';
const API_KEY = 'sandbox-merchant-api-key';

let stack: LandingStack;
beforeAll(async () => {
  // The Worker answers a PIN request after this time, so that the first test can kill the Worker before the answer.
  stack = await LandingStack.open(inject('bundles'), {pin_answer_ms: 10_000}, {vars: {MERCHANT_API_KEY: API_KEY}});
});
afterAll(() => stack.close());

/** Lets the platform execute a call, and kills the Worker before it receives the answer. */
async function killDuring(path: string, send: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<void> {
  await stack.line.set('silent-after', {match: path, times: 1});
  const answer = send().then(
    () => 'answered',
    () => 'cut off',
  );
  while (!(await isDone())) await wait(20);
  await stack.worker.kill();
  expect(await answer).toBe('cut off');
  await stack.worker.restart();
}

test('after a crash, a repeated PIN request gets 429 and sends no second SMS, and the first PIN is valid', async () => {
  const token = await stack.openSession('club');
  const msisdn = '5321234567';
  const requestPin = () => stack.requestPin(token, msisdn, ADDRESS);
  await killDuring('/landing/generate-pin', requestPin, async () => (await stack.messagesTo(msisdn)).length > 0);
  const {status, headers} = await requestPin();
  expect([status, Number(headers['retry-after']) <= 60, (await stack.messagesTo(msisdn)).length]).toEqual([
    429,
    true,
    1,
  ]);
  const {text} = await stack.request('/v1/subscriptions', {
    token,
    address: ADDRESS,
    body: {operator: 1, msisdn, pin: await stack.pinOf(msisdn), tracking_id: 't-1'},
  });
  expect(JSON.parse(text)).toEqual({state: 'subscribed'});
});

test('after a crash, a repeated request is answered with the subscription, with one start and one receipt', async () => {
  const token = await stack.openSession('club');
  const msisdn = '5337654321';
  stack.requestPin(token, msisdn, ADDRESS).catch(() => {});
  const pin = await stack.pinOf(msisdn);
  const subscribe = () =>
    stack.request('/v1/subscriptions', {
      token,
      address: ADDRESS,
      body: {operator: 1, msisdn, pin, tracking_id: 't-2'},
    });
  const countStarts = async () =>
    (await stack.messagesTo(msisdn)).filter((message) => message.includes('başladı')).length;
  await killDuring('/landing/subscription-request', subscribe, async () => (await countStarts()) > 0);
  for (const answer of [await subscribe(), await subscribe()])
    expect([answer.status, JSON.parse(answer.text)]).toEqual([201, {state: 'subscribed'}]);
  expect(await countStarts()).toBe(1);
  const receipts = async () =>
    JSON.parse(
      (
        await sendRequest(`${stack.worker.url('worker')}/merchant/v1/consents?tracking_id=t-2`, {
          headers: {authorization: `Bearer ${API_KEY}`},
        })
      ).text,
    ) as unknown;
  await expect.poll(receipts).toMatchObject({total: 1, items: [{outcome: 'subscribed', terms: {en: 'Weekly'}}]});
});
