/** GET /v1/subscription and POST /v1/subscription/cancel. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {ShownSubscription} from '../../../../worker/contract/browser/subscription-answers.ts';
import {advance, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {everythingStored, isStored, replaceBindings, storedIn} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {
  askAsPage,
  askMerchant,
  openManagement,
  openMerchantSession,
  openOrder,
  read,
  SELLER,
} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, control, setFault, setLine, smsTo} from '../../support/sandbox.ts';

freshWorker();
liftLimitsPerSecond();

const show = (token: string) => askAsPage('GET', '/v1/subscription', {token});
const cancel = (token: string, body: object = {}) => askAsPage('POST', '/v1/subscription/cancel', {token, body});
const readSubscription = async (token: string) => read(await show(token), ShownSubscription).subscription;
const CANCEL = '/micropayment/subscription/cancel';
const countCallsTo = async (part: string): Promise<number> =>
  (await calls()).filter(({path}) => path.includes(part)).length;
const countCancellationSms = (msisdn: string) =>
  smsTo(msisdn).then((messages) => messages.filter((message) => message.includes('iptal edildi')).length);
const events = async () => (await contextOf(env).objects.outbox().read(0)).items;

const ACTIVE = {
  state: 'active',
  msisdn: '534*****33',
  operator: 1,
  price: '12.00',
  period: 'weekly',
  trial_days: null,
  cancelled_at: null,
};

test('a subscriber sees the subscription with a masked number', async () => {
  const {token, subscription} = await openManagement();
  expect(await readSubscription(token)).toEqual({
    ...ACTIVE,
    id: subscription,
    subscribed_at: wireTime(),
    renews_at: expect.stringMatching(/\+03:00$/) as string,
  });
});

test.for([
  ['after', 7],
  ['at_once', null],
] as const)('a trial is shown only if nothing was charged yet (charged: %s)', async ([trial_charge, trial_days]) => {
  await control('readings', {trial_charge});
  const {token} = await openManagement('micropayment', '5341112236', 78);
  expect(await readSubscription(token)).toMatchObject({state: 'active', period: 'monthly', trial_days});
});

test('a subscriber cancels the subscription once, and the merchant gets an event', async () => {
  const {token, subscription} = await openManagement();
  const {subscription: ended} = read(await cancel(token), ShownSubscription);
  expect(ended).toMatchObject({id: subscription, state: 'cancelled', cancelled_at: wireTime()});
  expect(await readSubscription(token)).toMatchObject({state: 'cancelled', cancelled_at: wireTime()});
  expectProblem(await cancel(token), PROBLEMS.already_cancelled);
  expect([await countCallsTo(CANCEL), await countCancellationSms('5341112233')]).toEqual([1, 1]);
  expect(await events()).toMatchObject([
    {
      type: 'subscription.cancelled',
      data: {service: 'DEMO', subscription_id: subscription, state: 'cancelled', msisdn: '534*****33'},
    },
  ]);
});

describe('when the platform’s reply is lost', () => {
  test('a cancellation that succeeded is reported as done', async () => {
    const {token} = await openManagement();
    await setFault({operation: CANCEL, kind: 'empty', times: 1, after: true});
    expect(read(await cancel(token), ShownSubscription).subscription.state).toBe('cancelled');
    expect(await countCallsTo(CANCEL)).toBe(1);
  });

  test('a cancellation is not sent again until it is certain that nothing was cancelled', async () => {
    const {token, subscription} = await openManagement();
    await setFault({operation: CANCEL, kind: '500-html', times: 1});
    expectProblem(await cancel(token), PROBLEMS.outcome_unknown);
    expectProblem(await cancel(token), PROBLEMS.outcome_unknown);
    expect([await countCallsTo(CANCEL), await countCancellationSms('5341112233')]).toEqual([1, 0]);
    // After the seventh check it is certain that nothing was cancelled.
    for (const seconds of [2, 10, 30, 120, 240, 300]) {
      await advance(seconds * SECOND);
      await runDurableObjectAlarm(contextOf(env).objects.commands('DEMO'));
    }
    const {token: newToken} = await openMerchantSession({
      kind: 'management',
      via: 'micropayment',
      service: 'DEMO',
      subscription,
    });
    expect(read(await cancel(newToken), ShownSubscription).subscription.state).toBe('cancelled');
  });
});

describe('a subscription of the landing interface', () => {
  test('only the id and the session’s seller are shown, and the subscription can be cancelled', async () => {
    const {subscription} = await openManagement('landing');
    const session = {kind: 'management', via: 'landing', service: 'DEMO', subscription, seller: SELLER};
    const {token} = await openMerchantSession(session);
    const UNKNOWN = {msisdn: null, operator: null, price: null, period: null, trial_days: null, renews_at: null};
    expect(read(await show(token), ShownSubscription)).toEqual({
      subscription: {...UNKNOWN, id: subscription, state: 'unknown', subscribed_at: null, cancelled_at: null},
      seller: SELLER,
    });
    const {subscription: ended, seller} = read(await cancel(token), ShownSubscription);
    expect(ended).toMatchObject({
      id: subscription,
      state: 'cancelled',
      subscribed_at: wireTime(),
      cancelled_at: wireTime(),
    });
    expect(seller).toEqual(SELLER);
    expectProblem(await cancel(token), {...PROBLEMS.already_cancelled, seller: SELLER});
    expect(await countCancellationSms('5341112233')).toBe(1);
    expect(await events()).toMatchObject([
      {type: 'subscription.cancelled', data: {service: 'DEMO', subscription_id: subscription}},
    ]);
  });

  test('after a lost reply the outcome is unknown; a retry twelve minutes later gets already_cancelled', async () => {
    const {token, subscription} = await openManagement('landing');
    await setFault({operation: '/landing/cancel-subscription', kind: 'empty', times: 1, after: true});
    for (let attempt = 0; attempt < 2; attempt += 1) expectProblem(await cancel(token), PROBLEMS.outcome_unknown);
    expect(await countCallsTo('/landing/cancel-subscription')).toBe(1);
    await advance(12 * MINUTE);
    const {token: newToken} = await openMerchantSession({
      kind: 'management',
      via: 'landing',
      service: 'DEMO',
      subscription,
    });
    expectProblem(await cancel(newToken), PROBLEMS.already_cancelled);
    expect([await countCallsTo('/landing/cancel-subscription'), await countCancellationSms('5341112233')]).toEqual([
      2, 1,
    ]);
  });

  test('the platform’s refusal is reported with the matching problem', async () => {
    for (const [status, problem] of [
      ['033', PROBLEMS.cannot_cancel],
      ['005', PROBLEMS.outcome_unknown],
    ] as const) {
      const {token} = await openManagement('landing', `53411122${status.slice(1)}`);
      await setFault({operation: '/landing/cancel-subscription', kind: 'status', status, times: 1});
      expectProblem(await cancel(token), problem);
    }
  });
});

test('a request to cancel a subscription that the platform has rejected gets cannot_cancel', async () => {
  const {token, subscription} = await openManagement();
  await control(`subscriptions/${subscription}/status`, {status: 'rejected'});
  expect((await cancel(token)).body).toMatchObject({code: 'cannot_cancel'});
});

test('a session can show and cancel only the subscription that it names, and only until it expires', async () => {
  const {token} = await openManagement();
  for (const body of [{subscription: '4001'}, {service: 'OTHER'}, {id: 1}])
    expect((await cancel(token, body)).status).toBe(422);
  expectProblem(await show((await openOrder()).token), PROBLEMS.session_kind);
  const {token: tokenOfUnknownId} = await openMerchantSession({
    kind: 'management',
    via: 'micropayment',
    service: 'DEMO',
    subscription: '999999',
  });
  for (const answer of [await show(tokenOfUnknownId), await cancel(tokenOfUnknownId)])
    expectProblem(answer, PROBLEMS.subscription_not_found);
  const {token: tokenOfNumber} = await openMerchantSession({
    kind: 'management',
    via: 'micropayment',
    service: 'DEMO',
    subscription: '5341112233',
  });
  expectProblem(await cancel(tokenOfNumber), PROBLEMS.cannot_cancel);
  expect(await countCallsTo(CANCEL)).toBe(0);
  await advance(10 * MINUTE);
  expectProblem(await show(token), PROBLEMS.session_expired);
});

describe('a page that is reloaded again and again', () => {
  test('costs the platform one read in two minutes and thirty a day, and can still cancel', async () => {
    const {subscription} = await openManagement();
    const session = {kind: 'management', via: 'micropayment', service: 'DEMO', subscription};
    const {token} = await openMerchantSession(session);
    for (let count = 0; count < 5; count += 1) expect((await readSubscription(token)).state).toBe('active');
    expect(await countCallsTo('/subscription/detail')).toBe(1);
    for (let count = 1; count < 30; count += 1) {
      await advance(2 * MINUTE);
      expect((await show((await openMerchantSession(session)).token)).status).toBe(200);
    }
    await advance(2 * MINUTE);
    const {token: last} = await openMerchantSession(session);
    expectProblem(await show(last), PROBLEMS.rate_limited);
    expect(await countCallsTo('/subscription/detail')).toBe(30);
    expect(read(await cancel(last), ShownSubscription).subscription.state).toBe('cancelled');
  });

  test('shows a cancellation immediately, whether the page or the merchant’s server sent it', async () => {
    const {token} = await openManagement();
    expect((await readSubscription(token)).state).toBe('active');
    await cancel(token);
    expect((await readSubscription(token)).state).toBe('cancelled');
    const other = await openManagement('micropayment', '5341112234');
    expect((await readSubscription(other.token)).state).toBe('active');
    const answer = await askMerchant(`subscriptions/DEMO/${other.subscription}/cancel`);
    expect(answer.status, answer.text).toBe(200);
    expect((await readSubscription(other.token)).state).toBe('cancelled');
  });

  test('makes the Worker store only the masked number, and only until the next alarm', async () => {
    const {token, subscription} = await openManagement();
    await show(token);
    const remembered = await contextOf(env).objects.shownSubscription('DEMO', subscription);
    expect(JSON.stringify(await storedIn(remembered))).toContain('534*****33');
    expect(await everythingStored()).not.toContain('5341112233');
    expect(await runDurableObjectAlarm(remembered)).toBe(true);
    expect(await isStored(remembered)).toBe(false);
  });

  test('cannot block cancellations, even if many subscribers read their subscriptions', async () => {
    await replaceBindings(contextOf(env).objects.platform(), {QUOTAS: {get_subscription: {day: 10, second: null}}});
    const {token} = await openManagement();
    for (let subscriber = 0; subscriber < 12; subscriber += 1)
      await show((await openManagement('micropayment', `53411122${10 + subscriber}`)).token);
    expect(await countCallsTo('/subscription/detail')).toBe(8);
    expectProblem(await show(token), PROBLEMS.temporarily_unavailable);
    expect(read(await cancel(token), ShownSubscription).subscription.state).toBe('cancelled');
  });
});

test('a page may request ten cancellations a day, so that a loop leaves calls for other subscriptions', async () => {
  const {token} = await openManagement();
  expect((await cancel(token)).status).toBe(200);
  for (let count = 1; count < 10; count += 1) expectProblem(await cancel(token), PROBLEMS.already_cancelled);
  expectProblem(await cancel(token), PROBLEMS.rate_limited);
});

describe('attempts to cancel during an outage do not count towards the ten cancellations of a day', () => {
  test.for([
    ['micropayment', PROBLEMS.temporarily_unavailable],
    // The first attempt may have reached the platform. While its outcome is unknown, the Worker sends nothing more.
    ['landing', PROBLEMS.outcome_unknown],
  ] as const)('with %s', async ([via, problem]) => {
    const {token, subscription} = await openManagement(via);
    await setLine('refused');
    for (let count = 0; count < 12; count += 1) expectProblem(await cancel(token), problem);
    await setLine('open');
    await advance(12 * MINUTE);
    const {token: next} = await openMerchantSession({kind: 'management', via, service: 'DEMO', subscription});
    expect(read(await cancel(next), ShownSubscription).subscription.state).toBe('cancelled');
  });

  test('after twenty such attempts in ten minutes, further attempts are refused', async () => {
    const {token, subscription} = await openManagement();
    await setFault({operation: '/micropayment/subscription/detail', kind: '500-html', times: 100});
    for (let count = 0; count < 20; count += 1) expectProblem(await cancel(token), PROBLEMS.temporarily_unavailable);
    const refused = await cancel(token);
    expectProblem(refused, PROBLEMS.rate_limited);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
    await advance(10 * MINUTE);
    const session = {kind: 'management', via: 'micropayment', service: 'DEMO', subscription};
    expectProblem(await cancel((await openMerchantSession(session)).token), PROBLEMS.temporarily_unavailable);
  });
});

test('nothing is cancelled if the egress might send a request twice', async () => {
  const origin = 'https://shop.example';
  const realPlatform = {
    ...env,
    PHS_URL: 'https://platform.example/phs',
    MICROPAYMENT_URL: 'https://platform.example/micropayment',
    PAYMENT_PAGE_URL: undefined,
    LANDING_URL: undefined,
    ALLOWED_ORIGINS: origin,
    MERCHANT_KEY: 'a-key-of-ours',
    SESSION_SECRET: 'a-secret-of-ours-0123456789abcdef',
    MERCHANT_API_KEY: undefined,
    MERCHANT_PRIVATE_KEY: undefined,
    SERVICE_PRIVATE_KEYS: undefined,
    LANDING_AUTHORIZATION: undefined,
    PAYMENT_PAGE_SECRET: undefined,
  };
  const token = await contextOf(realPlatform).sessions.sign({
    kind: 'management',
    origin,
    via: 'micropayment',
    service: 'DEMO',
    subscription: '4001',
    expiresAt: Date.now() + MINUTE,
  });
  await replaceBindings(contextOf(realPlatform).objects.commands('DEMO'), realPlatform);
  const answer = await askAsPage('POST', '/v1/subscription/cancel', {token, bindings: realPlatform, headers: {origin}});
  expect(answer.body).toMatchObject({code: 'misconfigured'});
  expect(logLines('misconfigured')).toMatchObject([{names: ['EGRESS']}]);
});
