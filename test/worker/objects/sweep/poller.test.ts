import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {exports} from 'cloudflare:workers';
import {beforeEach, expect, test} from 'vitest';
import type {Schedule, Tasks} from '../../../../worker/objects/schedule.ts';
import {Poller, type PollReader, type PollStore} from '../../../../worker/objects/service/poller.ts';
import {PlatformError} from '../../../../worker/platform/failure.ts';
import {advance, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn} from '../../support/durable-objects.ts';

/** An object of any class. Each test gets a new object. */
let object: ReturnType<typeof newObject>;
const newObject = () => exports.Platform.getByName(crypto.randomUUID());

/** The state of the fake store and the fake reader, and what they record. */
let recorded: {
  isOpen: boolean;
  readAt: number;
  intervalMs: number;
  /** The interval from this time on. */
  later: {from: number; intervalMs: number} | null;
  stopped: number;
  readings: string[];
  failed: object[];
};
let read: () => Promise<void>;

beforeEach(() => {
  object = newObject();
  recorded = {isOpen: true, readAt: 0, intervalMs: 3 * SECOND, later: null, stopped: 0, readings: [], failed: []};
  read = () => Promise.resolve();
});

interface Base {
  tasks: Tasks;
  readonly schedule: Schedule;
  plan(): void;
}

const STORE: PollStore = {
  isAnyTracked: () => recorded.isOpen,
  deleteClosed: () => undefined,
  asOf: () => 42,
  readAt: () => recorded.readAt,
  readUntil: () => 42,
};
const READER: PollReader = {
  retry: {firstMs: 6 * SECOND, maxMs: 15 * SECOND},
  maxPauseMs: 2 * MINUTE,
  read: (service) => {
    recorded.readings.push(service);
    recorded.readAt = Date.now();
    return read();
  },
  interval: (at) => (at < (recorded.later?.from ?? Infinity) ? recorded.intervalMs : (recorded.later?.intervalMs ?? 0)),
  logFailure: (_error, about) => recorded.failed.push(about),
  stop: () => (recorded.stopped += 1),
};

/** Uses an object that polls a list. */
const withPoller = (use: (poller: Poller, base: Base) => unknown) =>
  runInDurableObject(object, async (instance) => {
    const base = instance as unknown as Base;
    const poller =
      (base.tasks['list'] as Poller | undefined) ?? new Poller('list', base.schedule, () => 'DEMO', STORE, READER);
    base.tasks = {list: poller};
    base.plan();
    await use(poller, base);
  });

async function poll(): Promise<void> {
  await withPoller(() => undefined);
  await advance(Math.max(0, (await alarmIn(object)) ?? 0));
  await runDurableObjectAlarm(object);
}

const unsent = (retryAfterMs: number) => new PlatformError('chargeSearch', {outcome: 'unsent', retryAfterMs});

test('after a successful poll the next poll follows at the normal interval', async () => {
  await poll();
  expect(recorded).toMatchObject({readings: ['DEMO'], failed: []});
  expect(await alarmIn(object)).toBe(3 * SECOND);
});

test.for<[error: Error, intervalMs: number, delays: number[]]>([
  [new TypeError('not the platform’s'), 3_000, [6_000, 12_000, 15_000, 15_000]],
  [new TypeError('not the platform’s'), 60_000, [60_000, 60_000]],
  [unsent(9_000), 3_000, [9_000, 9_000]],
  [unsent(1), 3_000, [3_000, 3_000]],
  [unsent(300_000), 3_000, [120_000]],
  [unsent(9_000), 300_000, [300_000]],
])('while polls end with %s, an interval of %i ms becomes %o', async ([error, intervalMs, delays]) => {
  recorded.intervalMs = intervalMs;
  read = () => Promise.reject(error);
  for (const delayMs of delays) {
    await poll();
    expect(await alarmIn(object)).toBe(delayMs);
    expect(recorded.failed.at(-1)).toEqual({service: 'DEMO', retry_in_ms: delayMs});
  }
  read = () => Promise.resolve();
  await poll();
  expect(await alarmIn(object)).toBe(intervalMs);
});

test('a poll that was not sent does not count as a failure', async () => {
  const errors = [new TypeError(), unsent(MINUTE), new TypeError()];
  read = () => Promise.reject(errors.shift());
  for (const delayMs of [6 * SECOND, MINUTE, 12 * SECOND]) {
    await poll();
    expect(await alarmIn(object)).toBe(delayMs);
  }
});

test('when no order is open any more, the poll says so, and no poll is planned', async () => {
  read = async () => void (recorded.isOpen = false);
  await poll();
  expect(recorded).toMatchObject({readings: ['DEMO'], stopped: 1});
  expect(await alarmIn(object)).toBeNull();
});

test('a planned poll is brought forward, and does not move to a later time', async () => {
  recorded.intervalMs = MINUTE;
  await poll();
  for (const [intervalMs, dueIn] of [
    [15 * SECOND, 15 * SECOND],
    [3 * SECOND, 3 * SECOND],
    [MINUTE, 3 * SECOND],
  ] as const) {
    recorded.intervalMs = intervalMs;
    await withPoller((poller) => {
      poller.keepPlan(Date.now());
      expect(poller.times()).toEqual({asOf: 42, nextAt: Date.now() + dueIn});
    });
    expect(await alarmIn(object)).toBe(dueIn);
  }
});

test('who asks for the times of the polls, also during a poll, plans none', async () => {
  await withPoller((poller) => {
    read = async () => {
      expect(poller.times().nextAt).toBe(Date.now() + 3 * SECOND);
      recorded.intervalMs = MINUTE;
    };
  });
  await poll();
  expect(await alarmIn(object)).toBe(MINUTE);
  recorded.intervalMs = 3 * SECOND;
  await withPoller((poller) => void poller.times());
  recorded.intervalMs = MINUTE;
  await withPoller((poller) => expect(poller.times().nextAt).toBe(Date.now() + MINUTE));
});

test.for<[becomes: string, intervalMs: number]>([
  ['longer', MINUTE],
  ['shorter', SECOND],
])('time alone does not move a poll, if its interval becomes %s', async ([, intervalMs]) => {
  await poll();
  const due = Date.now() + 3 * SECOND;
  recorded.later = {from: Date.now() + 2 * SECOND, intervalMs};
  await advance(2 * SECOND);
  await withPoller((poller) => expect(poller.dueAt()).toBe(due));
  // After the object woke, it has planned nothing yet.
  await evictDurableObject(object);
  await withPoller((poller) => expect(poller.dueAt()).toBe(due));
  expect(await alarmIn(object)).toBe(SECOND);
});
