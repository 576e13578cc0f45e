/** POST /v1/subscriptions and POST /v1/numbers: subscribing a number by PIN or number token. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {describe, expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {maskMsisdn} from '../../../../worker/lib/msisdn.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {PendingEvents} from '../../../../worker/objects/events/pending-events.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, everythingStored, listAddressed, replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {type Answer, askAsPage, newAddress, openSubscription, ORIGIN} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, control, landingCalls, pinOf, setFault, smsTo, subscriptionsOf} from '../../support/sandbox.ts';
import {askPin, awaitPins, newNumber, oneClick, receivePin, subscribe} from '../../support/subscriber.ts';
import {breakOutbox, repairOutbox} from '../../support/webhook-receiver.ts';

freshWorker();
liftLimitsPerSecond();
awaitPins();

const SECRET = (env as unknown as Record<string, string>)['SESSION_SECRET'] ?? '';
const NEXT_SECRET = 'sandbox-next-session-secret-that-is-long-enough';
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/;
const SUBSCRIBED = [201, {state: 'subscribed'}];
const statusAndBody = ({status, body}: Answer) => [status, body];
const countRequests = async (): Promise<number> => (await landingCalls('subscription-request')).length;
/** Answers that are delayed come at once. */
const FAST = {LIMITS: {pin_answer_ms: 1}};
const wrongPin = (pin: string): string => String((Number(pin) + 1) % 10_000).padStart(4, '0');

const pinWrong = (attempts_left: number) => ({...PROBLEMS.pin_wrong, attempts_left});

const isAnyPending = (id: DurableObjectId): Promise<unknown> =>
  runInDurableObject(exports.Subscriber.get(id), (_object, {storage}) => storage.kv.get('pendingEvents') ?? false);

/**
 * The events of the outbox, after every `Subscriber` object has handed its events to the outbox. Before an object does
 * so, it looks up the id of the subscription.
 */
async function events(): Promise<unknown[]> {
  for (const id of listAddressed(exports.Subscriber)) await expect.poll(() => isAnyPending(id)).toBe(false);
  return (await contextOf(env).objects.outbox().read(0)).items.map(({id: _id, ...event}) => event);
}

/** Sends a PIN to a new shopper. */
async function openWithPin(msisdn = newNumber()) {
  const {token} = await openSubscription();
  const pin = await receivePin({token, msisdn});
  // Waits until the object has recorded the PIN as sent, which is after the SMS arrives. The Worker reports refusals
  // of a number only after this record.
  const subscriber = await contextOf(env).objects.subscriber(msisdn);
  await expect
    .poll(() => runInDurableObject(subscriber, (_object, {storage}) => storage.kv.get('pins')))
    .toContainEqual(expect.objectContaining({sent: true}));
  return {token, msisdn, pin};
}

test('a number is subscribed with its PIN, and the merchant gets an event', async () => {
  const shopper = await openWithPin('5321234567');
  expect(
    statusAndBody(
      await subscribe({
        ...shopper,
        address: '198.51.100.7',
        pin: ` ${shopper.pin.slice(0, 2)} ${shopper.pin.slice(2)} `,
      }),
    ),
  ).toEqual(SUBSCRIBED);
  const [call, ...more] = await landingCalls('subscription-request');
  expect(more).toEqual([]);
  expect(call?.params).toMatchObject({
    product: '77',
    operator: '1',
    msisdn: '5321234567',
    pin: shopper.pin,
    userip: '198.51.100.7',
    tracking_id: 't-81c4',
  });
  expect((await smsTo('5321234567')).at(-1)).toContain('başladı');
  await expect.poll(events).toEqual([
    {
      type: 'subscription.started',
      created_at: wireTime(),
      data: {
        service: 'DEMO',
        product: 77,
        subscription_id: (await subscriptionsOf('5321234567'))[0]?.id,
        status: 'active',
        state: 'active',
        operator: 1,
        msisdn: '532*****67',
        tracking_id: 't-81c4',
        reference: null,
        subscription_date: expect.stringMatching(ISO_TIME) as string,
        renewal_date: expect.stringMatching(ISO_TIME) as string,
        cancellation_date: null,
      },
    },
  ]);
});

test('a second subscription of a number a day later is a second event', async () => {
  const shopper = await openWithPin();
  await subscribe(shopper);
  await advance(DAY);
  await runDurableObjectAlarm(await contextOf(env).objects.subscriber(shopper.msisdn));
  const [{id} = {id: ''}] = await subscriptionsOf(shopper.msisdn);
  await control(`subscriptions/${id}/status`, {status: 'cancelled'});
  expect(statusAndBody(await subscribe(await openWithPin(shopper.msisdn)))).toEqual(SUBSCRIBED);
  await expect.poll(events).toMatchObject([{type: 'subscription.started'}, {type: 'subscription.started'}]);
});

test('if a request is interrupted, an alarm sends its event to the outbox within ten seconds', async () => {
  const shopper = await openWithPin();
  const subscriber = await contextOf(env).objects.subscriber(shopper.msisdn);
  const flush = vi.spyOn(PendingEvents.prototype, 'flush').mockImplementation(() => new Promise(() => {}));
  const interrupted = subscribe(shopper);
  await expect.poll(() => flush.mock.calls.length).toBe(1);
  expect(await alarmIn(subscriber)).toBeLessThanOrEqual(10 * SECOND);
  flush.mockRestore();
  await abortAllDurableObjects();
  await interrupted;
  await advance(10 * SECOND);
  await runDurableObjectAlarm(await contextOf(env).objects.subscriber(shopper.msisdn));
  await expect.poll(events).toMatchObject([{type: 'subscription.started', data: {tracking_id: 't-81c4'}}]);
});

test('an event that the outbox cannot store is sent again later, even after a crash', async () => {
  const shopper = await openWithPin();
  await breakOutbox();
  expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
  await abortAllDurableObjects();
  await repairOutbox();
  await advance(10 * SECOND);
  await runDurableObjectAlarm(await contextOf(env).objects.subscriber(shopper.msisdn));
  await expect.poll(events).toMatchObject([{type: 'subscription.started', data: {tracking_id: 't-81c4'}}]);
  expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
  expect(await countRequests()).toBe(1);
  await expect.poll(events).toHaveLength(1);
});

test('concurrent and repeated requests subscribe once, and all of them succeed', async () => {
  const shopper = await openWithPin();
  const answers = await Promise.all(Array.from({length: 5}, () => subscribe(shopper)));
  expect(answers.map(statusAndBody)).toEqual(answers.map(() => SUBSCRIBED));
  expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
  expect(await countRequests()).toBe(1);
  await expect.poll(events).toHaveLength(1);
});

describe('during a rotation of the session secret', () => {
  // First every isolate gets the new secret in `SESSION_SECRET_PREVIOUS`, to verify tokens with it. Then the two
  // secrets swap places, and isolates sign with the new secret.
  test.for([
    ['only verifies', {SESSION_SECRET_PREVIOUS: NEXT_SECRET}],
    ['signs', {SESSION_SECRET: NEXT_SECRET, SESSION_SECRET_PREVIOUS: SECRET}],
  ] as const)(
    'while the new secret %s, a PIN from before the rotation is valid and counts towards the limits of its number',
    async ([_step, bindings]) => {
      const shopper = await openWithPin();
      expectProblem(await askPin({...shopper, bindings}), PROBLEMS.rate_limited);
      expect(statusAndBody(await subscribe({...shopper, bindings}))).toEqual(SUBSCRIBED);
      expect(statusAndBody(await subscribe({...shopper, bindings}))).toEqual(SUBSCRIBED);
      expect(await countRequests()).toBe(1);
    },
  );

  test('an isolate accepts tokens that either of its secrets signed, and refuses other tokens', async () => {
    const shopper = await openWithPin();
    const {token} = await openSubscription({SESSION_SECRET: NEXT_SECRET, SESSION_SECRET_PREVIOUS: SECRET});
    expect(
      statusAndBody(await subscribe({...shopper, token, bindings: {SESSION_SECRET_PREVIOUS: NEXT_SECRET}})),
    ).toEqual(SUBSCRIBED);
    expectProblem(await subscribe({...shopper, token, bindings: {}}), PROBLEMS.unauthorized);
    expectProblem(await subscribe({...shopper, bindings: {SESSION_SECRET: NEXT_SECRET}}), PROBLEMS.unauthorized);
  });
});

describe('a PIN', () => {
  test('a PIN that was never requested is refused without a platform call', async () => {
    const {token} = await openSubscription();
    expectProblem(await subscribe({token, msisdn: newNumber(), pin: '1234', bindings: FAST}), PROBLEMS.pin_wrong);
    expect(await countRequests()).toBe(0);
  });

  test('other networks use up two of its attempts, and cannot tell whether the number has a PIN', async () => {
    const shopper = await openWithPin();
    const guess = (index: number) =>
      subscribe({...shopper, address: newAddress(), pin: `${wrongPin(shopper.pin)}${index}`, bindings: FAST});
    for (let index = 0; index < 5; index += 1) expectProblem(await guess(index), PROBLEMS.pin_wrong);
    expect(await countRequests()).toBe(2);
    expectProblem(await subscribe({...shopper, pin: wrongPin(shopper.pin)}), pinWrong(2));
    expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
    expectProblem(await guess(5), PROBLEMS.pin_wrong);
  });

  test('the PIN can be entered from another network', async () => {
    expect(statusAndBody(await subscribe({...(await openWithPin()), address: newAddress()}))).toEqual(SUBSCRIBED);
  });

  test('the answer to another network takes as long as an answer to a PIN request', async () => {
    const {token} = await openSubscription();
    const wait = vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined);
    await subscribe({token, msisdn: newNumber(), pin: '1234'});
    expect(wait).toHaveBeenCalledWith(1_200);
  });

  test('a PIN subscribes once; a repeated request gets the same answer until the PIN expires', async () => {
    const shopper = await openWithPin();
    await subscribe(shopper);
    await advance(10 * MINUTE - SECOND);
    expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
    expectProblem(await subscribe({...shopper, pin: wrongPin(shopper.pin)}), PROBLEMS.pin_expired);
    await advance(SECOND);
    expectProblem(await subscribe(shopper), PROBLEMS.pin_expired);
    expect(await countRequests()).toBe(1);
  });

  test('an attacker who guesses PINs does not learn that the number has used its PIN', async () => {
    const shopper = await openWithPin();
    await subscribe(shopper);
    const guess = (index: number) => subscribe({...shopper, pin: `${wrongPin(shopper.pin)}${index}`});
    for (let index = 0; index < 5; index += 1) expectProblem(await guess(index), PROBLEMS.pin_expired);
    expectProblem(await subscribe(shopper), PROBLEMS.pin_blocked);
    expect(await countRequests()).toBe(1);
  });

  test.for(['007', '019', '020'])(
    'a PIN for a number that got no SMS is wrong, even if the platform refuses the number with %s',
    async (status) => {
      const {token} = await openSubscription();
      const msisdn = `5550000${status}`;
      expect((await askPin({token, msisdn})).status).toBe(202);
      await setFault({operation: '/landing/subscription-request', kind: 'status', status, times: 1});
      expectProblem(await subscribe({token, msisdn, pin: '1234'}), pinWrong(4));
      expect(await countRequests()).toBe(1);
    },
  );

  test('a PIN is valid for ten minutes', async () => {
    const shopper = await openWithPin();
    await advance(10 * MINUTE - SECOND);
    expectProblem(await subscribe({...shopper, pin: wrongPin(shopper.pin)}), pinWrong(4));
    await advance(SECOND);
    expectProblem(await subscribe(shopper), PROBLEMS.pin_expired);
    expect(await countRequests()).toBe(1);
  });

  test('only spaces are removed from a PIN, because a PIN may contain other characters than digits', async () => {
    const shopper = await openWithPin();
    for (const [index, pin] of ['12a4', ' 12-34', 'ŞİFRE'].entries())
      expectProblem(await subscribe({...shopper, pin}), pinWrong(4 - index));
    expectProblem(await subscribe({...shopper, pin: '  '}), {
      ...PROBLEMS.pin_wrong,
      fields: [{path: 'pin', message: 'Expected a PIN.'}],
    });
    const sent = (await landingCalls('subscription-request')).map(({params}) => params['pin']);
    expect(sent).toEqual(['12a4', '12-34', 'ŞİFRE']);
    expect([await countRequests(), (await subscribe(shopper)).status]).toEqual([3, 201]);
  });

  test('a PIN does not work for another mobile operator, number or product', async () => {
    const shopper = await openWithPin();
    expectProblem(await subscribe({...shopper, operator: 4}), pinWrong(4));
    expectProblem(await subscribe({...shopper, operator: 2}), {
      ...PROBLEMS.operator_invalid,
      fields: [{path: 'operator', message: 'Expected one of the session’s mobile operators.'}],
    });
    expectProblem(await subscribe({...shopper, msisdn: newNumber(), bindings: FAST}), PROBLEMS.pin_wrong);
    expectProblem(await subscribe({...shopper, msisdn: '0212 123 45 67'}), {
      ...PROBLEMS.number_invalid,
      fields: [{path: 'msisdn', message: 'Expected a Turkish mobile number.'}],
    });
    const session = {
      kind: 'subscription',
      origin: ORIGIN,
      product: 78,
      price: 2990,
      period: 'monthly',
      operators: [{id: 1, name: 'Bir'}],
      texts: 'a digest',
      details: 'x',
      expiresAt: Date.now() + HOUR,
    } as const;
    expectProblem(
      await subscribe({...shopper, token: await contextOf(env).sessions.sign(session)}),
      PROBLEMS.pin_expired,
    );
    // The platform never got the PIN with the other product, so the PIN can still be used.
    expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
  });

  test('after five wrong attempts a PIN is blocked until a new one is requested', async () => {
    const shopper = await openWithPin();
    const wrong = wrongPin(shopper.pin);
    const answers = await Promise.all(
      Array.from({length: 40}, (_, index) => subscribe({...shopper, pin: `${wrong}${index}`})),
    );
    expect(
      answers.filter(({status, body}) => status === 422 && (body as {code: string}).code === 'pin_wrong'),
    ).toHaveLength(5);
    expectProblem(await subscribe(shopper), PROBLEMS.pin_blocked);
    expect(await countRequests()).toBe(5);
    await advance(MINUTE);
    const pin = await receivePin(shopper);
    expect(statusAndBody(await subscribe({...shopper, pin}))).toEqual(SUBSCRIBED);
  });

  test('after ten wrong attempts in a day a number gets no PIN, and no PIN is accepted for it', async () => {
    const shopper = await openWithPin();
    const guess = (index: number) => subscribe({...shopper, pin: `99${index}99`});
    for (let index = 0; index < 5; index += 1) expectProblem(await guess(index), pinWrong(4 - index));
    await advance(MINUTE);
    await receivePin(shopper);
    for (let index = 0; index < 5; index += 1) expectProblem(await guess(index), pinWrong(4 - index));
    for (const answer of [await guess(0), await subscribe({...shopper, pin: await pinOf(shopper.msisdn)})]) {
      expectProblem(answer, PROBLEMS.rate_limited);
      expect(answer.headers.get('retry-after')).toBe(String(DAY / SECOND - 60));
    }
    await advance(10 * MINUTE);
    expectProblem(await askPin(shopper), PROBLEMS.rate_limited);
    expect(await countRequests()).toBe(10);
    await advance(DAY - 11 * MINUTE);
    const {token} = await openSubscription();
    const pin = await receivePin({...shopper, token});
    expect(statusAndBody(await subscribe({...shopper, token, pin}))).toEqual(SUBSCRIBED);
  });
});

test('`attempts_left` is the smaller of the attempts left for the PIN and the attempts left for the day', async () => {
  const LIMITS = {number_attempts_per_day: 2};
  const shopper = await openWithPin();
  const guess = (index: number) => subscribe({...shopper, pin: `99${index}99`, bindings: {LIMITS}});
  for (const left of [1, 0]) expectProblem(await guess(left), pinWrong(left));
});

test('the answer to a wrong PIN has no `attempts_left` if attempts are not limited', async () => {
  const LIMITS = {number_attempts_per_day: null};
  const shopper = await openWithPin();
  expectProblem(await subscribe({...shopper, pin: wrongPin(shopper.pin), bindings: {LIMITS}}), PROBLEMS.pin_wrong);
});

/** Problems by platform status, for a request with a genuine PIN. */
const PROBLEM_BY_STATUS = {
  '002': PROBLEMS.subscription_failed,
  '003': PROBLEMS.pin_expired,
  '004': PROBLEMS.number_invalid,
  '006': PROBLEMS.operator_invalid,
  '007': PROBLEMS.not_eligible,
  '018': PROBLEMS.billing_cap_reached,
  '019': PROBLEMS.daily_cap_reached,
  '020': PROBLEMS.already_subscribed,
  '021': PROBLEMS.test_mode,
  '028': pinWrong(4),
  '001': PROBLEMS.landing_not_found,
  '005': PROBLEMS.outcome_unknown,
  '026': PROBLEMS.platform_refused,
  '029': PROBLEMS.platform_refused,
  '030': PROBLEMS.platform_refused,
};

test('the answer to a PIN that was sent by SMS says why the platform refuses the subscription', async () => {
  const {token} = await openSubscription();
  const bindings = {LIMITS: {prefix_pins_per_hour: null}};
  const expected = Object.entries(PROBLEM_BY_STATUS).map(async ([status, problem]) => {
    const msisdn = `5550001${status}`;
    const pin = await receivePin({token, msisdn, bindings});
    expectProblem(await subscribe({token, msisdn, pin}), problem);
  });
  await Promise.all(expected);
});

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
    await advance(2 * MINUTE);
    await runDurableObjectAlarm(await contextOf(env).objects.subscriber(shopper.msisdn));
    await expect.poll(events).toHaveLength(1);
  });

  test('the outcome stays unknown while mobile billing does not answer', async () => {
    const shopper = await openWithPin();
    await setFault({operation: REQUEST, kind: 'empty', times: 1, after: true});
    await setFault({operation: '/micropayment/subscriptions/search', kind: 'empty'});
    for (let attempt = 0; attempt < 2; attempt += 1) expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await setFault({operation: '/micropayment/subscriptions/search', kind: 'clear'});
    expect(statusAndBody(await subscribe(shopper))).toEqual(SUBSCRIBED);
  });

  test.for([
    ['is of another product', 78, 0],
    ['started before the request', 77, 3 * MINUTE],
  ] as const)('an existing subscription that %s is not mistaken for the new one', async ([_what, product, ago]) => {
    const shopper = await openWithPin();
    await control('subscriptions', {msisdn: shopper.msisdn, product});
    await advance(ago);
    await setFault({operation: REQUEST, kind: 'empty', times: 1});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
    await setFault({operation: REQUEST, kind: 'status', status: '028', times: 1});
    expectProblem(await subscribe(shopper), PROBLEMS.outcome_unknown);
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
    expect(
      await runInDurableObject(subscriber, (_object, {storage}) => [
        storage.kv.get('outcomes'),
        storage.kv.get('unconfirmedAttempts'),
      ]),
    ).toMatchObject([{length: 1}, {length: 1}]);
  });
});

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

  test.for([
    ...['002', '004', '006', '025', '031', '033'].map((status) => [status, 429] as const),
    ...['005', '029', '020'].map((status) => [status, 200] as const),
  ])('after two tokens that the platform refuses with %s, the third gets %i', async ([status, expected]) => {
    const {token} = await openSubscription();
    const bindings = {ONE_CLICK: 'on', LIMITS: {address_tokens_per_hour: 2}};
    const address = newAddress();
    await setFault({operation: '/landing/get-msisdn', kind: 'status', status});
    for (const guess of ['11', '12']) await showNumber(token, guess, {address, bindings});
    await setFault({operation: '/landing/get-msisdn', kind: 'clear'});
    const {status: next} = await showNumber(token, await issueNumberToken(), {address, bindings});
    expect(next).toBe(expected);
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
    const bindings = {ONE_CLICK: 'on', LIMITS: {address_tokens_per_hour: 5, service_tokens_per_hour: 20}};
    const number_token = await issueNumberToken();
    const guessFrom = (network: number) =>
      Promise.all(
        [1, 2, 3].map((host) => showNumber(token, `${network}${host}`, {address: `10.${network}.0.${host}`, bindings})),
      );
    // One network may use a tenth of the limit.
    const first = await guessFrom(100);
    expect(first.map(({status}) => status).sort()).toEqual([403, 422, 422]);
    for (let network = 101; network < 120; network += 1) await guessFrom(network);
    expect(await landingCalls('get-msisdn')).toHaveLength(20);
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
