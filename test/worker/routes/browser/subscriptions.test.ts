/** POST /v1/subscriptions: subscribing a number by PIN. */

import {abortAllDurableObjects, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {Outbox} from '../../../../worker/objects/events/outbox.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {newAddress, openSubscription, ORIGIN} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {control, landingCalls, pinOf, setFault, smsTo, subscriptionsOf} from '../../support/sandbox.ts';
import {askPin, awaitPins, newNumber, receivePin, subscribe} from '../../support/subscriber.ts';
import {
  SECRET,
  NEXT_SECRET,
  ISO_TIME,
  SUBSCRIBED,
  statusAndBody,
  countRequests,
  FAST,
  wrongPin,
  pinWrong,
  events,
  openWithPin,
} from '../../support/subscription-requests.ts';
import {breakOutbox, repairOutbox} from '../../support/webhook-receiver.ts';

freshWorker();
liftLimitsPerSecond();
awaitPins();

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
        subscription_date_text: null,
        renewal_date: expect.stringMatching(ISO_TIME) as string,
        renewal_date_text: null,
        cancellation_date: null,
        cancellation_date_text: null,
      },
    },
  ]);
});

test('a second subscription of a number a day later is a second event', async () => {
  const shopper = await openWithPin();
  await subscribe(shopper);
  await expect.poll(events).toHaveLength(1);
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
  const append = vi.spyOn(Outbox.prototype, 'append').mockImplementation(() => new Promise(() => {}));
  const interrupted = subscribe(shopper);
  await expect.poll(() => append.mock.calls.length).toBe(1);
  expect(await alarmIn(subscriber)).toBeLessThanOrEqual(10 * SECOND);
  append.mockRestore();
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

  test('a PIN for a number that got no SMS is wrong, even if the platform refuses the number', async () => {
    const {token} = await openSubscription();
    for (const status of ['007', '019', '020']) {
      const msisdn = `5550000${status}`;
      expect((await askPin({token, msisdn})).status).toBe(202);
      await setFault({operation: '/landing/subscription-request', kind: 'status', status, times: 1});
      expectProblem(await subscribe({token, msisdn, pin: '1234'}), pinWrong(4));
    }
    expect(await countRequests()).toBe(3);
  });

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

test('`attempts_left` is the smaller of the attempts left for the PIN and for the day, and absent without limits', async () => {
  const LIMITS = {number_attempts_per_day: 2};
  const shopper = await openWithPin();
  const guess = (index: number) => subscribe({...shopper, pin: `99${index}99`, bindings: {LIMITS}});
  for (const left of [1, 0]) expectProblem(await guess(left), pinWrong(left));
  const other = await openWithPin();
  const bindings = {LIMITS: {number_attempts_per_day: null}};
  expectProblem(await subscribe({...other, pin: wrongPin(other.pin), bindings}), PROBLEMS.pin_wrong);
});

/** Problems of each kind by platform status, for a request with a genuine PIN. */
const PROBLEM_BY_STATUS = {
  '003': PROBLEMS.pin_expired,
  '007': PROBLEMS.not_eligible,
  '018': PROBLEMS.billing_cap_reached,
  '020': PROBLEMS.already_subscribed,
  '028': pinWrong(4),
  '001': PROBLEMS.landing_not_found,
  '005': PROBLEMS.outcome_unknown,
  '029': PROBLEMS.platform_refused,
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
