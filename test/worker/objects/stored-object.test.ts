import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {exports} from 'cloudflare:workers';
import {beforeEach, describe, expect, test, vi} from 'vitest';
import type {ObjectStorage} from '../../../worker/objects/object-storage.ts';
import {
  earliest,
  type Schedule,
  type StandingTask,
  type TaskKind,
  type Tasks,
} from '../../../worker/objects/schedule.ts';
import {advance, HOUR, MINUTE, SECOND} from '../support/clock.ts';
import {alarmIn} from '../support/durable-objects.ts';
import {logLines} from '../support/log-lines.ts';

/** The parts of a `StoredObject` that its classes use. */
interface Base {
  tasks: Tasks;
  readonly storage: ObjectStorage;
  readonly schedule: Schedule;
  plan(): void;
  runNow(kind: string): Promise<void>;
}

/** An object of any class, with tasks of the test. Each test gets a new object. */
let stub: DurableObjectStub;
beforeEach(() => {
  stub = exports.Platform.getByName(crypto.randomUUID());
});
const inObject = <T>(use: (object: Base) => T | Promise<T>): Promise<T> =>
  runInDurableObject(stub, (object) => use(object as unknown as Base));

const RETRY = {firstMs: 10 * SECOND, maxMs: MINUTE};
/** A kind that records what it gets. Each run ends with the next of these results; an error is thrown. */
function kind(...results: (Error | 'retry' | {at: number} | undefined)[]): TaskKind<string> & {runs: string[]} {
  const runs: string[] = [];
  return {
    retry: RETRY,
    runs,
    async run(payload) {
      runs.push(payload);
      const result = results.shift();
      if (result instanceof Error) throw result;
      return result;
    },
  };
}
/** A standing task that is due at a time in the key `due`, which its run deletes. */
const standing = (
  object: Base,
  run: StandingTask['run'] = async () => void object.storage.kv.delete('due'),
): StandingTask => ({
  retry: RETRY,
  dueAt: () => object.storage.kv.get<number>('due') ?? null,
  run,
});
const fail = () => Promise.reject(new TypeError('a shopper’s name'));

test('earliest ignores null and returns the smallest time', () => {
  expect(earliest(null, 5, 3, null)).toBe(3);
  expect(earliest(null, null)).toBeNull();
  expect(earliest()).toBeNull();
});

describe('the alarm', () => {
  test('is planned for the task that is due first, in the turn of the write', async () => {
    await inObject((object) => {
      object.tasks = {letter: kind(), other: kind()};
      object.schedule.add('letter', 'a', '', Date.now() + HOUR);
      object.schedule.add('other', 'b', '', Date.now() + MINUTE);
    });
    expect(await alarmIn(stub)).toBe(MINUTE);
  });

  test('is planned for now if the time has passed', async () => {
    await inObject((object) => {
      object.tasks = {letter: kind()};
      object.schedule.add('letter', 'a', '', Date.now() - HOUR);
    });
    expect(await alarmIn(stub)).toBe(0);
  });

  test('is planned again by the first call of an object that lost it', async () => {
    const planned = async () => {
      await runInDurableObject(stub, (object) => {
        const base = object as unknown as Base;
        base.tasks = {list: standing(base)};
      });
      await (stub as unknown as {runInScope(...args: unknown[]): Promise<unknown>}).runInScope({}, 'fresh', []);
      return alarmIn(stub);
    };
    await inObject(({storage}) => storage.kv.put('due', Date.now() + HOUR));
    expect(await planned()).toBe(HOUR);
    await runInDurableObject(stub, (_object, {storage}) => storage.deleteAlarm());
    await evictDurableObject(stub);
    expect(await planned()).toBe(HOUR);
  });

  test('is planned for now if it was lost with what an object remembers only in memory', async () => {
    const tell = {retry: RETRY, afterWaking: true, dueAt: () => null, run: async () => {}} as const;
    const write = () =>
      inObject((object) => {
        object.tasks = {tell};
        object.storage.kv.put('other', 1);
      });
    await write();
    expect(await alarmIn(stub)).toBeNull();
    await evictDurableObject(stub);
    await write();
    expect(await alarmIn(stub)).toBe(0);
  });

  test('moves when a standing task is due at another time, and stays when nothing is due', async () => {
    await inObject((object) => {
      object.tasks = {list: standing(object)};
      object.storage.kv.put('due', Date.now() + MINUTE);
    });
    expect(await alarmIn(stub)).toBe(MINUTE);
    await inObject(({storage}) => storage.kv.put('due', Date.now() + HOUR));
    expect(await alarmIn(stub)).toBe(HOUR);
    await inObject(({storage}) => void storage.kv.delete('due'));
    expect(await alarmIn(stub)).toBe(HOUR);
  });

  test.for([
    ['in the same turn, neither is stored', false],
    ['after the turn, both are stored', true],
  ] as const)('is stored together with the change: if the object dies %s', async ([, isLater]) => {
    const death = runInDurableObject(stub, async (object, ctx) => {
      const base = object as unknown as Base;
      base.tasks = {list: standing(base)};
      base.storage.kv.put('due', Date.now() + HOUR);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      if (isLater) await base.storage.sync();
      ctx.abort('dead');
    });
    await expect(death).rejects.toThrow('dead');
    // A stub stays broken after its object died.
    stub = exports.Platform.get(stub.id);
    expect(await inObject(({storage}) => storage.kv.get('due') !== undefined)).toBe(isLater);
    expect(await alarmIn(stub)).toBe(isLater ? HOUR : null);
  });

  test('runs what is due, and plans what is due next', async () => {
    const letters = kind();
    await inObject((object) => {
      object.tasks = {letter: letters};
      for (const [key, ms] of [
        ['b', SECOND],
        ['a', 0],
        ['c', HOUR],
      ] as const)
        object.schedule.add('letter', key, key, Date.now() + ms);
    });
    await advance(SECOND);
    await runDurableObjectAlarm(stub);
    expect(letters.runs).toEqual(['a', 'b']);
    expect(await alarmIn(stub)).toBe(HOUR - SECOND);
  });

  test('starts a task that becomes due while another one runs', async () => {
    const {promise: open, resolve: end} = Promise.withResolvers<void>();
    const order: string[] = [];
    await inObject((object) => {
      const slow = async () => {
        object.schedule.add('letter', 'a', '', Date.now());
        await open;
        order.push('slow');
        object.storage.kv.delete('due');
      };
      const letter: TaskKind<string> = {retry: RETRY, run: async () => (order.push('letter'), end())};
      object.tasks = {list: standing(object, slow), letter};
      object.storage.kv.put('due', Date.now());
    });
    await runDurableObjectAlarm(stub);
    expect(order).toEqual(['letter', 'slow']);
  });
});

test('while a task takes long, the alarm looks for other tasks only after a write', async () => {
  const {promise: open, resolve: end} = Promise.withResolvers<void>();
  let looks = 0;
  await inObject((object) => {
    const other = {...standing(object), dueAt: () => ((looks += 1), null)};
    object.tasks = {list: standing(object, () => open), other};
    object.storage.kv.put('due', Date.now());
  });
  const running = runDurableObjectAlarm(stub);
  await expect.poll(() => looks).toBe(2);
  await advance(MINUTE);
  await inObject(async ({storage}) => {
    storage.kv.put('other', 1);
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    storage.kv.delete('due');
  });
  expect(looks).toBeLessThan(6);
  end();
  await running;
});

describe('a task', () => {
  test.for<[result: 'retry' | Error, tries: number, dueIn: number]>([
    ['retry', 1, 10 * SECOND],
    ['retry', 2, 20 * SECOND],
    [new TypeError('a shopper’s name'), 3, 40 * SECOND],
    ['retry', 9, MINUTE],
  ])('that ends with %s for the time %i is due again after %i ms', async ([result, tries, dueIn]) => {
    await inObject(async (object) => {
      object.tasks = {letter: kind(...Array.from({length: tries}, () => result))};
      object.schedule.add('letter', 'a', '', 0);
      for (let run = 0; run < tries; run += 1) {
        await advance(MINUTE);
        await object.runNow('letter');
      }
      expect(object.schedule.find('letter', 'a')).toMatchObject({tries, dueAt: Date.now() + dueIn});
    });
  });

  test('that asks for a time runs then, which does not count as a failure', async () => {
    await inObject(async (object) => {
      const at = Date.now() + HOUR;
      object.tasks = {letter: kind('retry', {at})};
      object.schedule.add('letter', 'a', '', 0);
      await object.runNow('letter');
      await advance(MINUTE);
      await object.runNow('letter');
      expect(object.schedule.find('letter', 'a')).toMatchObject({tries: 1, dueAt: at});
    });
  });

  test('that still fails after its time ends', async () => {
    await inObject(async (object) => {
      object.tasks = {letter: {...kind('retry', 'retry'), giveUpAfterMs: HOUR}};
      object.schedule.add('letter', 'a', 'hello', 0);
      await object.runNow('letter');
      expect(object.schedule.list('letter')).toMatchObject([{payload: 'hello'}]);
      await advance(HOUR);
      await object.runNow('letter');
      expect(object.schedule.list('letter')).toEqual([]);
    });
  });

  test('that takes the place of one that runs is not deleted with it', async () => {
    await inObject(async (object) => {
      const letter: TaskKind<string> = {
        retry: RETRY,
        run: async () => object.schedule.add('letter', 'a', 'new', Date.now() + HOUR),
      };
      object.tasks = {letter};
      object.schedule.add('letter', 'a', 'old', 0);
      await object.runNow('letter');
      expect(object.schedule.list('letter')).toMatchObject([{payload: 'new', dueAt: Date.now() + HOUR}]);
    });
  });

  test('that runs is not run a second time', async () => {
    const {promise: open, resolve: end} = Promise.withResolvers<void>();
    let runs = 0;
    await inObject(async (object) => {
      object.tasks = {letter: {retry: RETRY, run: async () => ((runs += 1), open)}};
      object.schedule.add('letter', 'a', '', 0);
      const both = Promise.all([object.runNow('letter'), object.runNow('letter')]);
      end();
      await both;
    });
    expect(runs).toBe(1);
  });

  test('that starts itself is not run a second time', async () => {
    let runs = 0;
    await inObject(async (object) => {
      const run = async () => {
        runs += 1;
        if (runs < 3) void object.runNow('letter');
      };
      object.tasks = {letter: {retry: RETRY, run}};
      object.schedule.add('letter', 'a', '', 0);
      await object.runNow('letter');
    });
    expect(runs).toBe(1);
  });

  test('that throws is logged without the error’s message', async () => {
    await inObject(async (object) => {
      object.tasks = {list: standing(object, fail)};
      await object.runNow('list');
    });
    expect(logLines('internal_error')).toEqual([
      {level: 'error', event: 'internal_error', task: 'list', error: expect.stringMatching(/^TypeError/)},
    ]);
    expect(JSON.stringify(logLines('internal_error'))).not.toContain('shopper');
  });
});

describe('a task that takes longer than its watchdog', () => {
  test('is waited for by one alarm, however it was started', async () => {
    const {promise: open, resolve: end} = Promise.withResolvers<void>();
    const run = inObject(async (object) => {
      object.tasks = {list: standing(object, async () => (await open, void object.storage.kv.delete('due')))};
      object.storage.kv.put('due', Date.now());
      await object.runNow('list');
    });
    await expect.poll(() => alarmIn(stub)).toBeGreaterThan(5 * SECOND);
    await advance(MINUTE);
    let hasEnded = false;
    const alarm = runDurableObjectAlarm(stub).then(() => (hasEnded = true));
    await inObject(({storage}) => storage.kv.put('other', 1));
    expect([hasEnded, await runInDurableObject(stub, (_object, {storage}) => storage.getAlarm())]).toEqual([
      false,
      null,
    ]);
    end();
    await Promise.all([run, alarm]);
  });

  test('lets another task start that becomes due meanwhile, without looking for it all the time', async () => {
    const {promise: open, resolve: end} = Promise.withResolvers<void>();
    let looks = 0;
    await inObject((object) => {
      const slow = standing(object, async () => (await open, void object.storage.kv.delete('due')));
      const letter: TaskKind<string> = {retry: RETRY, run: async () => end()};
      object.tasks = {list: {...slow, dueAt: () => ((looks += 1), slow.dueAt(0))}, letter, other: slow};
      object.storage.kv.put('due', Date.now());
    });
    const alarm = runDurableObjectAlarm(stub);
    await inObject(async ({storage, schedule}) => {
      for (let write = 0; write < 50; write += 1) {
        storage.kv.put('other', write);
        await storage.sync();
      }
      looks = 0;
      schedule.add('letter', 'a', '', Date.now());
    });
    await alarm;
    expect(looks).toBeLessThan(5);
  });
});

test.for<[name: string, tasks: (object: Base, run: () => Promise<undefined>) => Tasks]>([
  ['a standing task', (_object, run) => ({list: {retry: RETRY, dueAt: () => 0, run}})],
  ['a standing task whose time is always now', (_object, run) => ({list: {retry: RETRY, dueAt: Date.now, run}})],
  [
    'a task that asks for the present time',
    ({schedule}, run) => {
      schedule.add('list', 'a', '', 0);
      return {list: {retry: RETRY, run: async () => (await run(), {at: Date.now()})}};
    },
  ],
])('%s that stays due without a failure is started by alarms once a second', async ([, tasks]) => {
  let runs = 0;
  await inObject((object) => {
    object.tasks = tasks(object, async () => void (runs += 1));
    object.plan();
  });
  for (let second = 1; second <= 3; second += 1) {
    await runDurableObjectAlarm(stub);
    expect([runs, await alarmIn(stub)]).toEqual([second, SECOND]);
    await advance(SECOND);
  }
});

test('a task that was started before the clock was set back runs when it is due', async () => {
  let runs = 0;
  await inObject((object) => {
    object.tasks = {list: standing(object, async () => void (runs += 1))};
    object.storage.kv.put('due', Date.now() - 2 * HOUR);
  });
  await runDurableObjectAlarm(stub);
  vi.setSystemTime(Date.now() - HOUR);
  await inObject((object) => object.storage.kv.put('due', Date.now()));
  expect(await alarmIn(stub)).toBe(0);
  await runDurableObjectAlarm(stub);
  expect(runs).toBe(2);
});

describe('a standing task', () => {
  test('that asks for a time runs no earlier, which does not count as a failure', async () => {
    await inObject(async (object) => {
      const later: ('retry' | {at: number})[] = ['retry', {at: Date.now() + HOUR}];
      object.tasks = {list: standing(object, async () => later.shift())};
      object.storage.kv.put('due', Date.now());
      await object.runNow('list');
      await object.runNow('list');
      expect(object.schedule.failuresOf('list')).toEqual({failures: 1, retryAt: Date.now() + HOUR});
    });
    expect(await alarmIn(stub)).toBe(HOUR);
  });

  test('that fails waits longer each time, unless it runs before it is due, until it succeeds', async () => {
    await inObject(async (object) => {
      let isBroken = true;
      object.tasks = {list: standing(object, async () => (isBroken ? fail() : void object.storage.kv.delete('due')))};
      object.storage.kv.put('due', Date.now());
      const first = Date.now() + 10 * SECOND;
      for (const _time of [1, 2]) {
        await object.runNow('list');
        expect(object.schedule.failuresOf('list')).toEqual({failures: 1, retryAt: first});
      }
      await advance(10 * SECOND);
      await object.runNow('list');
      expect(object.schedule.failuresOf('list')).toEqual({failures: 2, retryAt: Date.now() + 20 * SECOND});
      isBroken = false;
      await object.runNow('list');
      expect(object.schedule.failuresOf('list')).toBeNull();
    });
  });

  test('whose time cannot be read does not stop the others', async () => {
    const letters = kind();
    const broken: StandingTask = {
      retry: RETRY,
      dueAt() {
        throw new TypeError('a shopper’s name');
      },
      run: async () => {},
    };
    await inObject((object) => {
      object.tasks = {broken, letter: letters};
      object.schedule.add('letter', 'a', 'a', Date.now());
    });
    await runDurableObjectAlarm(stub);
    expect(letters.runs).toEqual(['a']);
    expect(await alarmIn(stub)).toBeGreaterThan(0);
    expect(logLines('internal_error').length).toBeGreaterThan(0);
  });

  test('that holds the alarm keeps it near until it has ended', async () => {
    const {promise: open, resolve: end} = Promise.withResolvers<void>();
    await inObject((object) => {
      const history = {retry: RETRY, holdsAlarm: true, dueAt: () => null, run: () => open} as const;
      object.tasks = {list: standing(object), history};
      object.storage.kv.put('due', Date.now() + MINUTE);
    });
    await runInDurableObject(stub, async (instance, {storage}) => {
      const object = instance as unknown as Base;
      const run = object.runNow('history');
      object.storage.kv.put('due', Date.now() + HOUR);
      await object.storage.sync();
      expect((await storage.getAlarm()) ?? 0).toBe(Date.now() + MINUTE);
      end();
      await run;
    });
    expect(await alarmIn(stub)).toBe(HOUR);
  });

  test('that runs outside of an alarm is due again if the object dies', async () => {
    const {promise: open, resolve: end} = Promise.withResolvers<void>();
    const run = inObject(async (object) => {
      object.tasks = {list: standing(object, () => open)};
      object.storage.kv.put('due', Date.now());
      await object.runNow('list');
    });
    await expect.poll(() => alarmIn(stub)).toBeGreaterThan(5 * SECOND);
    end();
    await run;
  });

  test('that remembers only in memory ends the first alarm after the object woke, which comes no later than planned', async () => {
    let told = 0;
    const tell = {retry: RETRY, afterWaking: true, dueAt: () => null, run: async () => void (told += 1)} as const;
    const plan = (ms: number) =>
      inObject((object) => {
        object.tasks = {list: standing(object), tell};
        object.storage.kv.put('due', Date.now() + ms);
      });
    await plan(MINUTE);
    await plan(2 * MINUTE);
    expect(await alarmIn(stub)).toBe(2 * MINUTE);
    await evictDurableObject(stub);
    await plan(HOUR);
    expect(await alarmIn(stub)).toBe(2 * MINUTE);
    await advance(2 * MINUTE);
    await runDurableObjectAlarm(stub);
    expect([told, await alarmIn(stub)]).toEqual([1, HOUR - 2 * MINUTE]);
    await plan(2 * HOUR);
    await advance(2 * HOUR);
    await runDurableObjectAlarm(stub);
    expect(told).toBe(1);
  });
});
