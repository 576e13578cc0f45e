import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {type Backoff, Poller, type PollReader, type PollStore} from '../../../../worker/objects/service/poller.ts';
import {PlatformError} from '../../../../worker/platform/failure.ts';
import {MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn} from '../../support/durable-objects.ts';

/** An object of any class. Each test gets a new object. */
let object: ReturnType<typeof newObject>;
const newObject = () => contextOf(env).objects.details(crypto.randomUUID());

/** The state of the fake store and the fake reader, and what they record. */
interface Recorded {
  backoff: Backoff;
  isOpen: boolean;
  stopped: number;
  readings: string[];
  failed: object[];
}

let recorded: Recorded;
let read: () => Promise<void>;

beforeEach(() => {
  object = newObject();
  recorded = {
    backoff: {readAt: 0, failures: 0, retryAfterMs: null},
    isOpen: true,
    stopped: 0,
    readings: [],
    failed: [],
  };
  read = () => Promise.resolve();
});

/**
 * Runs a poller. Its interval is 3 seconds and doubles with each failure; while the circuit is open, the interval is
 * the circuit's retry delay.
 */
const withPoller = (run: (poller: Poller) => Promise<unknown>) =>
  runInDurableObject(object, async (_object, {storage}) => {
    const store: PollStore = {
      service: () => 'DEMO',
      isAnyTracked: () => recorded.isOpen,
      deleteClosed: () => undefined,
      recordWatch: () => undefined,
      asOf: () => 42,
      readUntil: () => 42,
      backoff: () => recorded.backoff,
      setBackoff: (backoff) => (recorded.backoff = backoff),
      markReading: (now) => (recorded.backoff = {...recorded.backoff, readAt: now}),
    };
    const reader: PollReader = {
      read: (service) => {
        recorded.readings.push(service);
        return read();
      },
      interval: ({failures, retryAfterMs}) => retryAfterMs ?? 3 * SECOND * 2 ** failures,
      logFailure: (_error, about) => recorded.failed.push(about),
      stop: () => (recorded.stopped += 1),
    };
    await run(new Poller(storage, store, reader));
  });
const poll = () => withPoller((poller) => poller.poll());

test('after a successful poll the next poll follows at the normal interval', async () => {
  await poll();
  expect(recorded).toMatchObject({readings: ['DEMO'], failed: [], backoff: {readAt: Date.now(), failures: 0}});
  expect(await alarmIn(object)).toBe(3 * SECOND);
});

test('after a failed poll the next poll follows at twice the interval, even if the platform did not fail', async () => {
  read = () => Promise.reject(new TypeError('not the platform’s'));
  await poll();
  expect(recorded.backoff).toEqual({readAt: Date.now(), failures: 1, retryAfterMs: null});
  expect(recorded.failed).toEqual([{service: 'DEMO', retry_in_ms: 6 * SECOND}]);
  expect(await alarmIn(object)).toBe(6 * SECOND);
});

test('a poll that was not sent does not count as a failure, and the next poll follows after the retry delay', async () => {
  recorded.backoff = {readAt: 0, failures: 2, retryAfterMs: null};
  read = () => Promise.reject(new PlatformError('chargeSearch', {outcome: 'unsent', retryAfterMs: MINUTE}));
  await poll();
  expect(recorded.backoff).toEqual({readAt: Date.now(), failures: 2, retryAfterMs: MINUTE});
  expect(await alarmIn(object)).toBe(MINUTE);
});

test('the start of a poll is stored before the poll runs, so an interrupted poll is not repeated immediately', async () => {
  let duringPoll: Backoff | undefined;
  read = () => {
    duringPoll = recorded.backoff;
    return Promise.resolve();
  };
  await poll();
  expect(duringPoll?.readAt).toBe(Date.now());
});

test('when no order is open, nothing is read and no alarm is planned', async () => {
  recorded.isOpen = false;
  await poll();
  expect(recorded).toMatchObject({readings: [], stopped: 1});
  expect(await alarmIn(object)).toBeNull();
  await withPoller((poller) => poller.reportWatch({order: 'VZ-1', until: Date.now(), opened: true, settled: false}));
  expect(await alarmIn(object)).toBeNull();
});

test('`reportWatch` returns the time of the last poll, and brings the next poll forward', async () => {
  recorded.backoff = {readAt: Date.now(), failures: 3, retryAfterMs: null};
  await withPoller((poller) => poller.schedule());
  expect(await alarmIn(object)).toBe(24 * SECOND);
  recorded.backoff = {readAt: Date.now(), failures: 0, retryAfterMs: null};
  const report = {order: 'VZ-1', until: Date.now() + MINUTE, opened: true, settled: false};
  await withPoller(async (poller) => expect(await poller.reportWatch(report)).toEqual({asOf: 42}));
  expect(await alarmIn(object)).toBe(3 * SECOND);
});
