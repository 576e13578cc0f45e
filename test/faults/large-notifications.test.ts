/**
 * Measures how much processor time and memory a large request body costs workerd. Anybody can send a body to the
 * notification routes (`/hooks/…`), and all shoppers share the process. The operating system measures time and memory.
 */

import {afterEach, beforeEach, expect, inject, test} from 'vitest';
import {planWorker} from './support/worker-plans.ts';
import {Workerd} from './support/workerd.ts';

const MEGABYTE = 1_048_576;
/** The system counts processor time in hundredths of a second, so a test takes the mean of this many requests. */
const TRIES = 5;

let workerd: Workerd;

// Each test needs a new workerd: it measures how peak memory grows, so no large body may have come before.
beforeEach(async () => {
  // No server listens on port 9, because none of these bodies makes the Worker call the platform.
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

/** Returns the status of the answer and its error code or text. */
async function send(hook: string, body: string): Promise<string> {
  const response = await fetch(`${workerd.url('worker')}/hooks/${hook}`, {method: 'POST', body});
  const text = await response.text();
  return `${response.status} ${text.startsWith('{') ? (JSON.parse(text) as {code: string}).code : text}`;
}

interface Measurement {
  readonly answer: string;
  /** Processor time per request. */
  readonly ms: number;
  /** Growth of peak memory. */
  readonly bytes: number;
}

async function measure(hook: string, body: string): Promise<Measurement> {
  for (let count = 0; count < 5; count += 1) await send(hook, body.slice(0, 100));
  const before = workerd.peakBytes();
  const answer = await send(hook, body);
  const bytes = workerd.peakBytes() - before;
  const startedAt = workerd.processorMs();
  for (let count = 0; count < TRIES; count += 1) await send(hook, body);
  const ms = (workerd.processorMs() - startedAt) / TRIES;
  return {answer, ms, bytes};
}

const SIZES = {'refund-result': 4 * MEGABYTE, payment: MEGABYTE, billing: 65_536} as const;
const fill = (part: string, bytes: number, [start, end] = ['', '']) =>
  start + part.repeat(Math.floor((bytes - start.length - end.length) / part.length)) + end;

test.for<[name: string, write: (bytes: number) => string, answer: string]>([
  ['a form of empty fields', (bytes) => fill('a&', bytes), '413 too_large'],
  ['an array of empty objects', (bytes) => fill('{},', bytes, ['[', '{}]']), '413 too_large'],
  ['an array of numbers', (bytes) => fill('1.1,', bytes, ['[', '1]']), '413 too_large'],
  ['arrays within arrays', (bytes) => fill('[', bytes), '400 Wrong Data'],
  ['one object of many fields', (bytes) => fill('"a":1,', bytes, ['{', '"b":1}']), '413 too_large'],
  [
    'JSON after spaces and a byte order mark',
    (bytes) => fill('{},', bytes - 100, [`\uFEFF${' '.repeat(90)}[`, '{}]']),
    '413 too_large',
  ],
])(
  'every notification route handles %s quickly and with little memory',
  {timeout: 120_000},
  async ([, write, answer]) => {
    for (const [hook, bytes] of Object.entries(SIZES)) {
      const measurement = await measure(hook, write(bytes));
      expectWithin(measurement, {answer, ms: 50, megabytes: 20});
    }
  },
);

// The Worker cannot see early that these bodies have too many parts, so it parses them completely. That takes memory of
// four times their size.
test.for<[name: string, write: (bytes: number) => string, answer: string]>([
  ['a form with too many objects in a field', (bytes) => fill('{},', bytes, ['a=1&data=[', '{}]']), '413 too_large'],
  ['one long text', (bytes) => fill('{,', bytes, ['["', '"]']), '400 Wrong Data'],
  ['one long number', (bytes) => fill('1', bytes, ['[', ']']), '400 Wrong Data'],
])('the cost of %s is proportional to its size', {timeout: 120_000}, async ([, write, answer]) => {
  expectWithin(await measure('refund-result', write(4 * MEGABYTE)), {answer, ms: 200, megabytes: 48});
});

function expectWithin(
  measurement: Measurement,
  {answer, ms, megabytes}: {answer: string; ms: number; megabytes: number},
): void {
  expect(measurement.answer).toBe(answer);
  expect(measurement.ms).toBeLessThan(ms);
  expect(measurement.bytes).toBeLessThan(megabytes * MEGABYTE);
}
