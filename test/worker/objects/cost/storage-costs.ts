/**
 * Counts what Durable Objects read and write while a task runs, by class. A row is what Cloudflare bills: the rows that
 * SQLite reports for a statement (rows of indexes included), one for each key that is written, and one for each alarm
 * that is set. Deleting a whole database counts as one row. To count, this file replaces methods of the objects'
 * storage.
 */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {contextOf} from '../../../../worker/context.ts';
import * as worker from '../../../../worker/index.ts';
import {StoredObject} from '../../../../worker/objects/stored-object.ts';

export interface StorageCost {
  rowsRead: number;
  rowsWritten: number;
  /** How many of the rows written are alarms. */
  alarmsSet: number;
  /** How many of the rows written are keys. */
  keysWritten: number;
  /** How often a method of the class was called, alarms included. */
  calls: number;
  alarmsRun: number;
}

export interface StorageCosts {
  /**
   * The cost by class. What `Service` writes in its alarm about its own progress is under `sweeps`; what isolates report to
   * `Platform` is under `reports`.
   */
  readonly byClass: Record<string, StorageCost>;
  /** The rows written by class and statement, key or call. */
  readonly writes: Record<string, number>;
  /** The statements that were executed, by class. */
  readonly statements: Record<string, Set<string>>;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Cursor = {readonly rowsRead: number; readonly rowsWritten: number};
type Work = {
  readonly storage: object;
  readonly what: string;
  readonly kind: 'sql' | 'key' | 'alarm' | 'call';
  readonly cursor: Cursor;
  /** Whether the object's alarm was running. */
  readonly inAlarm: boolean;
};

/** What `Platform` stores of reports. */
const REPORTED = /^put (?:sums|troubles|refusals)$/;
const ONE_ROW: Cursor = {rowsRead: 0, rowsWritten: 1};

export async function countStorage(task: () => Promise<unknown>): Promise<StorageCosts> {
  const work: Work[] = [];
  const owners = new Map<object, string>();
  const calls: {name: string; method: string}[] = [];
  const alarms = new Set<object>();
  const restore: (() => void)[] = [];
  const replace = (target: object, name: string, make: (method: Method) => Method) => {
    const descriptor = Object.getOwnPropertyDescriptor(target, name);
    if (typeof descriptor?.value !== 'function') throw new Error(`${name} is not a method.`);
    Object.defineProperty(target, name, {...descriptor, value: make(descriptor.value as Method)});
    restore.push(() => Object.defineProperty(target, name, descriptor));
  };
  const note = (storage: object, kind: Work['kind'], what: string, cursor = ONE_ROW) =>
    work.push({storage, kind, what, cursor, inAlarm: alarms.has(storage)});

  await runInDurableObject(contextOf(env).objects.platform(), (_object, {storage}) => {
    const {sql, kv} = storage;
    replace(
      Object.getPrototypeOf(sql),
      'exec',
      (exec) =>
        function (query, ...bindings) {
          // SQLite reports the rows of the last statement only.
          const statements = bindings.length > 0 ? [String(query)] : String(query).split(';\n');
          const cursors = statements.map((statement) => {
            const cursor = exec.call(this, statement, ...bindings) as Cursor;
            note(this as object, 'sql', statement, cursor);
            return cursor;
          });
          return cursors.at(-1);
        },
    );
    for (const name of ['put', 'delete'])
      replace(
        Object.getPrototypeOf(kv),
        name,
        (method) =>
          function (key, ...rest) {
            const result = method.call(this, key, ...rest);
            if (name === 'put' || result === true) note(this as object, 'key', `${name} ${String(key)}`);
            return result;
          },
      );
    for (const name of ['setAlarm', 'deleteAll'])
      replace(
        Object.getPrototypeOf(storage),
        name,
        (method) =>
          function (...args) {
            note(this as object, name === 'setAlarm' ? 'alarm' : 'call', name);
            return method.apply(this, args);
          },
      );
  });
  const {default: _handler, ...classes} = worker;
  const countCalls = (prototype: object, method: string, nameOf: (object: object) => string) =>
    replace(
      prototype,
      method,
      (original) =>
        async function (...args) {
          const object = this as {ctx: DurableObjectState};
          const {storage} = object.ctx;
          const parts = [storage, storage.sql, storage.kv];
          const name = nameOf(object);
          for (const part of parts) owners.set(part, name);
          calls.push({name, method});
          if (method !== 'alarm') return original.apply(this, args);
          for (const part of parts) alarms.add(part);
          try {
            return await original.apply(this, args);
          } finally {
            for (const part of parts) alarms.delete(part);
          }
        },
    );
  for (const [name, {prototype}] of Object.entries(classes))
    for (const method of Object.getOwnPropertyNames(prototype))
      if (method !== 'constructor' && typeof Object.getOwnPropertyDescriptor(prototype, method)?.value === 'function')
        countCalls(prototype, method, () => name);
  const names = new Map(Object.entries(classes).map(([name, {prototype}]) => [prototype as object, name]));
  countCalls(
    StoredObject.prototype,
    'alarm',
    (object) => names.get(Object.getPrototypeOf(object) as object) ?? 'unknown',
  );
  try {
    await task();
  } finally {
    for (const undo of restore.toReversed()) undo();
  }

  const costs: StorageCosts = {byClass: {}, writes: {}, statements: {}};
  const costOf = (name: string) =>
    (costs.byClass[name] ??= {rowsRead: 0, rowsWritten: 0, alarmsSet: 0, keysWritten: 0, calls: 0, alarmsRun: 0});
  for (const {storage, what, kind, cursor, inAlarm} of work) {
    const owner = owners.get(storage) ?? 'unknown';
    const name =
      owner === 'Service' && inAlarm && kind !== 'sql'
        ? 'sweeps'
        : owner === 'Platform' && kind === 'key' && REPORTED.test(what)
          ? 'reports'
          : owner;
    const cost = costOf(name);
    cost.rowsRead += cursor.rowsRead;
    cost.rowsWritten += cursor.rowsWritten;
    if (kind === 'alarm') cost.alarmsSet += 1;
    if (kind === 'key') cost.keysWritten += 1;
    if (kind === 'sql') (costs.statements[owner] ??= new Set()).add(what);
    const line = `${name}: ${what.replaceAll(/\s+/g, ' ').slice(0, 90)}`;
    if (cursor.rowsWritten > 0) costs.writes[line] = (costs.writes[line] ?? 0) + cursor.rowsWritten;
  }
  for (const {name, method} of calls) {
    costOf(method === 'recordReport' ? 'reports' : name).calls += 1;
    if (method === 'alarm') costOf(name).alarmsRun += 1;
  }
  return costs;
}
