/** Finds an entry of a table. A text from outside, such as `constructor`, finds nothing that every object has. */
export function lookUp<T>(table: Readonly<Partial<Record<string, T>>> | undefined, key: string): T | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}
