/** Changes these columns of the row with this id. */
export function updateRow(
  sql: SqlStorage,
  table: string,
  id: string,
  changes: Readonly<Record<string, string | number | null>>,
): void {
  const columns = Object.keys(changes).map((name) => `${name} = ?`);
  sql.exec(`UPDATE ${table} SET ${columns.join(', ')} WHERE id = ?`, ...Object.values(changes), id);
}
