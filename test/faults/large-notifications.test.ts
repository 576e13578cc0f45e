/** What a body that anybody may send to a hook costs the workerd that every shopper shares: its time and memory are measured from outside. */

import {afterEach, beforeEach, expect, inject, test} from 'vitest';
import {planWorker} from './support/worker-plans.ts';
import {Workerd} from './support/workerd.ts';

const MEGABYTE = 1_048_576;
/** Processor time is counted in hundredths of a second: the mean of so many answers counts. */
const TRIES = 20;

let workerd: Workerd;

// Each test measures how the most memory grows of one that has had no large body before.
beforeEach(async () => {
  // Nobody listens there: no body of these makes the Worker ask the platform.
  const vars = {
    MICROPAYMENT_URL: 'http://127.0.0.1:9/micropayment',
    MERCHANT_PRIVATE_KEY: 'sandbox-merchant-private-key',
    SERVICES: '{"DEMO":{"micropaymentId":1}}',
    SERVICE_PRIVATE_KEYS: '{"DEMO":"sandbox-service-private-key"}',
    NOTIFICATIONS: 'payment billing subscription',
  };
  workerd = await Workerd.start([planWorker('worker', inject('bundles'), 'http://127.0.0.1:9', vars)]);
});
afterEach(() => workerd.stop());

async function tell(hook: string, body: string): Promise<string> {
  const response = await fetch(`${workerd.url('worker')}/hooks/${hook}`, {method: 'POST', body});
  const text = await response.text();
  return `${response.status} ${text.startsWith('{') ? (JSON.parse(text) as {code: string}).code : text}`;
}

interface Measured {
  readonly answer: string;
  /** Processor time of an answer. */
  readonly ms: number;
  /** By how much the most memory grew. */
  readonly bytes: number;
}

async function measure(hook: string, body: string): Promise<Measured> {
  for (let count = 0; count < 5; count += 1) await tell(hook, body.slice(0, 100));
  const before = workerd.peakBytes();
  const answer = await tell(hook, body);
  const bytes = workerd.peakBytes() - before;
  const startedAt = workerd.processorMs();
  for (let count = 0; count < TRIES; count += 1) await tell(hook, body);
  const ms = (workerd.processorMs() - startedAt) / TRIES;
  return {answer, ms, bytes};
}

const SIZES = {'refund-result': 4 * MEGABYTE, payment: MEGABYTE, billing: 65_536} as const;
const fill = (part: string, bytes: number, [start, end] = ['', '']) =>
  start + part.repeat(Math.floor((bytes - start.length - end.length) / part.length)) + end;

test.for<[name: string, write: (bytes: number) => string, answer: string]>([
  ['a form of empty fields', (bytes) => fill('a&', bytes), '400 Wrong Data'],
  ['an array of empty objects', (bytes) => fill('{},', bytes, ['[', '{}]']), '413 too_large'],
  ['an array of numbers', (bytes) => fill('1.1,', bytes, ['[', '1]']), '413 too_large'],
  ['arrays within arrays', (bytes) => fill('[', bytes), '400 Wrong Data'],
  ['one object of many fields', (bytes) => fill('"a":1,', bytes, ['{', '"b":1}']), '413 too_large'],
  [
    'such JSON behind spaces and a byte order mark',
    (bytes) => fill('{},', bytes - 100, [`\uFEFF${' '.repeat(90)}[`, '{}]']),
    '413 too_large',
  ],
])('%s is answered at once by every hook, and holds no memory', {timeout: 120_000}, async ([, write, answer]) => {
  for (const [hook, bytes] of Object.entries(SIZES)) {
    const measured = await measure(hook, write(bytes));
    expectWithin(measured, {answer, ms: 50, megabytes: 20});
  }
});

// Their parts are within bounds or hidden, so that they are read as a whole: four times their size, and no more.
test.for<[name: string, write: (bytes: number) => string, answer: string]>([
  ['a form with too many objects in a field', (bytes) => fill('{},', bytes, ['a=1&data=[', '{}]']), '413 too_large'],
  ['one long text', (bytes) => fill('{,', bytes, ['["', '"]']), '400 Wrong Data'],
  ['one long number', (bytes) => fill('1', bytes, ['[', ']']), '400 Wrong Data'],
])('%s costs what its size costs', {timeout: 120_000}, async ([, write, answer]) => {
  expectWithin(await measure('refund-result', write(4 * MEGABYTE)), {answer, ms: 200, megabytes: 48});
});

function expectWithin(
  measured: Measured,
  {answer, ms, megabytes}: {answer: string; ms: number; megabytes: number},
): void {
  expect(measured.answer).toBe(answer);
  expect(measured.ms).toBeLessThan(ms);
  expect(measured.bytes).toBeLessThan(megabytes * MEGABYTE);
}
