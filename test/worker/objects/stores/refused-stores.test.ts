import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import * as worker from '../../../../worker/index.ts';
import {isStoreRefused} from '../../../../worker/objects/migrations.ts';
import type {StoredObject} from '../../../../worker/objects/stored-object.ts';
import {MINUTE} from '../../support/clock.ts';
import {alarmIn, storedIn} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';

freshWorker();

type AnyStub = DurableObjectStub & Record<string, (...args: unknown[]) => Promise<unknown>>;

/** Every class of Durable Objects, with its namespace, its stores and one of its methods. */
const classes = Object.entries(worker)
  // A sender stores nothing.
  .filter(([name]) => name !== 'default' && name !== 'Sender')
  .map(([name, value]) => {
    const binding = name.replaceAll(/(?!^)[A-Z]/g, '_$&').toUpperCase();
    const {schemas, prototype} = value as unknown as typeof StoredObject;
    const method = Object.getOwnPropertyNames(prototype).find((one) => !/^(constructor|alarm)$/.test(one)) ?? '';
    return {name, namespace: env[binding as keyof Env] as unknown as DurableObjectNamespace, schemas, method};
  });

test('every class of Durable Objects that stores something has a store', () => {
  expect(classes).toHaveLength(15);
  for (const {name, schemas} of classes) expect(schemas.length, name).toBeGreaterThan(0);
});

test.for(classes)(
  '$name refuses a newer store: calls fail, nothing is written, and the alarm is put off',
  async ({name, namespace, schemas, method}) => {
    const stub = namespace.getByName('newer') as AnyStub;
    const store = schemas[0]?.name ?? '';
    await makeNewer(stub, store);
    const before = await storedIn(stub);
    await evictDurableObject(stub);
    const error = await stub[method]?.().catch((thrown: unknown) => thrown);
    expect(isStoreRefused(error)).toBe(true);
    expect(String(error)).toContain(`The store ${store} has schema version 7, which is newer than this code`);
    if (name === 'Order') {
      const thrown = await stub.fetch('https://vezne.invalid').catch((fetchError: unknown) => fetchError);
      expect(isStoreRefused(thrown)).toBe(true);
    }
    await runInDurableObject(stub, (_object, {storage}) => storage.setAlarm(Date.now()));
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await alarmIn(stub)).toBe(5 * MINUTE);
    expect(await storedIn(stub)).toEqual(before);
    expect(logLines('store_newer_than_code')).toEqual([
      {level: 'error', event: 'store_newer_than_code', store, version: 7},
    ]);
  },
);

/** Writes the store as a later version of the code would. */
async function makeNewer(stub: DurableObjectStub, store: string): Promise<void> {
  await runInDurableObject(stub, (_object, {storage}) => {
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS _schema_migrations (store TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID',
    );
    storage.sql.exec('INSERT OR REPLACE INTO _schema_migrations VALUES (?, 7)', store);
    storage.kv.put('a key', 'of the newer version');
  });
}
