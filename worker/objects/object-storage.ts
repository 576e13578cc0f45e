/** An object's storage, as its stores use it. */

import type {StoreVersions} from './migrations.ts';

/** What SQL stores and reads. */
export type SqlValue = string | number | null | ArrayBuffer;

/** A part of a statement, such as a condition or a list of columns, with the values of its placeholders. */
export class SqlPart {
  constructor(
    readonly text: string,
    readonly values: readonly SqlValue[],
  ) {}
}

/** Makes a part of a statement from a template. What is in `${}` is a value, or another part. */
export function sqlPart(strings: TemplateStringsArray, ...values: readonly (SqlValue | SqlPart)[]): SqlPart {
  const parts = values.map((value) => (value instanceof SqlPart ? value : new SqlPart('?', [value])));
  return new SqlPart(
    strings.reduce((text, next, index) => `${text}${parts[index - 1]?.text}${next}`),
    parts.flatMap((part) => part.values),
  );
}

/** The columns that an UPDATE sets. Their names are written in the code, and never come from outside. */
export function assignments(changes: Readonly<Record<string, SqlValue | undefined>>): SqlPart {
  const set = Object.entries(changes).filter((each): each is [string, SqlValue] => each[1] !== undefined);
  return new SqlPart(
    set.map(([column]) => `${column} = ?`).join(', '),
    set.map(([, value]) => value),
  );
}

/** The columns and values of a row that an INSERT adds. The names of columns are written in the code. */
export function newRow(row: Readonly<Record<string, SqlValue>>): SqlPart {
  const names = Object.keys(row).map((name) => `"${name}"`);
  return new SqlPart(`(${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, Object.values(row));
}

/** Executes the statement of a template, and returns its rows. What is in `${}` is a value, or a part of the statement. */
export type Sql = <Row extends Record<string, SqlStorageValue>>(
  strings: TemplateStringsArray,
  ...values: readonly (SqlValue | SqlPart)[]
) => Row[];

/** The values of a key's first column, in their order. Reads one row for each. None is an empty text. */
export function distinct(sql: Sql, column: SqlPart, table: SqlPart): string[] {
  const found: string[] = [];
  for (;;) {
    const [next] = sql<{value: string | null}>`
      SELECT min(${column}) AS value FROM ${table} WHERE ${column} > ${found.at(-1) ?? ''}`;
    if (!next?.value) return found;
    found.push(next.value);
  }
}

export class ObjectStorage {
  readonly kv: SyncKvStorage;
  readonly sql: Sql;

  /**
   * @param versions - The versions of the object's stores.
   * @param onWrite - Called after each write, before anything else can happen.
   */
  constructor(
    private readonly raw: DurableObjectStorage,
    readonly versions: StoreVersions,
    onWrite: () => void,
  ) {
    const {kv, sql} = raw;
    this.kv = {
      get: (key: string) => kv.get(key),
      list: (options?: SyncKvListOptions) => kv.list(options),
      put(key: string, value: unknown) {
        kv.put(key, value);
        onWrite();
      },
      delete(key: string) {
        onWrite();
        return kv.delete(key);
      },
    } as SyncKvStorage;
    this.sql = <Row extends Record<string, SqlStorageValue>>(
      strings: TemplateStringsArray,
      ...values: readonly (SqlValue | SqlPart)[]
    ) => {
      const {text, values: bindings} = sqlPart(strings, ...values);
      const cursor = sql.exec<Row>(text, ...bindings);
      const rows = cursor.toArray();
      if (cursor.rowsWritten > 0) onWrite();
      return rows;
    };
  }

  /** Runs the work in one transaction. If it throws, nothing was written. */
  transaction<T>(work: () => T): T {
    return this.versions.transaction(work);
  }

  /** Resolves when everything that was written is on disk. */
  sync(): Promise<void> {
    return this.raw.sync();
  }
}
