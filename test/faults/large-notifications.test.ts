/**
 * Measures how much processor time and memory a large request body costs workerd. Anybody can send a body to the
 * notification routes (`/hooks/…`), and the same process serves all shoppers. The operating system measures time and
 * memory. Because a busy machine makes everything slower, each time is compared with another time of the same process.
 */

import {afterEach, beforeEach, expect, inject, test} from 'vitest';
import {planWorker} from './support/worker-plans.ts';
import {Workerd} from './support/workerd.ts';

const KEY = 'hush-0123456789abcdef0123456789abcdef';
const MEGABYTE = 1_048_576;
/** The system counts processor time in hundredths of a second, so one measurement sends many bytes in total. */
const MEASURED_BYTES = 8 * MEGABYTE;
const MAX_MEASURED_REQUESTS = 40;
/** A test takes the smallest of this many measurements, because other processes can only make a measurement larger. */
const ROUNDS = 2;
/** How many requests are sent before a measurement, because the first requests are slower. */
const WARM_UP_REQUESTS = 5;

let workerd: Workerd;

// Each test needs a new workerd, because a test measures by how much peak memory grows, and an earlier large body would
// have raised the peak.
beforeEach(async () => {
  // These bodies do not make the Worker call the platform, so no server needs to listen on port 9.
  const vars = {
    MICROPAYMENT_URL: 'http://127.0.0.1:9/micropayment',
    MERCHANT_PRIVATE_KEY: 'sandbox-merchant-private-key',
    SERVICES: '{"DEMO":{"micropaymentId":1}}',
    SERVICE_PRIVATE_KEYS: '{"DEMO":"sandbox-service-private-key"}',
    NOTIFICATIONS: 'payment billing subscription',
    NOTIFICATION_KEY: KEY,
  };
  workerd = await Workerd.start([planWorker('worker', inject('bundles'), 'http://127.0.0.1:9', vars)]);
});
afterEach(() => workerd.stop());

/** Returns the status of the answer and its error code or text. */
async function send(hook: string, body: string): Promise<string> {
  const response = await fetch(`${workerd.url('worker')}/hooks/${hook}?key=${KEY}`, {method: 'POST', body});
  const text = await response.text();
  return `${response.status} ${text.startsWith('{') ? (JSON.parse(text) as {code: string}).code : text}`;
}

/** Returns the answer to a body, and by how many bytes it makes peak memory grow. */
async function measureMemory(hook: string, body: string): Promise<{answer: string; bytes: number}> {
  await warmUp(hook, body);
  const before = workerd.peakBytes();
  const answer = await send(hook, body);
  return {answer, bytes: workerd.peakBytes() - before};
}

/** Returns the processor time of each body per megabyte, in ms. */
async function measureTimes(hook: string, bodies: readonly string[]): Promise<number[]> {
  const times = bodies.map(() => Number.POSITIVE_INFINITY);
  for (const body of bodies) await warmUp(hook, body);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, body] of bodies.entries()) {
      const startedAt = workerd.processorMs();
      const requests = Math.min(MEASURED_BYTES / body.length, MAX_MEASURED_REQUESTS);
      for (let sent = 0; sent < requests; sent += 1) await send(hook, body);
      const ms = (workerd.processorMs() - startedAt) / ((Math.ceil(requests) * body.length) / MEGABYTE);
      times[index] = Math.min(times[index] ?? ms, ms);
    }
  }
  return times;
}

async function warmUp(hook: string, body: string): Promise<void> {
  for (let count = 0; count < WARM_UP_REQUESTS; count += 1) await send(hook, body.slice(0, 100));
}

const SIZES = {'refund-result': 4 * MEGABYTE, payment: MEGABYTE, billing: 65_536} as const;
const fill = (part: string, bytes: number, [start, end] = ['', '']) =>
  start + part.repeat(Math.floor((bytes - start.length - end.length) / part.length)) + end;

/** Expects that a route handles a body of the largest allowed size quickly and with little memory. */
async function expectCheap(hook: keyof typeof SIZES, write: (bytes: number) => string, answer: string): Promise<void> {
  const bytes = SIZES[hook];
  const body = write(bytes);
  const measured = await measureMemory(hook, body);
  expect(measured.answer).toBe(answer);
  expect(measured.bytes).toBeLessThan(20 * MEGABYTE);
  // The Worker receives a body of spaces to its end and has nothing to parse.
  const [ms = 0, blankMs = 0] = await measureTimes(hook, [body, ' '.repeat(bytes)]);
  expect(ms / blankMs).toBeLessThan(2);
}

const writeObjects = (bytes: number): string => fill('{},', bytes, ['[', '{}]']);
const writeNumber = (bytes: number): string => fill('1', bytes, ['[', ']']);

test('every notification route handles an array of empty objects quickly and with little memory', async () => {
  for (const hook of Object.keys(SIZES) as (keyof typeof SIZES)[])
    await expectCheap(hook, writeObjects, '413 too_large');
});

// The Worker parses this body completely before it can refuse it. That takes memory of about four times its size.
test('the cost of one long number is proportional to its size', async () => {
  const measured = await measureMemory('refund-result', writeNumber(4 * MEGABYTE));
  expect(measured.answer).toBe('400 Wrong Data');
  expect(measured.bytes).toBeLessThan(48 * MEGABYTE);
  const bodies = [writeNumber(4 * MEGABYTE), writeNumber(MEGABYTE), ' '.repeat(4 * MEGABYTE)];
  const [ms = 0, smallMs = 0, blankMs = 0] = await measureTimes('refund-result', bodies);
  // These are times per megabyte. A quadratic cost would make the first ratio 4. The rest of the bound is for a busy
  // machine, on which the small body takes as little as nine of the system's hundredths of a second.
  expect(ms / smallMs).toBeLessThan(3);
  expect(ms / blankMs).toBeLessThan(5);
});
