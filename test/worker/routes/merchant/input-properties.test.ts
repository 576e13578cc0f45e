/** What is valid reaches the sandbox unchanged; what is not never leaves the Worker. Over every input schema. */

import * as fc from 'fast-check';
import {beforeEach, expect, test, vi} from 'vitest';
import type {Endpoint} from '../../../../worker/contract/merchant/endpoint.ts';
import {type EndpointName, endpoints} from '../../../../worker/contract/merchant/endpoints.ts';
import {type OperationName, operations} from '../../../../worker/platform/operations/index.ts';
import {calls, control} from '../../support/sandbox.ts';
import {expectedParams, type ExpectedCall} from './support/expected-params.ts';
import {validInputs, invalidInputs} from './support/generated-inputs.ts';
import {call} from './support/merchant-server.ts';

const RUNS = 20;
const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => name !== 'examine');
const row = (name: EndpointName): Endpoint => endpoints[name];

/** Addresses the Worker called. */
const sent: string[] = [];
const subscription = {id: 4001};
/** What the Worker hears whatever the sandbox answers: one that knows every order, and takes everything. */
const YES: Record<string, unknown> = {
  status: '000',
  token: '{T}',
  order: '8',
  code: '8',
  refund_id: 9,
  redirectUrl: 'https://pay.example/v',
  recordsFiltered: 0,
  banks: [],
  msisdn: '5321234567',
  operator: 1,
  transaction: {id: 1},
  paymentNotification: {id: 1},
  subscription,
  response: {result: 'SUCCESS', resultCode: '0000'},
  meta: {totalCount: 0},
  subscriptions: [],
  transactions: [],
  messages: [],
  tokenData: {token: 't', redirectUrl: 'https://pay.example/t', expiryDate: null},
};

const {fetch} = globalThis;
beforeEach(async () => {
  await control('reset');
  sent.length = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input as string, init as RequestInit);
    if (new URL(request.url).pathname.startsWith('/_sandbox/')) return fetch(request);
    sent.push(request.url);
    await (await fetch(request)).arrayBuffer();
    const data = /search|getByOrder/.test(request.url) ? [] : {id: 1};
    return new Response(JSON.stringify({...YES, data}));
  });
});

/** Inputs that our services, pages and rules take too. */
function sound(name: EndpointName, input: Record<string, unknown>): Record<string, unknown> {
  const fitted = {...input};
  if ('service' in fitted) fitted['service'] = 'DEMO';
  if ('origin' in fitted) fitted['origin'] = 'http://localhost:5173';
  delete fitted['cursor'];
  if (name === 'resetTestNumber') fitted['msisdn'] = '5321234567';
  if (name === 'cancelSubscription' && /^5\d{9}$/.test(String(fitted['id']))) fitted['id'] = '4001';
  return fitted;
}

test.for(names.filter((name) => row(name).operation !== null && name !== 'listBanks'))(
  'what is valid for %s reaches the sandbox unchanged, each field under its name',
  async (name) => {
    const {path} = operations[row(name).operation as OperationName];
    // What is read before is another operation.
    const isIts = (address: string) => address.includes(path.split('{')[0] ?? path);
    const expected: {place: number; read: ExpectedCall}[] = [];
    await fc.assert(
      fc.asyncProperty(validInputs(row(name).input), async (made) => {
        const input = sound(name, made as Record<string, unknown>);
        const answer = await call(name, input);
        expect(answer.status, answer.text).toBe(row(name).status);
        expected.push({place: sent.filter(isIts).length - 1, read: expectedParams(name, input)});
      }),
      {numRuns: RUNS, endOnFailure: true},
    );
    const asked = (await calls()).filter((one) => isIts(one.path));
    for (const {
      place,
      read: {params, last},
    } of expected) {
      expect(asked[place]?.params).toMatchObject(params);
      if (last !== undefined) expect(decodeURIComponent(asked[place]?.path.split('/').at(-1) ?? '')).toBe(last);
    }
  },
);

/** What the Worker gets to see: the fields of an address and a query are text, and well-formed. */
function asSeen({method, path}: Endpoint, input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      method === 'GET' || path.includes(`{${name}}`) ? String(value).toWellFormed() : value,
    ]),
  );
}

test.for(names)('what is not valid for %s never leaves', async (name) => {
  const spoiling = validInputs(row(name).input).chain((input) =>
    invalidInputs(sound(name, input as Record<string, unknown>)),
  );
  await fc.assert(
    fc.asyncProperty(spoiling, async (input) => {
      const named = [...row(name).path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field);
      fc.pre(named.every((field) => field in input) && !row(name).input.safeParse(asSeen(row(name), input)).success);
      sent.length = 0;
      const answer = await call(name, input);
      expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
      expect(answer.status, answer.text).toBeLessThan(500);
      expect(sent).toEqual([]);
    }),
    {numRuns: RUNS, endOnFailure: true},
  );
});
