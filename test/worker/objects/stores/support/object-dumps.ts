/** Converts the storage of Durable Objects to JSON that contains SQL statements, and back. */

import {evictDurableObject, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {contextOf} from '../../../../../worker/context.ts';
import {addressOf, isNamespace, listAddressed, type ObjectAddress} from '../../../support/durable-objects.ts';

/** Everything that one object has stored. */
export interface ObjectDump extends ObjectAddress {
  /** When the alarm runs, epoch milliseconds; null for no alarm. */
  readonly alarm: number | null;
  /** Statements that create the tables with their rows, and the indexes. */
  readonly sql: readonly string[];
  readonly keys: Readonly<Record<string, unknown>>;
}

/**
 * What each object that the Worker addressed in this test has stored. Objects that have stored nothing are left out.
 */
export async function dumpObjects(): Promise<ObjectDump[]> {
  const dumps: ObjectDump[] = [];
  // Metrics are sent after the answer, so they may arrive at any moment.
  for (const namespace of Object.values(env).filter((binding) => isNamespace(binding) && binding !== env.METRICS)) {
    for (const id of await listAddressed(namespace)) {
      const address = addressOf(id);
      if (!address) continue;
      const dump = await runInDurableObject(namespace.get(id), async (_object, {storage}) => ({
        ...address,
        alarm: await storage.getAlarm(),
        sql: dumpTables(storage.sql),
        keys: Object.fromEntries(storage.kv.list()),
      }));
      if (dump.sql.length > 0 || Object.keys(dump.keys).length > 0) dumps.push(dump);
    }
  }
  return dumps;
}

function dumpTables(sql: SqlStorage): string[] {
  const created = sql
    .exec<{type: string; name: string; sql: string | null}>(
      "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
    )
    .toArray();
  const statements: string[] = [];
  for (const {type, name, sql: create} of created) {
    // The index of a primary key has no SQL statement.
    if (create !== null) statements.push(create.replaceAll(/\s+/g, ' '));
    if (type === 'table')
      for (const row of sql.exec(`SELECT * FROM ${name}`).raw()) statements.push(insertOf(name, row));
  }
  return statements;
}

const insertOf = (table: string, row: SqlStorageValue[]): string =>
  `INSERT INTO ${table} VALUES (${row.map(toLiteral).join(', ')})`;

function toLiteral(value: SqlStorageValue): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${String(value as string).replaceAll("'", "''")}'`;
}

/** The object of a dump. */
export async function objectOf({method, args}: ObjectAddress): Promise<DurableObjectStub> {
  const {objects} = contextOf(env);
  const find = objects[method as keyof typeof objects] as (...given: unknown[]) => DurableObjectStub;
  return find.apply(objects, [...args]);
}

/** Replaces what the objects have stored, and restarts them, so that they wake with these stores. */
export async function loadObjects(dumps: readonly ObjectDump[]): Promise<void> {
  for (const dump of dumps) {
    const stub = await objectOf(dump);
    await runInDurableObject(stub, async (_object, {storage}) => {
      await storage.deleteAll();
      for (const statement of dump.sql) storage.sql.exec(statement);
      for (const [key, value] of Object.entries(dump.keys)) storage.kv.put(key, value);
      if (dump.alarm !== null) await storage.setAlarm(dump.alarm);
    });
    await evictDurableObject(stub);
    // `reset` deletes only what objects in memory have stored, so an object that stays evicted would disturb later tests.
    await runInDurableObject(stub, () => {});
  }
}
