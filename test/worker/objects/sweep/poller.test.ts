/** What Sweep and Charges share: when a list is read again. */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {type Backoff, Poller, type PollReader, type PollStore} from '../../../../worker/objects/sweep/poller.ts';
import {PlatformError} from '../../../../worker/platform/failure.ts';
import {MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn} from '../../support/durable-objects.ts';

/** Any object with an alarm; each test has a new one. */
let object: ReturnType<typeof newObject>;
const newObject = () => contextOf(env).objects.details(crypto.randomUUID());

interface Seen {
  backoff: Backoff;
  isOpen: boolean;
  stopped: number;
  readings: string[];
  failed: object[];
}

/** Every 3 seconds, twice as long after each failure, and as long as the circuit is open. */
let seen: Seen;
let read: () => Promise<void>;

beforeEach(() => {
  object = newObject();
  seen = {backoff: {readAt: 0, failures: 0, retryAfterMs: null}, isOpen: true, stopped: 0, readings: [], failed: []};
  read = () => Promise.resolve();
});

const use = (run: (poller: Poller) => Promise<unknown>) =>
  runInDurableObject(object, async (_object, {storage}) => {
    const store: PollStore = {
      service: () => 'DEMO',
      isAnyTracked: () => seen.isOpen,
      deleteClosed: () => undefined,
      recordWatch: () => undefined,
      asOf: () => 42,
      backoff: () => seen.backoff,
      setBackoff: (backoff) => (seen.backoff = backoff),
      markReading: (now) => (seen.backoff = {...seen.backoff, readAt: now}),
    };
    const reader: PollReader = {
      read: (service) => {
        seen.readings.push(service);
        return read();
      },
      interval: ({failures, retryAfterMs}) => retryAfterMs ?? 3 * SECOND * 2 ** failures,
      logFailure: (_error, about) => seen.failed.push(about),
      stop: () => (seen.stopped += 1),
    };
    await run(new Poller(storage, store, reader));
  });
const poll = () => use((poller) => poller.poll());

test('a reading that went well is followed by the next', async () => {
  await poll();
  expect(seen).toMatchObject({readings: ['DEMO'], failed: [], backoff: {readAt: Date.now(), failures: 0}});
  expect(await alarmIn(object)).toBe(3 * SECOND);
});

test('a reading that failed is followed by the next after a longer interval, whatever the error', async () => {
  read = () => Promise.reject(new TypeError('not the platform’s'));
  await poll();
  expect(seen.backoff).toEqual({readAt: Date.now(), failures: 1, retryAfterMs: null});
  expect(seen.failed).toEqual([{service: 'DEMO', retry_in_ms: 6 * SECOND}]);
  expect(await alarmIn(object)).toBe(6 * SECOND);
});

test('a reading that was not sent is no failure, and waits for the circuit', async () => {
  seen.backoff = {readAt: 0, failures: 2, retryAfterMs: null};
  read = () => Promise.reject(new PlatformError('chargeSearch', {outcome: 'unsent', retryAfterMs: MINUTE}));
  await poll();
  expect(seen.backoff).toEqual({readAt: Date.now(), failures: 2, retryAfterMs: MINUTE});
  expect(await alarmIn(object)).toBe(MINUTE);
});

test('a reading that begins is stored as begun: one that is cut off is not repeated at once', async () => {
  let begun: Backoff | undefined;
  read = () => {
    begun = seen.backoff;
    return Promise.resolve();
  };
  await poll();
  expect(begun?.readAt).toBe(Date.now());
});

test('when no order is open nothing is read, and the object sleeps', async () => {
  await use((poller) => poller.schedule());
  seen.isOpen = false;
  await poll();
  expect(seen).toMatchObject({readings: [], stopped: 1});
  expect(await alarmIn(object)).toBeNull();
  await use((poller) => poller.reportWatch({order: 'VZ-1', until: Date.now(), opened: true, settled: false}));
  expect(await alarmIn(object)).toBeNull();
});

test('a viewer hears when the platform was last asked, and brings the next reading forward', async () => {
  seen.backoff = {readAt: Date.now(), failures: 3, retryAfterMs: null};
  await use((poller) => poller.schedule());
  expect(await alarmIn(object)).toBe(24 * SECOND);
  seen.backoff = {readAt: Date.now(), failures: 0, retryAfterMs: null};
  const report = {order: 'VZ-1', until: Date.now() + MINUTE, opened: true, settled: false};
  await use(async (poller) => expect(await poller.reportWatch(report)).toEqual({asOf: 42}));
  expect(await alarmIn(object)).toBe(3 * SECOND);
});
