/** Reads `[]` as an empty table. PHP has one type for lists and tables, and writes an empty table as an empty list. */

import type * as z from 'zod/mini';

type Path = readonly PropertyKey[];

/** Returns the value with `{}` for each `[]` where the schema accepts a table and no list. */
export function readEmptyTables(schema: z.ZodMiniType, value: unknown): unknown {
  const {error} = schema.safeParse(value);
  const paths = (error?.issues ?? []).flatMap((issue) => tablePaths(issue, []));
  return paths.reduce(withTable, value);
}

const acceptsItsType = ({code, path}: z.core.$ZodIssue) => code !== 'invalid_type' || path.length > 0;

/** Where the schema expected a table and got something else. */
function tablePaths(issue: z.core.$ZodIssue, parent: Path): Path[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'invalid_type') return issue.expected === 'object' || issue.expected === 'record' ? [path] : [];
  if (issue.code !== 'invalid_union') return [];
  // If an option of the union accepts lists, its own complaint is about this list.
  return issue.errors.some((option) => option.every(acceptsItsType))
    ? []
    : issue.errors.flatMap((option) => option.flatMap((nested) => tablePaths(nested, path)));
}

function withTable(value: unknown, [field, ...rest]: Path): unknown {
  if (field === undefined) return Array.isArray(value) && value.length === 0 ? {} : value;
  if (Array.isArray(value)) return value.map((item, index) => (index === field ? withTable(item, rest) : item));
  const fields = value as Readonly<Record<PropertyKey, unknown>>;
  return {...fields, [field]: withTable(fields[field], rest)};
}
