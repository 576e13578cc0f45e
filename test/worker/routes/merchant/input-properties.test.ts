/**
 * Tests every input schema with generated inputs: valid inputs reach the sandbox unchanged, and invalid inputs are not
 * sent.
 */

import * as fc from 'fast-check';
import {beforeEach, expect, inject, test, vi} from 'vitest';
import type {MerchantEndpoint} from '../../../../worker/contract/endpoint.ts';
import {type EndpointName, endpoints} from '../../../../worker/contract/merchant/endpoints.ts';
import {readEmptyTables} from '../../../../worker/http/empty-tables.ts';
import {type OperationName, operations} from '../../../../worker/platform/operations/index.ts';
import {calls, control} from '../../support/sandbox.ts';
import {expectedParams, type ExpectedCall} from './support/expected-params.ts';
import {validInputs, invalidInputs} from './support/generated-inputs.ts';
import {call} from './support/merchant-server.ts';

/** The cases of each endpoint: few in `npm test`, and more in `npm run bench -- generated-requests`. */
const RUNS = Math.ceil(inject('generatedCases') / 70);
const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => name !== 'examine');
const row = (name: EndpointName): MerchantEndpoint => endpoints[name];

/** URLs that the Worker called. */
const sent: string[] = [];
const subscription = {id: 0};
/**
 * The reply that the Worker gets instead of the sandbox's reply: a success for every operation. Its records do not say
 * which they are.
 */
const SUCCESS: Record<string, unknown> = {
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
  transaction: {id: 0},
  paymentNotification: {id: 0},
  subscription,
  response: {result: 'SUCCESS', resultCode: '0000'},
  meta: {totalCount: 0},
  subscriptions: [],
  transactions: [],
  messages: [],
  tokenData: {token: 't', redirectUrl: 'https://pay.example/t', expiryDate: null},
};

const {fetch} = globalThis;
beforeEach(() => {
  sent.length = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input as string, init as RequestInit);
    if (new URL(request.url).pathname.startsWith('/_sandbox/')) return fetch(request);
    sent.push(request.url);
    await (await fetch(request)).arrayBuffer();
    const data = /search|getByOrder/.test(request.url) ? [] : {id: 0};
    return new Response(JSON.stringify({...SUCCESS, data}));
  });
});

/** Changes a valid input so that its service and origin are configured, and so that it fits rules beyond the schema. */
function acceptableInput(name: EndpointName, input: Record<string, unknown>): Record<string, unknown> {
  const fitted = {...input};
  if ('service' in fitted) fitted['service'] = 'DEMO';
  if ('origin' in fitted) fitted['origin'] = 'http://localhost:5173';
  delete fitted['cursor'];
  // This field does not reach the platform: the Worker itself filters the refunds by service.
  if (name === 'listRefunds') delete fitted['service'];
  // Without an amount, the order decides whether anything is sent.
  if (name === 'createRefund') {
    fitted['amount'] ??= '149.90';
    delete fitted['reason'];
  }
  if (name === 'resetTestNumber') fitted['msisdn'] = '5321234567';
  if (name === 'cancelSubscription' && /^5\d{9}$/.test(String(fitted['id']))) fitted['id'] = '4001';
  return fitted;
}

test('a valid input of each operation reaches the sandbox unchanged, with the platform’s name for each field', async () => {
  for (const name of names.filter((each) => row(each).operation !== undefined && each !== 'listBanks')) {
    await control('reset');
    sent.length = 0;
    const {path} = operations[row(name).operation as OperationName];
    // To read the state, the Worker may call other operations before this operation.
    const isOperationUrl = (url: string) => url.includes(path.split('{')[0] ?? path);
    const expected: {index: number; call: ExpectedCall}[] = [];
    await fc.assert(
      fc.asyncProperty(validInputs(row(name).input), async (validInput) => {
        const input = acceptableInput(name, validInput as Record<string, unknown>);
        const answer = await call(name, input);
        expect(answer.status, `${name}: ${answer.text}`).toBe(row(name).status ?? 200);
        expected.push({index: sent.filter(isOperationUrl).length - 1, call: expectedParams(name, input)});
      }),
      {numRuns: RUNS, endOnFailure: true},
    );
    const received = (await calls()).filter((one) => isOperationUrl(one.path));
    for (const {
      index,
      call: {params, last},
    } of expected) {
      expect(received[index]?.params, name).toMatchObject(params);
      if (last !== undefined) expect(decodeURIComponent(received[index]?.path.split('/').at(-1) ?? '')).toBe(last);
    }
  }
});

/** The input as the Worker receives it: fields in the path or the query become well-formed text. */
function asReceived({method, path}: MerchantEndpoint, input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      method === 'GET' || path.includes(`{${name}}`) ? String(value).toWellFormed() : value,
    ]),
  );
}

test('an invalid input of any endpoint is refused, and nothing is sent', async () => {
  for (const name of names) await expectRefusals(name);
});

async function expectRefusals(name: EndpointName): Promise<void> {
  const candidates = validInputs(row(name).input).chain((input) =>
    invalidInputs(acceptableInput(name, input as Record<string, unknown>)),
  );
  await fc.assert(
    fc.asyncProperty(candidates, async (input) => {
      const pathFields = [...row(name).path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field);
      fc.pre(
        // Without an id, the request would reach the endpoint of the list.
        pathFields.every((field) => asReceived(row(name), input)[field] ?? '') &&
          // An empty list in place of a table is read as an empty table.
          !row(name).input.safeParse(readEmptyTables(row(name).input, asReceived(row(name), input))).success,
      );
      sent.length = 0;
      const answer = await call(name, input);
      expect(answer.status, `${name}: ${answer.text}`).toBeGreaterThanOrEqual(400);
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(500);
      expect(sent).toEqual([]);
    }),
    {numRuns: RUNS, endOnFailure: true},
  );
}
