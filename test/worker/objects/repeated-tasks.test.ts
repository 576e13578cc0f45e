/** Standing tasks that are due again and again, and store nothing for it. */

import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {exports} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import type {ObjectStorage} from '../../../worker/objects/object-storage.ts';
import type {StandingTask, Tasks} from '../../../worker/objects/schedule.ts';
import {advance, HOUR, MINUTE, SECOND} from '../support/clock.ts';
import {alarmIn} from '../support/durable-objects.ts';

test('a standing task learns until when everything that was due was done, also from the alarm that an earlier instance planned', async () => {
  const stub = exports.Platform.getByName(crypto.randomUUID());
  const start = Date.now();
  const runs: number[] = [];
  const results = [undefined, undefined, 'retry'] as const;
  /** Due a minute after each hour. */
  const hourly: StandingTask = {
    retry: {firstMs: 10 * SECOND, maxMs: MINUTE},
    dueAt: (doneUntil) => {
      const hours = Math.max(0, Math.floor((doneUntil - start - MINUTE) / HOUR) + 1);
      return start + MINUTE + hours * HOUR;
    },
    run: async () => results[runs.push((Date.now() - start) / MINUTE) - 1],
  };
  const wake = () =>
    runInDurableObject(stub, (instance) => {
      const object = instance as unknown as {tasks: Tasks; readonly storage: ObjectStorage};
      object.tasks = {hourly};
      object.storage.kv.put('other', runs.length);
    });
  await wake();
  for (const delay of [MINUTE, HOUR]) {
    expect(await alarmIn(stub)).toBe(delay);
    await advance(delay);
    await runDurableObjectAlarm(stub);
    await evictDurableObject(stub);
    await wake();
  }
  await advance(HOUR);
  await runDurableObjectAlarm(stub);
  await evictDurableObject(stub);
  await wake();
  expect([runs, await alarmIn(stub)]).toEqual([[1, 61, 121], 10 * SECOND]);
});
