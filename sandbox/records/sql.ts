/** A class whose records have tables of their own. */
export interface RecordClass {
  /** The statements that create its tables and indexes. Times that the platform shows are local-time text, which sorts by time. */
  readonly schema: string;
}

export function createTables(sql: SqlStorage, classes: readonly RecordClass[]): void {
  sql.exec(classes.map(({schema}) => schema).join(''));
}

/** Deletes every record, as on the first start. */
export function clearTables(sql: SqlStorage, classes: readonly RecordClass[]): void {
  const schema = classes.map((one) => one.schema).join('');
  for (const [, table] of schema.matchAll(/TABLE IF NOT EXISTS (\w+)/g)) sql.exec(`DELETE FROM ${table}`);
}

/**
 * Fourteen digits, as seen on platforms. Taken from real time and not from a counter: an id that a client has seen must
 * not come back after a reset.
 */
export function newId(sql: SqlStorage, table: string): number {
  const {latest} = sql.exec<{latest: number | null}>(`SELECT MAX(id) AS latest FROM ${table}`).one();
  return Math.max(Date.now() * 10, (latest ?? 0) + 1);
}

/** A condition in SQL with its bindings, over a table's columns. */
export interface Condition {
  readonly sql: string;
  readonly bindings: readonly (string | number)[];
}
