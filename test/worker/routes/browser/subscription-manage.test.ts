import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {ShownSubscription} from '../../../../worker/contract/browser/subscription-answers.ts';
import {advance, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {askAsPage, openManagement, openMerchantSession, openOrder, read} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, control, setFault, smsTo} from '../../support/sandbox.ts';

freshWorker();

const show = (token: string) => askAsPage('GET', '/v1/subscription', {token});
const cancel = (token: string, body: object = {}) => askAsPage('POST', '/v1/subscription/cancel', {token, body});
const shown = async (token: string) => read(await show(token), ShownSubscription).subscription;
const CANCEL = '/micropayment/subscription/cancel';
const sent = async (part: string): Promise<number> => (await calls()).filter(({path}) => path.includes(part)).length;
const cancelled = (msisdn: string) =>
  smsTo(msisdn).then((messages) => messages.filter((message) => message.includes('iptal edildi')).length);
const events = async () => (await contextOf(env).objects.outbox().read(0)).items;

const ACTIVE = {
  state: 'active',
  msisdn: '534*****33',
  operator: 1,
  price: '12.00',
  period: 'weekly',
  cancelled_at: null,
};

test('a subscriber sees what they have, with the number as far as they know it again', async () => {
  const {token, subscription} = await openManagement();
  expect(await shown(token)).toEqual({
    ...ACTIVE,
    id: subscription,
    subscribed_at: wireTime(),
    renews_at: expect.stringMatching(/\+03:00$/) as string,
  });
});

test('and ends it, once and for all, and the merchant is told', async () => {
  const {token, subscription} = await openManagement();
  const {subscription: ended} = read(await cancel(token), ShownSubscription);
  expect(ended).toMatchObject({id: subscription, state: 'cancelled', cancelled_at: wireTime()});
  expect(await shown(token)).toMatchObject({state: 'cancelled', cancelled_at: wireTime()});
  expectProblem(await cancel(token), PROBLEMS.already_cancelled);
  expect([await sent(CANCEL), await cancelled('5341112233')]).toEqual([1, 1]);
  expect(await events()).toMatchObject([
    {
      type: 'subscription.cancelled',
      data: {service: 'DEMO', subscription_id: subscription, state: 'cancelled', msisdn: '534*****33'},
    },
  ]);
});

describe('when the answer is lost', () => {
  test('what was done is told as done', async () => {
    const {token} = await openManagement();
    await setFault({operation: CANCEL, kind: 'empty', times: 1, after: true});
    expect(read(await cancel(token), ShownSubscription).subscription.state).toBe('cancelled');
    expect(await sent(CANCEL)).toBe(1);
  });

  test('what was not is tried no second time until that is known', async () => {
    const {token, subscription} = await openManagement();
    await setFault({operation: CANCEL, kind: '500-html', times: 1});
    expectProblem(await cancel(token), PROBLEMS.outcome_unknown);
    expectProblem(await cancel(token), PROBLEMS.outcome_unknown);
    expect([await sent(CANCEL), await cancelled('5341112233')]).toEqual([1, 0]);
    // Looked for seven times, it is known not to be there.
    for (const seconds of [2, 10, 30, 120, 240, 300]) {
      await advance(seconds * SECOND);
      await runDurableObjectAlarm(contextOf(env).objects.commands('DEMO'));
    }
    const {token: later} = await openMerchantSession({
      kind: 'management',
      via: 'micropayment',
      service: 'DEMO',
      subscription,
    });
    expect(read(await cancel(later), ShownSubscription).subscription.state).toBe('cancelled');
  });
});

describe('by the landing interface', () => {
  test('no more than the id is known, and it is ended all the same', async () => {
    const {token, subscription} = await openManagement('landing');
    const nothing = {msisdn: null, operator: null, price: null, period: null, renews_at: null};
    expect(await shown(token)).toEqual({
      ...nothing,
      id: subscription,
      state: 'unknown',
      subscribed_at: null,
      cancelled_at: null,
    });
    const {subscription: ended} = read(await cancel(token), ShownSubscription);
    expect(ended).toMatchObject({
      id: subscription,
      state: 'cancelled',
      subscribed_at: wireTime(),
      cancelled_at: wireTime(),
    });
    expectProblem(await cancel(token), PROBLEMS.already_cancelled);
    expect(await cancelled('5341112233')).toBe(1);
    expect(await events()).toMatchObject([
      {type: 'subscription.cancelled', data: {service: 'DEMO', subscription_id: subscription}},
    ]);
  });

  test('when the answer is lost the page says so, and asked again after twelve minutes that it was done', async () => {
    const {token, subscription} = await openManagement('landing');
    await setFault({operation: '/landing/cancel-subscription', kind: 'empty', times: 1, after: true});
    for (let attempt = 0; attempt < 2; attempt += 1) expectProblem(await cancel(token), PROBLEMS.outcome_unknown);
    expect(await sent('/landing/cancel-subscription')).toBe(1);
    await advance(12 * MINUTE);
    const {token: later} = await openMerchantSession({
      kind: 'management',
      via: 'landing',
      service: 'DEMO',
      subscription,
    });
    expectProblem(await cancel(later), PROBLEMS.already_cancelled);
    expect([await sent('/landing/cancel-subscription'), await cancelled('5341112233')]).toEqual([2, 1]);
  });

  test.for([
    ['031', PROBLEMS.subscription_not_found],
    ['033', PROBLEMS.cannot_cancel],
    ['029', PROBLEMS.platform_refused],
    ['005', PROBLEMS.outcome_unknown],
  ] as const)('%s has a word of its own', async ([status, problem]) => {
    const {token} = await openManagement('landing');
    await setFault({operation: '/landing/cancel-subscription', kind: 'status', status, times: 1});
    expectProblem(await cancel(token), problem);
  });
});

test('what cannot be ended says so', async () => {
  const {token, subscription} = await openManagement();
  await control(`subscriptions/${subscription}/status`, {status: 'rejected'});
  expect((await cancel(token)).body).toMatchObject({code: 'cannot_cancel'});
});

test('nobody ends what the session is not about', async () => {
  const {token} = await openManagement();
  for (const body of [{subscription: '4001'}, {service: 'OTHER'}, {id: 1}])
    expect((await cancel(token, body)).status).toBe(422);
  expectProblem(await show((await openOrder()).token), PROBLEMS.session_kind);
  const {token: nobodys} = await openMerchantSession({
    kind: 'management',
    via: 'micropayment',
    service: 'DEMO',
    subscription: '999999',
  });
  for (const answer of [await show(nobodys), await cancel(nobodys)])
    expectProblem(answer, PROBLEMS.subscription_not_found);
  const {token: number} = await openMerchantSession({
    kind: 'management',
    via: 'micropayment',
    service: 'DEMO',
    subscription: '5341112233',
  });
  expectProblem(await cancel(number), PROBLEMS.cannot_cancel);
  expect(await sent(CANCEL)).toBe(0);
  await advance(10 * MINUTE);
  expectProblem(await show(token), PROBLEMS.session_expired);
});

test('a page that is loaded again and again does not use up what the platform allows', async () => {
  const {token} = await openManagement();
  const load = async () => {
    await advance(SECOND);
    return (await show(token)).status;
  };
  for (let time = 0; time < 20; time += 1) expect(await load()).toBe(200);
  expect([await load(), await sent('/subscription/detail')]).toEqual([429, 20]);
});

test('where a GET might be sent twice nothing is ended', async () => {
  const origin = 'https://shop.example';
  const elsewhere = {
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
  const token = await contextOf(elsewhere).sessions.sign({
    kind: 'management',
    origin,
    via: 'micropayment',
    service: 'DEMO',
    subscription: '4001',
    expiresAt: Date.now() + MINUTE,
  });
  await replaceBindings(contextOf(elsewhere).objects.commands('DEMO'), elsewhere);
  const answer = await askAsPage('POST', '/v1/subscription/cancel', {token, bindings: elsewhere, headers: {origin}});
  expect(answer.body).toMatchObject({code: 'misconfigured'});
  expect(logLines('misconfigured')).toMatchObject([{names: ['EGRESS']}]);
});
