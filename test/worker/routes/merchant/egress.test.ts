/** The way calls take to the platform, and what may take it. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {Diagnosis} from '../../../../worker/contract/merchant/doctor.ts';
import {replaceBindings} from '../../support/durable-objects.ts';
import {ask, call, expectProblem, read} from './support/merchant-server.ts';

/** A set-up whose platform is elsewhere. */
const real = {
  ALLOWED_ORIGINS: 'https://shop.example',
  MICROPAYMENT_URL: 'https://platform.example/micropayment',
  MERCHANT_KEY: 'real-merchant-key',
  PHS_URL: 'https://platform.example/phs',
  PAYMENT_PAGE_URL: 'https://platform.example/pay',
  LANDING_URL: 'https://platform.example/landing',
  MERCHANT_PRIVATE_KEY: 'real-private-key',
  SERVICE_PRIVATE_KEYS: '{"DEMO":"real-service-key"}',
  LANDING_AUTHORIZATION: 'real-authorization',
  PAYMENT_PAGE_SECRET: 'real-page-secret',
  SESSION_SECRET: 'real-session-secret-that-is-long-enough',
  MERCHANT_API_KEY: 'real-merchant-api-key',
};
const headers = {authorization: 'Bearer real-merchant-api-key'};

/** A network behind the binding that notes what it is asked for. */
function platformBinding(answer: (url: string) => Response) {
  const asked: string[] = [];
  const fetch: Fetcher['fetch'] = (input, init) => {
    const {method, url, redirect} = new Request(input as Request, init);
    asked.push(`${method} ${url} ${redirect}`);
    return Promise.resolve(answer(url));
  };
  return {asked, PLATFORM: {fetch}};
}

/** What the doctor says of the way out. */
async function wayOut(bindings: object): Promise<unknown> {
  const {body} = await ask('/merchant/v1/doctor', {bindings: {...real, ...bindings}, headers});
  return (body as Diagnosis).checks.find(({name}) => name === 'egress');
}

const charge = {response: {result: 'SUCCESS', resultCode: '0000'}, transaction: {id: 7}};

test('with EGRESS=binding every call leaves by the binding, and no redirect is followed', async () => {
  const {asked, PLATFORM} = platformBinding(() => Response.json(charge));
  await call('getCharge', {service: 'DEMO', id: '7'}, {bindings: {...real, EGRESS: 'binding', PLATFORM}, headers});
  expect(asked).toEqual(['GET https://platform.example/micropayment/transaction/detail/123/1/7 manual']);
});

test('with EGRESS=binding the doctor goes the same way', async () => {
  const {asked, PLATFORM} = platformBinding(() => new Response('no', {status: 502}));
  expect((await ask('/merchant/v1/doctor', {bindings: {...real, EGRESS: 'binding', PLATFORM}, headers})).status).toBe(
    200,
  );
  expect(asked).toContain('POST https://platform.example/phs/getToken manual');
});

test('the doctor says what a way out cannot do, and what is not to be seen from here', async () => {
  const {PLATFORM} = platformBinding(() => new Response('no', {status: 502}));
  const action = 'Set EGRESS to `relay` if you need one of the three; docs/fixed-address.md has the steps.';
  const unseen =
    'From which address is not to be seen from here, and was compared with nothing; the platform is told 127.0.0.1.';
  const twice =
    'This way out may send a GET twice, so that charges are not refunded, subscriptions not cancelled and test numbers not reset by it.';
  expect(await wayOut({EGRESS: 'binding', PLATFORM})).toEqual({
    name: 'egress',
    state: 'warning',
    action,
    message: `Calls leave by the binding PLATFORM. ${unseen} ${twice}`,
  });
  const uncompared = {name: 'egress', state: 'skipped', action: null};
  expect(await wayOut({EGRESS: 'binding', PLATFORM, MICROPAYMENT_URL: undefined})).toEqual({
    ...uncompared,
    message: `Calls leave by the binding PLATFORM. ${unseen}`,
  });
  expect(await wayOut({MICROPAYMENT_URL: undefined})).toEqual({
    ...uncompared,
    message: `Calls leave straight from where the Worker runs, the edge or this host. ${unseen}`,
  });
  const {checks} = await read('examine', {});
  expect(checks[1]).toEqual({
    name: 'egress',
    state: 'ok',
    message: 'Calls go to the sandbox on this machine, which takes them from 127.0.0.1.',
    action: null,
  });
});

test('GETs that move money do not leave by a way that may send them twice', async () => {
  const {asked, PLATFORM} = platformBinding(() => Response.json(charge));
  // A proxy beside a Worker of one's own: an address of this machine makes no sandbox.
  const proxy = 'http://127.0.0.1:18399';
  const byProxy = {
    PHS_URL: `${proxy}/phs`,
    MICROPAYMENT_URL: `${proxy}/micropayment`,
    PAYMENT_PAGE_URL: `${proxy}/pay`,
    LANDING_URL: `${proxy}/landing`,
  };
  for (const way of [{}, {EGRESS: 'binding', PLATFORM}, {EGRESS: 'binding', PLATFORM, ...byProxy}]) {
    const bindings = {...real, ...way};
    await replaceBindings(contextOf({...env, ...bindings}).objects.commands('DEMO'), bindings);
    expectProblem(
      await call('cancelSubscription', {service: 'DEMO', id: '4001'}, {bindings, headers}),
      'egress_unsafe',
    );
    expectProblem(
      await call('resetTestNumber', {service: 'DEMO', msisdn: '5321234567'}, {bindings, headers}),
      'egress_unsafe',
    );
    expectProblem(await call('refundCharge', {service: 'DEMO', id: '7'}, {bindings, headers}), 'egress_unsafe');
    expectProblem(
      await call('cancelSubscription', {service: 'DEMO', id: '5321234567'}, {bindings, headers}),
      'test_number_refused',
      {fields: expect.any(Array) as []},
    );
  }
  expect(asked).toEqual([]);
});
