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
