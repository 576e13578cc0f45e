/** A class that stores records in its own tables. */
export interface RecordClass {
  /**
   * The statements that create the class's tables and indexes. Times that the platform shows are stored as text in
   * local time; sorting these texts sorts them by time.
   */
  readonly schema: string;
}

export function createTables(sql: SqlStorage, classes: readonly RecordClass[]): void {
  sql.exec(classes.map(({schema}) => schema).join(''));
}

/** Deletes every record and keeps the tables. */
export function clearTables(sql: SqlStorage, classes: readonly RecordClass[]): void {
  const allSchemas = classes.map(({schema}) => schema).join('');
  for (const [, table] of allSchemas.matchAll(/TABLE IF NOT EXISTS (\w+)/g)) sql.exec(`DELETE FROM ${table}`);
}

/**
 * Creates an id of fourteen digits, as on deployed platforms (observed.md). The id is made from the real time: a
 * counter would begin again after a reset, and repeat ids that a client has already seen.
 */
export function newId(sql: SqlStorage, table: string): number {
  const {latest} = sql.exec<{latest: number | null}>(`SELECT MAX(id) AS latest FROM ${table}`).one();
  return Math.max(Date.now() * 10, (latest ?? 0) + 1);
}

/** An SQL condition over the columns of a table, with its bindings. */
export interface Condition {
  readonly sql: string;
  readonly bindings: readonly (string | number)[];
}

/** Values by name in camelCase. Undefined is stored as NULL, and an object as JSON. */
export type Values = Readonly<Record<string, string | number | object | null | undefined>>;

const columnOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const storedOf = (values: Values) =>
  Object.values(values).map((value) => (typeof value === 'object' && value ? JSON.stringify(value) : (value ?? null)));
const conditionsOf = (values: Values) => Object.keys(values).map((name) => `${columnOf(name)} = ?`);

/** Inserts a row, and returns it as `select` does. */
export function insert<T>(sql: SqlStorage, table: string, row: Values, verb = 'INSERT'): T {
  const names = Object.keys(row);
  const query = `${verb} INTO ${table} (${names.map(columnOf).join()}) VALUES (${names.map(() => '?').join()}) RETURNING *`;
  return select<T>(sql, query, ...storedOf(row))[0] as T;
}

/** Inserts a row in place of the row with the same key. */
export function replace(sql: SqlStorage, table: string, row: Values): void {
  insert(sql, table, row, 'INSERT OR REPLACE');
}

/** Changes the rows that have these values. */
export function update(sql: SqlStorage, table: string, key: Values, changes: Values): void {
  const query = `UPDATE ${table} SET ${conditionsOf(changes).join()} WHERE ${conditionsOf(key).join(' AND ')}`;
  sql.exec(query, ...storedOf(changes), ...storedOf(key));
}

/** Runs a query. Each row becomes a record: its names in camelCase, and undefined in place of null. */
export function select<T>(sql: SqlStorage, query: string, ...bindings: (string | number | null)[]): T[] {
  const cursor = sql.exec(query, ...bindings);
  const names = cursor.columnNames.map((name) =>
    name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  return Array.from(
    cursor.raw(),
    (values) => Object.fromEntries(values.map((value, column) => [names[column], value ?? undefined])) as T,
  );
}

/** Returns one page of a table. @param order - The SQL after ORDER BY. */
export function selectPage<T>(
  sql: SqlStorage,
  table: string,
  {sql: condition, bindings}: Condition,
  [order, limit, offset]: [order: string, limit: number, offset: number],
): T[] {
  const query = `SELECT * FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return select(sql, query, ...bindings, limit, offset);
}

export function countRows(sql: SqlStorage, table: string, {sql: condition, bindings}: Condition): number {
  const query = `SELECT COUNT(*) AS total FROM ${table} WHERE ${condition}`;
  return sql.exec<{total: number}>(query, ...bindings).one().total;
}
