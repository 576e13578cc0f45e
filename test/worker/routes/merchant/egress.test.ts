/** Tests how the Worker's calls reach the platform (the egress), and which calls each egress may carry. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {Diagnosis} from '../../../../worker/contract/merchant/doctor.ts';
import {replaceBindings} from '../../support/durable-objects.ts';
import {ask, call, expectProblem, read} from './support/merchant-server.ts';

/** Bindings for a platform that is not the sandbox. */
const production = {
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

/** A binding `PLATFORM` that records the requests that it gets. */
function platformBinding(answer: (url: string) => Response) {
  const requests: string[] = [];
  const fetch: Fetcher['fetch'] = (input, init) => {
    const {method, url, redirect} = new Request(input as Request, init);
    requests.push(`${method} ${url} ${redirect}`);
    return Promise.resolve(answer(url));
  };
  return {requests, PLATFORM: {fetch}};
}

/** The doctor's finding about the egress. */
async function egressFinding(bindings: object): Promise<unknown> {
  const {body} = await ask('/merchant/v1/doctor', {bindings: {...production, ...bindings}, headers});
  return (body as Diagnosis).checks.find(({name}) => name === 'egress');
}

const charge = {response: {result: 'SUCCESS', resultCode: '0000'}, transaction: {id: 7}};

test('with EGRESS=binding, calls go through the binding, and redirects are not followed', async () => {
  const {requests, PLATFORM} = platformBinding(() => Response.json(charge));
  await call(
    'getCharge',
    {service: 'DEMO', id: '7'},
    {bindings: {...production, EGRESS: 'binding', PLATFORM}, headers},
  );
  expect(requests).toEqual(['GET https://platform.example/micropayment/transaction/detail/123/1/7 manual']);
});

test('with EGRESS=binding, the doctor’s calls also go through the binding', async () => {
  const {requests, PLATFORM} = platformBinding(() => new Response('no', {status: 502}));
  expect(
    (await ask('/merchant/v1/doctor', {bindings: {...production, EGRESS: 'binding', PLATFORM}, headers})).status,
  ).toBe(200);
  expect(requests).toContain('POST https://platform.example/phs/getToken manual');
});

test('the doctor says which calls the egress may not carry, and that the calls’ IP address is unknown', async () => {
  const {PLATFORM} = platformBinding(() => new Response('no', {status: 502}));
  const action =
    'To refund charges, cancel subscriptions or reset test numbers, set EGRESS to `relay`; docs/fixed-address.md has ' +
    'the steps.';
  const unknownAddress =
    'The Worker does not know their IP address, so it was not compared with MERCHANT_IP (127.0.0.1).';
  const repeatedGets =
    'This egress may send a GET twice, so the Worker does not refund charges, cancel subscriptions or reset test ' +
    'numbers through it.';
  expect(await egressFinding({EGRESS: 'binding', PLATFORM})).toEqual({
    name: 'egress',
    state: 'warning',
    action,
    message: `Calls leave through the binding PLATFORM. ${unknownAddress} ${repeatedGets}`,
  });
  const skipped = {name: 'egress', state: 'skipped', action: null};
  expect(await egressFinding({EGRESS: 'binding', PLATFORM, MICROPAYMENT_URL: undefined})).toEqual({
    ...skipped,
    message: `Calls leave through the binding PLATFORM. ${unknownAddress}`,
  });
  expect(await egressFinding({MICROPAYMENT_URL: undefined})).toEqual({
    ...skipped,
    message: `Calls leave directly from the edge or from the Worker’s host. ${unknownAddress}`,
  });
  const {checks} = await read('examine', {});
  expect(checks[1]).toEqual({
    name: 'egress',
    state: 'ok',
    message: 'Calls go to the sandbox on this machine, which accepts them as calls from 127.0.0.1.',
    action: null,
  });
});

test('the Worker does not send GET requests that move money if its egress may send them twice', async () => {
  const {requests, PLATFORM} = platformBinding(() => Response.json(charge));
  // A platform URL on this machine does not mean the sandbox: it may be a local proxy to a real platform.
  const proxy = 'http://127.0.0.1:18399';
  const proxyUrls = {
    PHS_URL: `${proxy}/phs`,
    MICROPAYMENT_URL: `${proxy}/micropayment`,
    PAYMENT_PAGE_URL: `${proxy}/pay`,
    LANDING_URL: `${proxy}/landing`,
  };
  for (const egress of [{}, {EGRESS: 'binding', PLATFORM}, {EGRESS: 'binding', PLATFORM, ...proxyUrls}]) {
    const bindings = {...production, ...egress};
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
  expect(requests).toEqual([]);
});
