/** Old rows are deleted on time, even if nothing else happens to their object. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import {advance, DAY} from '../support/clock.ts';
import {alarmIn} from '../support/durable-objects.ts';
import {freshWorker} from '../support/fresh-worker.ts';

freshWorker();

const countRows = (stub: DurableObjectStub, table: string) =>
  runInDurableObject(
    stub,
    (_object, {storage}) => storage.sql.exec<{rows: number}>(`SELECT count(*) AS rows FROM ${table}`).one().rows,
  );

/** Lets only the object's own alarms wake it, until no alarm is left or the days have passed. */
async function liveFor(stub: DurableObjectStub, days: number): Promise<void> {
  for (const end = Date.now() + days * DAY; ;) {
    const next = await alarmIn(stub);
    if (next === null || Date.now() + next > end) return advance(Math.max(0, end - Date.now()));
    await advance(Math.max(0, next));
    await runDurableObjectAlarm(stub);
  }
}

test('a refund with a result is deleted after 400 days, although it is no longer read', async () => {
  const refunds = contextOf(env).objects.refunds();
  await refunds.recordRequested({id: '8800', service: 'DEMO', order: 'S-1', amount: 100});
  await runInDurableObject(refunds, (_object, {storage}) =>
    storage.sql.exec("UPDATE refunds SET due_at = NULL, state = 'successful'"),
  );
  await runDurableObjectAlarm(refunds);
  await liveFor(refunds, 399);
  expect(await countRows(refunds, 'refunds')).toBe(1);
  await liveFor(refunds, 2);
  expect(await countRows(refunds, 'refunds')).toBe(0);
  expect(await alarmIn(refunds)).toBeNull();
});

test('the visits of a day are deleted after 400 days, and their ids after a day, although nobody visits', async () => {
  const activities = await contextOf(env).objects.activities('click-7');
  await activities.record('event-1', null, {type: 'visit', offer: 'club', campaign: ''});
  await liveFor(activities, 2);
  expect([await countRows(activities, 'known'), await countRows(activities, 'visits')]).toEqual([0, 1]);
  await liveFor(activities, 398);
  expect(await countRows(activities, 'visits')).toBe(1);
  await liveFor(activities, 2);
  expect(await countRows(activities, 'visits')).toBe(0);
  expect(await alarmIn(activities)).toBeNull();
});

test('a record of mobile billing is deleted 400 days after it was read', async () => {
  const changes = contextOf(env).objects.service('DEMO');
  await runInDurableObject(changes, (_object, {storage}) =>
    storage.sql.exec(
      "INSERT INTO known (kind, id, status, event_count, read_at) VALUES ('charge', '1', '1', 0, ?)",
      Date.now(),
    ),
  );
  await changes.awaitClaims(Date.now());
  await liveFor(changes, 399);
  expect(await countRows(changes, 'known')).toBe(1);
  await liveFor(changes, 2);
  expect(await countRows(changes, 'known')).toBe(0);
});

test('a command whose outcome cannot be verified is deleted after 30 days', async () => {
  const commands = contextOf(env).objects.commands('DEMO');
  await runInDurableObject(commands, async (object, {storage}) => {
    storage.sql.exec(
      "INSERT INTO commands (id, name, subject, state, stored, created_at) VALUES ('c1', 'resetTestNumber', 's', 'unknown', '{}', ?)",
      Date.now(),
    );
    await object.alarm();
  });
  await liveFor(commands, 29);
  expect(await countRows(commands, 'commands')).toBe(1);
  await liveFor(commands, 2);
  expect(await countRows(commands, 'commands')).toBe(0);
});
