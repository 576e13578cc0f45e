import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, describe, expect, test} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import {bringAlarmForward, earliest, runSafely, scheduleAlarm} from '../../../worker/objects/alarm.ts';
import {HOUR, MINUTE, SECOND} from '../support/clock.ts';
import {alarmIn} from '../support/durable-objects.ts';
import {logLines} from '../support/log-lines.ts';

/** An object of any class. Each test gets a new object. */
let object: ReturnType<typeof newObject>;
const newObject = () => contextOf(env).objects.details(crypto.randomUUID());
const withStorage = (use: (storage: DurableObjectStorage) => Promise<void>) =>
  runInDurableObject(object, (_object, {storage}) => use(storage));

beforeEach(() => {
  object = newObject();
});

test('earliest ignores null and returns the smallest time', () => {
  expect(earliest(null, 5, 3, null)).toBe(3);
  expect(earliest(null, null)).toBeNull();
  expect(earliest()).toBeNull();
});

describe('scheduleAlarm', () => {
  test('scheduleAlarm plans the alarm for the earliest time', async () => {
    await withStorage((storage) => scheduleAlarm(storage, Date.now() + HOUR, null, Date.now() + MINUTE));
    expect(await alarmIn(object)).toBe(MINUTE);
  });

  test('scheduleAlarm plans the alarm for now if the time has passed', async () => {
    await withStorage((storage) => scheduleAlarm(storage, Date.now() - HOUR));
    expect(await alarmIn(object)).toBe(0);
  });

  test('scheduleAlarm deletes the alarm when nothing is due', async () => {
    await withStorage(async (storage) => {
      await scheduleAlarm(storage, Date.now() + HOUR);
      await scheduleAlarm(storage, null);
    });
    expect(await alarmIn(object)).toBeNull();
  });

  test('scheduleAlarm writes nothing when nothing is due and the object has no alarm', async () => {
    await withStorage(async (storage) => {
      const {databaseSize} = storage.sql;
      await scheduleAlarm(storage, null);
      expect(storage.sql.databaseSize).toBe(databaseSize);
    });
  });
});

test.for<[planned: number | null, wanted: number, toleranceMs: number, expected: number]>([
  [null, MINUTE, 0, MINUTE],
  [HOUR, MINUTE, 0, MINUTE],
  [SECOND, MINUTE, 0, SECOND],
  [HOUR, -MINUTE, 0, 0],
  [5 * MINUTE, 0, 5 * MINUTE, 5 * MINUTE],
  [5 * MINUTE + 1, 0, 5 * MINUTE, 0],
])(
  'bringAlarmForward: an alarm due in %o ms, wanted in %o ms with a tolerance of %o ms, becomes due in %o ms',
  async ([planned, wanted, toleranceMs, expected]) => {
    await withStorage(async (storage) => {
      await scheduleAlarm(storage, planned === null ? null : Date.now() + planned);
      await bringAlarmForward(storage, Date.now() + wanted, toleranceMs);
    });
    expect(await alarmIn(object)).toBe(expected);
  },
);

const fail = () => Promise.reject(new TypeError('a shopper’s name'));

describe('runSafely', () => {
  test('runSafely logs an error without its message, and calls onError', async () => {
    let tries = 0;
    await runSafely({service: 'DEMO'}, fail, () => (tries += 1));
    expect(tries).toBe(1);
    expect(logLines('internal_error')).toEqual([
      {level: 'error', event: 'internal_error', service: 'DEMO', error: expect.stringMatching(/^TypeError/)},
    ]);
    expect(JSON.stringify(logLines())).not.toContain('shopper');
  });

  test('runSafely does not call onError after a success', async () => {
    let tries = 0;
    await runSafely(
      {},
      () => Promise.resolve(),
      () => (tries += 1),
    );
    expect([tries, logLines()]).toEqual([0, []]);
  });
});
