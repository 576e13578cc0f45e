/**
 * What the objects of a release have stored: `released-stores.test.ts` records it when a release is made, and opens it
 * with the classes of every later version.
 */

import {runInDurableObject} from 'cloudflare:test';
import type {ClassName, CLASSES} from './durable-objects.ts';

/** A sender stores nothing. */
export type StoringClass = Exclude<ClassName, 'Sender'>;

export interface RecordedObject {
  readonly className: StoringClass;
  readonly schema: readonly string[];
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, SqlStorageValue>>[]>>;
  readonly values: readonly (readonly [key: string, value: unknown])[];
  readonly answer: unknown;
}

export interface RecordedStores {
  readonly recordedAt: number;
  readonly order: string;
  readonly objects: readonly RecordedObject[];
}

/** Writes values as JSON. Bytes become base64. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    each instanceof Uint8Array ? {bytes: btoa(String.fromCharCode(...each))} : each,
  );

/** Restores the bytes in parsed JSON. */
export const withBytes = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_key, each: {bytes?: unknown} | null) =>
    typeof each?.bytes === 'string' ? Uint8Array.from(atob(each.bytes), (char) => char.charCodeAt(0)) : each,
  ) as T;

/**
 * How an object of each class is read. If a class has no method that only reads, one is called whose answer needs what
 * is stored.
 */
const READS: {[Name in StoringClass]: (object: InstanceType<(typeof CLASSES)[Name]>, order: string) => unknown} = {
  // The activity was recorded before, so it is not recorded again.
  Activities: (activities) =>
    activities.record('event-000001', {type: 'visit'} as never, {type: 'visit', offer: 'club', campaign: ''}),
  ApiKeys: (keys) => keys.list(),
  Archive: async (archive, order) => [
    archive.findOrder(order),
    await archive.findReceipts({trackingId: 't-81c4', network: null}),
  ],
  Commands: (commands) => commands.list(['done', 'unknown', 'queued', 'failed'], 0, 9),
  Guard: (guard) => guard.alarm(),
  Offers: (offers) => offers.list(null, 9, null),
  Order: (order) => order.details(),
  // The first webhook is that of the configuration, which is not stored.
  Outbox: async (outbox) => [outbox.read(0), (await outbox.listWebhooks()).slice(1)],
  Platform: (platform) => [platform.tokenProblems(), platform.freshBanks(), platform.quotaUsage(), platform.notices()],
  Record: (record) =>
    record.readDetails() ?? record.beginWrite({fingerprint: 'of another request', resumable: false, askedBy: 'root'}),
  Refunds: (refunds, order) => refunds.ofOrder('DEMO', order),
  Subscriber: (subscriber) => subscriber.isKnown(),
  Service: (service) => [service.ages(), service.pollTimes()],
};

export const STORING_CLASSES = Object.keys(READS) as StoringClass[];

/** Reads an object as `READS` says. @returns a value as JSON has it. */
export async function readObject(stub: DurableObjectStub, className: StoringClass, order: string): Promise<unknown> {
  const read = READS[className] as (object: unknown, order: string) => unknown;
  const answer = await runInDurableObject(stub, (object) => read(object, order));
  return JSON.parse(toJson(answer ?? null)) as unknown;
}

/** Everything that the object has stored, except its alarm. */
export const dumpObject = (stub: DurableObjectStub): Promise<Pick<RecordedObject, 'schema' | 'rows' | 'values'>> =>
  runInDurableObject(stub, (_object, {storage: {sql, kv}}) => {
    const own = "sql IS NOT NULL AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'";
    const query = `SELECT type, name, sql FROM sqlite_master WHERE ${own} ORDER BY type = 'table' DESC, name`;
    const all = sql.exec<{type: string; name: string; sql: string}>(query).toArray();
    // An index for full-text searches has tables of its own, which it makes itself.
    const virtual = all.flatMap((part) => (part.sql.startsWith('CREATE VIRTUAL') ? part.name : []));
    const parts = all.filter(({name}) => !virtual.some((index) => name.startsWith(`${index}_`)));
    const tables = parts.filter(({type}) => type === 'table');
    return {
      schema: parts.map((part) => part.sql),
      rows: Object.fromEntries(
        tables.map(({name}) => {
          const columns = virtual.includes(name) ? 'rowid, *' : '*';
          return [name, sql.exec(`SELECT ${columns} FROM ${name}`).toArray()];
        }),
      ),
      values: [...kv.list()],
    };
  });

/** Gives an object what was recorded, in place of what it has stored. */
export const loadObject = (stub: DurableObjectStub, recorded: RecordedObject): Promise<void> =>
  runInDurableObject(stub, async (_object, {storage}) => {
    const {schema, rows, values} = withBytes(recorded);
    await storage.deleteAll();
    for (const statement of schema) storage.sql.exec(statement);
    for (const [table, all] of Object.entries(rows))
      for (const row of all) {
        const names = Object.keys(row).map((name) => `"${name}"`);
        const sql = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`;
        storage.sql.exec(sql, ...Object.values(row));
      }
    for (const [key, value] of values) storage.kv.put(key, value);
  });
