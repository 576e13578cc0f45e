/** What is valid reaches the platform unchanged; what is not never leaves the Worker. Over every input schema. */
import * as fc from 'fast-check';
import {beforeEach, expect, test, vi} from 'vitest';
import type {Endpoint} from '../../worker/contract/merchant/endpoint.ts';
import {type EndpointName, endpoints} from '../../worker/contract/merchant/endpoints.ts';
import {type OperationName, operations} from '../../worker/platform/operations/operations.ts';
import {inputsOf, spoiled} from './kit/arbitrary.ts';
import {call} from './kit/server.ts';

const RUNS = 20;
const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => name !== 'examine');
const row = (name: EndpointName): Endpoint => endpoints[name];

interface Sent {
  readonly url: string;
  readonly type: string;
  readonly body: string;
}
const sent: Sent[] = [];
const subscription = {id: 4001};
/** A platform that says yes to everything. */
const YES: Record<string, unknown> = {
  status: '000', token: '{T}', order: '8', code: '8', refund_id: 9, redirectUrl: 'https://pay.example/v', recordsFiltered: 0, banks: [],
  msisdn: '5321234567', operator: 1, transaction: {id: 1}, paymentNotification: {id: 1}, subscription, response: {result: 'SUCCESS', resultCode: '0000'},
  meta: {totalCount: 0}, subscriptions: [], transactions: [], messages: [], tokenData: {token: 't', redirectUrl: 'https://pay.example/t', expiryDate: null},
};

beforeEach(() => {
  sent.length = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input as string, init as RequestInit);
    // Read here: a body belongs to the object that sent it.
    const body = new TextDecoder().decode(await request.arrayBuffer());
    sent.push({url: request.url, type: request.headers.get('content-type') ?? '', body});
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

const local = (instant: string) => new Date(Date.parse(instant) + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const nextDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** Every value of the input, as the platform must get to see it. */
function expectedValues(value: unknown, key = ''): string[] {
  if (value === undefined || ['service', 'origin', 'redirect_url', 'back_url', 'cursor', 'when_exhausted'].includes(key)) return [];
  if (Array.isArray(value)) return value.flatMap((item) => expectedValues(item, key));
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([name, inner]) => expectedValues(inner, key === 'transaction_date' && name === 'value' ? key : name));
  if (key === 'apply_time' || key === 'transaction_date') return [local(String(value))];
  return [key === 'end_date' ? nextDay(String(value)) : String(value)];
}

/** Every value of what was sent, decoded. */
function sentValues({url, type, body}: Sent): string[] {
  const {pathname, searchParams} = new URL(url);
  const inBody = type.includes('json') ? leaves(JSON.parse(body)) : [...new URLSearchParams(body).values()];
  return [...pathname.split('/').map(decodeURIComponent), ...searchParams.values(), ...inBody];
}

function leaves(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];
}

test.for(names.filter((name) => row(name).operation !== null && name !== 'listBanks'))('what is valid for %s reaches the platform unchanged', async (name) => {
  await fc.assert(
    fc.asyncProperty(inputsOf(row(name).input), async (made) => {
      const input = sound(name, made as Record<string, unknown>);
      sent.length = 0;
      const answer = await call(name, input);
      expect(answer.status, answer.text).toBe(row(name).status);
      const {path} = operations[row(name).operation as OperationName];
      // What is read before is another operation.
      const request = sent.find(({url}) => new URL(url).pathname.includes(path.split('{')[0] ?? path));
      expect(sentValues(request as Sent)).toEqual(expect.arrayContaining(expectedValues(input)));
    }),
    {numRuns: RUNS, endOnFailure: true},
  );
});

/** What the Worker gets to see: the fields of an address and a query are text, and well-formed. */
function asSeen({method, path}: Endpoint, input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, method === 'GET' || path.includes(`{${name}}`) ? String(value).toWellFormed() : value]));
}

test.for(names)('what is not valid for %s never leaves', async (name) => {
  const spoiling = inputsOf(row(name).input).chain((input) => spoiled(sound(name, input as Record<string, unknown>)));
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
