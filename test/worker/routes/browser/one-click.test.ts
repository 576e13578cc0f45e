/** POST /v1/numbers, and POST /v1/subscriptions with a number token. */

import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {advance, HOUR} from '../../support/clock.ts';
import {replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {askAsPage, newAddress, openSubscription} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {control, landingCalls, setFault} from '../../support/sandbox.ts';
import {awaitPins, newNumber, oneClick, receivePin} from '../../support/subscriber.ts';
import {SUBSCRIBED, statusAndBody, countRequests, events} from '../../support/subscription-requests.ts';

freshWorker();
liftLimitsPerSecond();
awaitPins();

const showNumber = (
  token: string,
  number_token: string,
  {address = newAddress(), bindings = {ONE_CLICK: 'on'} as Record<string, unknown>} = {},
) => askAsPage('POST', '/v1/numbers', {token, body: {number_token}, headers: {'cf-connecting-ip': address}, bindings});

describe('one-click', () => {
  const NUMBER = {msisdn: '5321234567', operator: 4};
  const issueNumberToken = async () => (await control<{number_token: string}>('number-tokens', NUMBER)).number_token;
  test('one-click is off unless the merchant turns it on', async () => {
    const {token} = await openSubscription();
    const number_token = await issueNumberToken();
    expectProblem(await oneClick({token, number_token, bindings: {}}), PROBLEMS.one_click_off);
    expectProblem(await showNumber(token, number_token, {bindings: {}}), PROBLEMS.one_click_off);
    expect([await countRequests(), (await landingCalls('get-msisdn')).length]).toEqual([0, 0]);
  });

  test('with a number token, a page can show the masked number and subscribe the number', async () => {
    const {token} = await openSubscription();
    const number_token = await issueNumberToken();
    expect(statusAndBody(await showNumber(token, number_token))).toEqual([200, {msisdn: '532*****67', operator: 4}]);
    expect(statusAndBody(await oneClick({token, number_token}))).toEqual(SUBSCRIBED);
    expect((await landingCalls('subscription-request'))[0]?.params).toMatchObject({
      product: '77',
      tracking_id: 't-81c4',
    });
    await expect.poll(events).toMatchObject([
      {
        type: 'subscription.started',
        data: {msisdn: '532*****67', operator: 4, tracking_id: 't-81c4', service: 'DEMO'},
      },
    ]);
  });

  test('where the platform wants it, the Worker sends the number with a token, which may be any text', async () => {
    await control('readings', {number_tokens: 'text', one_click: 'token_and_number'});
    const {token} = await openSubscription();
    const number_token = await issueNumberToken();
    const bindings = {ONE_CLICK: 'with_number'};
    const subscriber = await contextOf(env).objects.subscriber(`token ${number_token}`);
    await replaceBindings(subscriber, bindings);
    expect(statusAndBody(await oneClick({token, number_token, bindings}))).toEqual(SUBSCRIBED);
    expect((await landingCalls('subscription-request'))[0]?.params).toMatchObject({
      msisdn: '5321234567',
      operator: '4',
    });
  });

  test('three concurrent one-click requests make one subscription', async () => {
    const {token} = await openSubscription();
    const number_token = await issueNumberToken();
    const answers = await Promise.all([1, 2, 3].map(() => oneClick({token, number_token})));
    expect(answers.map(statusAndBody)).toEqual(answers.map(() => SUBSCRIBED));
    expect(await countRequests()).toBe(1);
  });

  test('an invalid number token is refused', async () => {
    const {token} = await openSubscription();
    for (const number_token of ['1', '912345678901234567', 'abc', '1e3', 'with space', '\u200b']) {
      expectProblem(await showNumber(token, number_token), PROBLEMS.number_token_invalid);
      expectProblem(await oneClick({token, number_token}), PROBLEMS.number_token_invalid);
    }
  });

  test('invalid number tokens count towards the limit of the IP address, and valid ones do not', async () => {
    const {token} = await openSubscription();
    const bindings = {ONE_CLICK: 'on', LIMITS: {address_tokens_per_hour: 3}};
    const address = newAddress();
    const number_token = await issueNumberToken();
    for (let count = 0; count < 5; count += 1)
      expect((await showNumber(token, number_token, {address, bindings})).status).toBe(200);
    for (const guess of ['11', '12', '13'])
      expectProblem(await showNumber(token, guess, {address, bindings}), PROBLEMS.number_token_invalid);
    expectProblem(await oneClick({token, number_token: '14', address, bindings}), PROBLEMS.rate_limited);
    expect((await showNumber(token, number_token, {bindings})).status).toBe(200);
  });

  test('only tokens that the platform refuses count as guesses', async () => {
    const {token} = await openSubscription();
    const bindings = {ONE_CLICK: 'on', LIMITS: {address_tokens_per_hour: 2}};
    for (const [expected, ...refusals] of [
      [429, '002', '004', '006', '025', '031', '033'],
      [200, '005', '029', '020'],
    ] as const)
      for (const status of refusals) {
        const address = newAddress();
        await setFault({operation: '/landing/get-msisdn', kind: 'status', status});
        for (const guess of ['11', '12']) await showNumber(token, guess, {address, bindings});
        await setFault({operation: '/landing/get-msisdn', kind: 'clear'});
        const {status: next} = await showNumber(token, await issueNumberToken(), {address, bindings});
        expect(next, status).toBe(expected);
      }
  });

  test('an IPv6 site cannot guess more tokens with more of its addresses', async () => {
    const {token} = await openSubscription();
    const bindings = {ONE_CLICK: 'on', LIMITS: {address_tokens_per_hour: 3}};
    const answers = await Promise.all(
      Array.from({length: 8}, (_, index) =>
        showNumber(token, String(index + 11), {address: `2001:db8:7:${index}::1`, bindings}),
      ),
    );
    expect(answers.filter(({status}) => status === 429)).toHaveLength(5);
    expect(await landingCalls('get-msisdn')).toHaveLength(3);
    expect((await showNumber(token, await issueNumberToken(), {address: '2001:db8:8::1', bindings})).status).toBe(200);
  });

  test('guesses from many networks switch one-click off for an hour, and the PIN still works', async () => {
    const {token} = await openSubscription();
    const bindings = {ONE_CLICK: 'on', LIMITS: {address_tokens_per_hour: 5, service_tokens_per_hour: 10}};
    const number_token = await issueNumberToken();
    const guessFrom = (network: number) =>
      Promise.all(
        [1, 2, 3].map((host) => showNumber(token, `${network}${host}`, {address: `10.${network}.0.${host}`, bindings})),
      );
    // One network may use a tenth of the limit.
    const first = await guessFrom(100);
    expect(first.map(({status}) => status).sort()).toEqual([403, 403, 422]);
    for (let network = 101; network < 115; network += 1) await guessFrom(network);
    expect(await landingCalls('get-msisdn')).toHaveLength(10);
    for (const answer of [
      await showNumber(token, number_token, {bindings}),
      await oneClick({token, number_token, bindings}),
    ])
      expectProblem(answer, PROBLEMS.one_click_off);
    expect(await receivePin({token, msisdn: newNumber(), bindings})).toMatch(/^\d+$/);
    await advance(HOUR);
    const {token: later} = await openSubscription();
    expect((await showNumber(later, await issueNumberToken(), {bindings})).status).toBe(200);
  });

  test('even without a limit on PINs, a network may guess only a hundred tokens in an hour', async () => {
    const {token} = await openSubscription();
    const bindings = {ONE_CLICK: 'on', LIMITS: {address_tokens_per_hour: null, service_pins_per_hour: null}};
    const guess = (index: number) => showNumber(token, `${index + 11}`, {address: '10.99.0.1', bindings});
    const answers = await Promise.all(Array.from({length: 101}, (_, index) => guess(index)));
    expect(answers.filter(({status}) => status === 403)).toHaveLength(1);
  });

  test('valid tokens never switch one-click off', async () => {
    const {token} = await openSubscription();
    const bindings = {ONE_CLICK: 'on', LIMITS: {service_tokens_per_hour: 10}};
    const number_token = await issueNumberToken();
    for (let count = 0; count < 15; count += 1)
      expect((await showNumber(token, number_token, {bindings})).status).toBe(200);
  });
});
