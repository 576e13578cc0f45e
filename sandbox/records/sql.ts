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
