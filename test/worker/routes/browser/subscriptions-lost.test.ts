/** POST /v1/subscriptions if the platform’s reply is lost: what is known later, and what the merchant learns. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {maskMsisdn} from '../../../../worker/contract/readers/mobile-number.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn, everythingStored, replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {openSubscription} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, control, setFault, smsTo} from '../../support/sandbox.ts';
import {askPin, awaitPins, receivePin, subscribe} from '../../support/subscriber.ts';
import {
  SECRET,
  NEXT_SECRET,
  SUBSCRIBED,
  statusAndBody,
  events,
  openWithPin,
} from '../../support/subscription-requests.ts';
import {breakOutbox, repairOutbox} from '../../support/webhook-receiver.ts';

freshWorker();
liftLimitsPerSecond();
awaitPins();

/** Runs an object's alarms until something is true, or the time has passed. */
async function runAlarms(object: Parameters<typeof alarmIn>[0], isDone: () => boolean | Promise<boolean>, ms: number) {
  for (let passed = 0; passed < ms && !(await isDone());) {
    const pause = Math.max(0, (await alarmIn(object)) ?? ms);
    await advance(pause);
    await runDurableObjectAlarm(object);
    passed += pause || 1;
  }
}

describe('when the platform’s reply is lost', () => {
  const REQUEST = '/landing/subscription-request';

  test('a retry reports that the number was subscribed, and does not subscribe it twice', async () => {
    const shopper = await openWithPin();
    await setFault({operation: REQUEST, kind: 'empty', times: 1, after: true});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
    expect((await smsTo(shopper.msisdn)).filter((message) => message.includes('başladı'))).toHaveLength(1);
    await expect.poll(events).toHaveLength(1);
  });

  test('the merchant gets one event even without a retry, and no second event after a retry', async () => {
    const shopper = await openWithPin();
    const subscriber = await contextOf(env).objects.subscriber(shopper.msisdn);
    await setFault({operation: REQUEST, kind: 'empty', times: 1, after: true});
    await setFault({operation: '/micropayment/subscriptions/search', kind: 'empty'});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    for (const delayMs of [5 * SECOND, 30 * SECOND]) {
      await expect.poll(events).toEqual([]);
      expect(await alarmIn(subscriber)).toBe(delayMs);
      await advance(delayMs);
      await runDurableObjectAlarm(subscriber);
      await setFault({operation: '/micropayment/subscriptions/search', kind: 'clear'});
    }
    const expected = [
      expect.objectContaining({
        type: 'subscription.started',
        data: expect.objectContaining({
          product: 77,
          operator: 1,
          msisdn: maskMsisdn(shopper.msisdn),
          tracking_id: 't-81c4',
        }) as object,
      }) as object,
    ];
    await expect.poll(events).toEqual(expected);
    expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
    await expect.poll(events).toEqual(expected);
    expect(await everythingStored()).not.toContain(shopper.msisdn);
  });

  test('a lookup that mobile billing does not answer is repeated for a day, with longer pauses', async () => {
    const shopper = await openWithPin();
    const subscriber = await contextOf(env).objects.subscriber(shopper.msisdn);
    await setFault({operation: REQUEST, kind: 'empty', times: 1, after: true});
    await setFault({operation: '/micropayment/subscriptions/search', kind: 'empty'});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await runAlarms(subscriber, () => false, 5 * HOUR);
    expect((await calls()).filter(({path}) => path === '/micropayment/subscriptions/search').length).toBeLessThan(20);
    await setFault({operation: '/micropayment/subscriptions/search', kind: 'clear'});
    await runAlarms(subscriber, async () => (await events()).length > 0, 12 * HOUR);
    const told = {type: 'subscription.started', data: {service: 'DEMO', tracking_id: 't-81c4'}};
    await expect.poll(events).toMatchObject([told]);
    const receipts = await contextOf(env).objects.archivedConsents(formatMonth(Date.now())).findReceipts({
      trackingId: 't-81c4',
      network: null,
    });
    expect(receipts).toMatchObject([{outcome: 'subscribed'}]);
    expect(await everythingStored()).not.toContain(shopper.msisdn);
  });

  test.for(['429', '403'])(
    'a lookup that mobile billing refuses with HTTP %s is repeated, because this is no answer about the number',
    async (status) => {
      const shopper = await openWithPin();
      const subscriber = await contextOf(env).objects.subscriber(shopper.msisdn);
      await setFault({operation: REQUEST, kind: 'empty', times: 1, after: true});
      await setFault({operation: '/micropayment/subscriptions/search', kind: 'status', status});
      expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
      await runAlarms(subscriber, () => false, HOUR);
      await setFault({operation: '/micropayment/subscriptions/search', kind: 'clear'});
      await runAlarms(subscriber, async () => (await events()).length > 0, 12 * HOUR);
      await expect.poll(events).toMatchObject([{type: 'subscription.started', data: {tracking_id: 't-81c4'}}]);
    },
  );

  test('lookups that failed together are repeated at different times', async () => {
    const dueAt: number[] = [];
    const shoppers = [await openWithPin(), await openWithPin()];
    await setFault({operation: REQUEST, kind: 'empty', times: 2, after: true});
    await setFault({operation: '/micropayment/subscriptions/search', kind: 'empty'});
    for (const shopper of shoppers) expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    const subscribers = await Promise.all(shoppers.map(({msisdn}) => contextOf(env).objects.subscriber(msisdn)));
    for (const delayMs of [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE]) {
      await advance(delayMs);
      for (const subscriber of subscribers) await runDurableObjectAlarm(subscriber);
    }
    for (const subscriber of subscribers)
      await runInDurableObject(subscriber, (_object, {storage}) => {
        const [attempt] = storage.kv.get<{lookup: {tries: number; dueAt: number}}[]>('attempts') ?? [];
        expect(attempt?.lookup.tries).toBe(5);
        dueAt.push(Number(attempt?.lookup.dueAt));
      });
    expect(new Set(dueAt).size).toBe(2);
  });

  test('a subscription that begins elsewhere hours later is not the sought one, and after a day the number is deleted', async () => {
    const shopper = await openWithPin();
    const subscriber = await contextOf(env).objects.subscriber(shopper.msisdn);
    await setFault({operation: REQUEST, kind: 'empty', times: 1});
    await setFault({operation: '/micropayment/subscriptions/search', kind: 'empty'});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await runAlarms(subscriber, () => false, 5 * HOUR);
    await control('subscriptions', {msisdn: shopper.msisdn, product: 77});
    await setFault({operation: '/micropayment/subscriptions/search', kind: 'clear'});
    await runAlarms(subscriber, () => false, DAY);
    await expect.poll(events).toEqual([]);
    expect(await everythingStored()).not.toContain(shopper.msisdn);
  });

  test('a subscription that never started is looked up four times; then its number is deleted', async () => {
    const shopper = await openWithPin();
    const subscriber = await contextOf(env).objects.subscriber(shopper.msisdn);
    await setFault({operation: REQUEST, kind: 'empty', times: 1});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    for (const delayMs of [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE]) {
      await advance(delayMs);
      await runDurableObjectAlarm(subscriber);
    }
    await expect.poll(events).toEqual([]);
    expect(await everythingStored()).not.toContain(shopper.msisdn);
    // The alarm then deletes the shopper's consent, and at last everything.
    await advance(3 * MINUTE);
    await runDurableObjectAlarm(subscriber);
    expect(await alarmIn(subscriber)).toBeGreaterThan(HOUR);
  });

  test('after a failed attempt, a new PIN subscribes the number, and the merchant gets one event', async () => {
    const shopper = await openWithPin();
    await setFault({operation: REQUEST, kind: 'empty', times: 1});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await advance(MINUTE);
    expect(statusAndBody(await subscribe({...shopper, pin: await receivePin(shopper)}))).toEqual(SUBSCRIBED);
    await expect.poll(events).toHaveLength(1);
    await advance(2 * MINUTE);
    await runDurableObjectAlarm(await contextOf(env).objects.subscriber(shopper.msisdn));
    expect(await events()).toHaveLength(1);
  });

  test('the outcome stays unknown while mobile billing does not answer', async () => {
    const shopper = await openWithPin();
    await setFault({operation: REQUEST, kind: 'empty', times: 1, after: true});
    await setFault({operation: '/micropayment/subscriptions/search', kind: 'empty'});
    for (let attempt = 0; attempt < 2; attempt += 1) expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await setFault({operation: '/micropayment/subscriptions/search', kind: 'clear'});
    expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
  });

  test('a subscription of another product, or from before the request, is not mistaken for the new one', async () => {
    for (const [product, ago] of [
      [78, 0],
      [77, 3 * MINUTE],
    ] as const) {
      const shopper = await openWithPin();
      await control('subscriptions', {msisdn: shopper.msisdn, product});
      await advance(ago);
      await setFault({operation: REQUEST, kind: 'empty', times: 1});
      expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
      await setFault({operation: REQUEST, kind: 'status', status: '028', times: 1});
      expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    }
    await expect.poll(events).toEqual([]);
  });

  test('a retry subscribes a number whose first request never reached the platform', async () => {
    const shopper = await openWithPin();
    await setFault({operation: REQUEST, kind: 'empty', times: 1});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
  });

  test('"already subscribed" after a lost reply counts as success', async () => {
    const shopper = await openWithPin();
    await setFault({operation: REQUEST, kind: 'malformed', times: 1, after: true});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await setFault({operation: REQUEST, kind: 'status', status: '020', times: 1});
    expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
    await expect.poll(events).toHaveLength(1);
  });

  test('"already subscribed" is a refusal if the number had subscribed minutes before the request', async () => {
    const shopper = await openWithPin();
    await control('subscriptions', {msisdn: shopper.msisdn, product: 77});
    await advance(3 * MINUTE);
    await setFault({operation: REQUEST, kind: 'empty', times: 1});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await setFault({operation: REQUEST, kind: 'status', status: '020', times: 1});
    expectProblem(await subscribe(shopper), PROBLEMS.already_subscribed);
    await expect.poll(events).toEqual([]);
  });

  test('"already subscribed" is a refusal if the subscription cannot be looked up', async () => {
    const shopper = await openWithPin();
    await replaceBindings(await contextOf(env).objects.subscriber(shopper.msisdn), {SERVICES: {DEMO: {}}});
    await setFault({operation: REQUEST, kind: 'empty', times: 1, after: true});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await setFault({operation: REQUEST, kind: 'status', status: '020', times: 1});
    expectProblem(await subscribe(shopper), PROBLEMS.already_subscribed);
    await expect.poll(events).toEqual([]);
  });

  test.for(['020', '028'])(
    'if a number got no PIN, the answer to a guessed PIN reveals nothing about the number (platform status %s)',
    async (status) => {
      const {token} = await openSubscription();
      const msisdn = '5550000020';
      expect((await askPin({token, msisdn})).status).toBe(202);
      await control('subscriptions', {msisdn, product: 77});
      await advance(3 * MINUTE);
      await setFault({operation: REQUEST, kind: 'empty', times: 1});
      expectProblem(await subscribe({token, msisdn, pin: '0000'}), PROBLEMS.outcome_unknown);
      await setFault({operation: REQUEST, kind: 'status', status, times: 1});
      expectProblem(await subscribe({token, msisdn, pin: '0000'}), PROBLEMS.outcome_unknown);
      await expect.poll(events).toEqual([]);
    },
  );

  test('a subscription is reported even if bindings are invalid and the outbox fails for a while', async () => {
    const shopper = await openWithPin();
    const subscriber = await contextOf(env).objects.subscriber(shopper.msisdn);
    await setFault({operation: REQUEST, kind: 'empty', times: 1, after: true});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await advance(5 * SECOND);
    await replaceBindings(subscriber, {SERVICES: '{'});
    await runDurableObjectAlarm(subscriber);
    expect(await alarmIn(subscriber)).toBe(30 * SECOND);
    await replaceBindings(subscriber, {});
    await advance(30 * SECOND);
    await breakOutbox();
    await runDurableObjectAlarm(subscriber);
    await repairOutbox();
    await replaceBindings(subscriber, {SERVICES: '{'});
    await advance(10 * SECOND);
    await runDurableObjectAlarm(subscriber);
    expect(await alarmIn(subscriber)).toBeLessThanOrEqual(20 * SECOND);
    await replaceBindings(subscriber, {});
    await advance(20 * SECOND);
    await runDurableObjectAlarm(subscriber);
    await expect.poll(events).toMatchObject([{type: 'subscription.started', data: {tracking_id: 't-81c4'}}]);
  });

  test('after a rotation of the secret, a subscription that may or may not have started is stored once', async () => {
    const shopper = await openWithPin();
    const subscriber = await contextOf(env).objects.subscriber(shopper.msisdn);
    await setFault({operation: REQUEST, kind: 'empty', times: 2});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await replaceBindings(subscriber, {SESSION_SECRET: NEXT_SECRET, SESSION_SECRET_PREVIOUS: SECRET});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    const attempts = await runInDurableObject(subscriber, (_object, {storage}) => storage.kv.get('attempts'));
    expect(attempts).toMatchObject([{outcome: 'unknown', lookup: {tries: 1}}]);
  });
});
