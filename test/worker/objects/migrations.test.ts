import {runInDurableObject} from 'cloudflare:test';
import {exports} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {type StoreSchema, StoreVersions} from '../../../worker/objects/migrations.ts';
import {freshWorker} from '../support/fresh-worker.ts';

freshWorker();

/** Version n of a store whose first version has the table `coins`. */
function coins(version: number, createdOn: StoreSchema['createdOn'] = 'wake'): StoreSchema {
  const steps: StoreSchema['steps'] = [
    'CREATE TABLE coins (value INTEGER NOT NULL); CREATE INDEX coins_value ON coins (value)',
    "ALTER TABLE coins ADD COLUMN name TEXT NOT NULL DEFAULT 'kuruş'",
    ({sql, kv}) => {
      sql.exec('UPDATE coins SET value = value * 100');
      kv.put('scale', 2);
    },
  ];
  return {name: 'coins', createdOn, steps: steps.slice(0, version)};
}
const failing: StoreSchema = {...coins(3), steps: [...coins(3).steps, 'ALTER TABLE missing ADD COLUMN x TEXT']};

/** Opens an object's stores, as the object does when it wakes. */
const open = (storage: DurableObjectStorage, ...schemas: readonly StoreSchema[]) => new StoreVersions(storage, schemas);

/** Runs a test in the storage of an object that has stored nothing, not even its own stores. */
const inEmptyStorage = (run: (storage: DurableObjectStorage) => void | Promise<void>): Promise<void> =>
  runInDurableObject(exports.Record.getByName('a storage'), (_object, {storage}) => run(storage));

const versionsIn = ({sql}: DurableObjectStorage) => sql.exec('SELECT store, version FROM _schema_migrations').toArray();
const tablesIn = ({sql}: DurableObjectStorage) => sql.exec('SELECT name FROM sqlite_master').toArray();
const coinsIn = ({sql}: DurableObjectStorage) => sql.exec('SELECT * FROM coins').toArray();

test('a new store runs every step, and an up-to-date store runs no step and writes nothing', () =>
  inEmptyStorage((storage) => {
    open(storage, coins(3));
    expect(versionsIn(storage)).toEqual([{store: 'coins', version: 3}]);
    expect(storage.kv.get('scale')).toBe(2);
    storage.kv.put('scale', 'unchanged');
    open(storage, coins(3));
    expect(storage.kv.get('scale')).toBe('unchanged');
  }));

test('an older store runs only the steps that it lacks', () =>
  inEmptyStorage((storage) => {
    open(storage, coins(1));
    storage.sql.exec('INSERT INTO coins VALUES (5)');
    open(storage, coins(3));
    expect(coinsIn(storage)).toEqual([{value: 500, name: 'kuruş'}]);
    expect(versionsIn(storage)).toEqual([{store: 'coins', version: 3}]);
  }));

test('if a store is created on the first write, an object with an alarm has no such store before the first write', () =>
  inEmptyStorage(async (storage) => {
    open(storage, coins(1, 'first write'));
    expect(tablesIn(storage)).toEqual([]);
    await storage.setAlarm(Date.now() + 1e6);
    const versions = open(storage, coins(1, 'first write'));
    expect(versions.has(coins(1))).toBe(false);
    expect(tablesIn(storage)).toEqual([{name: '_cf_METADATA'}]);
    versions.create(coins(1));
    expect(versions.has(coins(1))).toBe(true);
    expect(coinsIn(storage)).toEqual([]);
  }));

test('a second store of an object is created without a change to the first one', () =>
  inEmptyStorage((storage) => {
    const second: StoreSchema = {name: 'notes', createdOn: 'first write', steps: ['CREATE TABLE notes (value TEXT)']};
    open(storage, coins(1));
    const versions = open(storage, coins(1), second);
    expect(versionsIn(storage)).toEqual([{store: 'coins', version: 1}]);
    versions.create(second);
    versions.create(second);
    expect(versionsIn(storage)).toEqual([
      {store: 'coins', version: 1},
      {store: 'notes', version: 1},
    ]);
  }));

test('an object that has deleted everything creates its stores again on the next write', () =>
  inEmptyStorage(async (storage) => {
    const versions = open(storage, coins(3));
    await storage.setAlarm(Date.now() + 1e6);
    await versions.erase();
    expect(tablesIn(storage)).toEqual([]);
    expect(await storage.getAlarm()).toBeNull();
    expect(versions.has(coins(3))).toBe(false);
    versions.create(coins(3));
    expect(versionsIn(storage)).toEqual([{store: 'coins', version: 3}]);
  }));

test('a store with a newer version and a store with an unknown name are refused and not changed', () =>
  inEmptyStorage((storage) => {
    open(storage, coins(2));
    const before = tablesIn(storage);
    expect(() => open(storage, coins(1))).toThrow(
      'The store coins has schema version 2, which is newer than this code',
    );
    expect(() => open(storage, {...coins(3), name: 'other'})).toThrow(
      'The store coins has schema version 2, which is newer than this code',
    );
    expect(tablesIn(storage)).toEqual(before);
    expect(versionsIn(storage)).toEqual([{store: 'coins', version: 2}]);
  }));

test('if a step fails, the store is as it was before the first step', () =>
  inEmptyStorage((storage) => {
    open(storage, coins(1));
    storage.sql.exec('INSERT INTO coins VALUES (5)');
    expect(() => open(storage, failing)).toThrow('The store coins could not be upgraded');
    expect(coinsIn(storage)).toEqual([{value: 5}]);
    expect(storage.kv.get('scale')).toBeUndefined();
    expect(versionsIn(storage)).toEqual([{store: 'coins', version: 1}]);
  }));

test('an up-to-date object with one store reads one row and writes none when it wakes', () =>
  inEmptyStorage((storage) => {
    open(storage, coins(3));
    const {rowsRead, rowsWritten} = countRows(storage, (counted) => open(counted, coins(3)));
    expect({rowsRead, rowsWritten}).toEqual({rowsRead: 1, rowsWritten: 0});
  }));

/** Counts the rows that all statements of a task read and write. */
function countRows(storage: DurableObjectStorage, task: (counted: DurableObjectStorage) => unknown) {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  const exec: SqlStorage['exec'] = (query, ...bindings) => {
    const cursor = storage.sql.exec(query, ...bindings);
    cursors.push(cursor);
    return cursor as never;
  };
  task({sql: {exec}, kv: storage.kv, transactionSync: storage.transactionSync} as unknown as DurableObjectStorage);
  const sum = (key: 'rowsRead' | 'rowsWritten') => cursors.reduce((total, cursor) => total + cursor[key], 0);
  return {rowsRead: sum('rowsRead'), rowsWritten: sum('rowsWritten')};
}

test('a store that a failed transaction created does not exist, and the next write creates it', () =>
  inEmptyStorage((storage) => {
    const versions = open(storage, coins(1, 'first write'));
    const write = (isBroken: boolean) =>
      versions.transaction(() => {
        versions.create(coins(1, 'first write'));
        if (isBroken) throw new Error('too large');
      });
    expect(() => write(true)).toThrow('too large');
    write(false);
    expect(versionsIn(storage)).toEqual([{store: 'coins', version: 1}]);
  }));
