/** Parses the records of a notification from JSON, a form or a query. */

import {ApiError} from '../../http/errors.ts';
import {countParts, mayBeJson} from './part-counter.ts';

/**
 * One record of a notification; null for anything that is not a record. Records arrive in the query, in a form, as a
 * JSON object, in a JSON array, or inside a wrapping object. Values are text. Numbers keep their exact spelling,
 * because the key is computed from it.
 */
export type NotificationRecord = ReadonlyMap<string, string> | null;

/** Maximum levels of objects around the records. */
const MAX_DEPTH = 3;
/** Maximum fields of a form that are searched for JSON. */
const MAX_JSON_FIELDS = 4;

/** Thrown to stop the reading of a body that does not have the shape of records. */
export class NoRecordsError extends Error {}

/**
 * Parses a body or query.
 * @param name - Name of a field that every record has.
 * @throws {ApiError} 413 if there are too many parts. @throws {NoRecordsError} if the body has another shape.
 */
export function parseRecords(text: string, name: string, maxRecords: number): NotificationRecord[] {
  requireFewParts(text, maxRecords);
  if (mayBeJson(text)) return collectRecords(parseExactJson(text), name, 0);
  const form = new URLSearchParams(text);
  if (form.has(name)) return [toRecord(form)];
  const records = groupFields(form, name);
  if (records.length > 0) return records;
  for (const value of [...form.values()].filter(mayBeJson).slice(0, MAX_JSON_FIELDS)) {
    requireFewParts(value, maxRecords);
    const parsed = parseExactJson(value);
    if (parsed !== undefined) return collectRecords(parsed, name, 0);
  }
  return [null];
}

function requireFewParts(text: string, maxRecords: number): void {
  const parts = countParts(text, maxRecords);
  if (parts === 'too-many') throw new ApiError('too_large');
  if (parts === 'no-records') throw new NoRecordsError();
}

/**
 * Collects the records of a form with brackets: the fields `0[refund_id]` and `0[order]`, or `refunds[0][refund_id]`
 * and `refunds[0][order]`, belong to one record. Fields of anything else are ignored. Empty if there is no record.
 */
function groupFields(form: URLSearchParams, name: string): NotificationRecord[] {
  const groups = new Map<string, [string, string][]>();
  for (const [path, value] of form) {
    const at = path.lastIndexOf('[');
    if (at <= 0 || !path.endsWith(']')) continue;
    const group = path.slice(0, at);
    const fields = groups.get(group) ?? [];
    if (fields.length === 0) groups.set(group, fields);
    fields.push([path.slice(at + 1, -1), value]);
  }
  return [...groups.values()].filter((fields) => fields.some(([field]) => field === name)).map(toRecord);
}

/** Parses JSON and keeps the exact spelling of numbers, as text. Undefined if the text is not JSON. */
function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: {source: string}) =>
      typeof value === 'number' && context ? context.source : value,
    );
  } catch {
    return undefined;
  }
}

function collectRecords(value: unknown, name: string, depth: number): NotificationRecord[] {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return [null];
  if (Array.isArray(value)) return value.flatMap((item) => collectRecords(item, name, depth + 1));
  if (Object.hasOwn(value, name)) return [toRecord(Object.entries(value))];
  const children = Object.values(value).filter((field) => typeof field === 'object' && field !== null);
  return children.length === 0 ? [null] : children.flatMap((field) => collectRecords(field, name, depth + 1));
}

/** Null if a field occurs twice or its value is an object or array. */
function toRecord(fields: Iterable<[string, unknown]>): NotificationRecord {
  const record = new Map<string, string>();
  for (const [name, value] of fields) {
    if (record.has(name) || (typeof value === 'object' && value !== null)) return null;
    record.set(name, value === null ? '' : String(value));
  }
  return record;
}
