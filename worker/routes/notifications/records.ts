/**
 * What a notification of the platform says, in whichever form it comes: the query, a form, a JSON object, an array of
 * them, or an object around either. Values are text, numbers exactly as they were written: a key is made of their spelling.
 */

import type {Context} from '../../context.ts';
import {ApiError} from '../../http/errors.ts';
import {readBody} from '../../http/json.ts';
import {limitFlood} from '../limit-flood.ts';

/** One record; null for something that is none. */
export type HookRecord = ReadonlyMap<string, string> | null;

/** What a call of a hook may hold: as much as its records are worth reading at once. */
export interface HookBounds {
  readonly records: number;
  readonly bytes: number;
}

/** Bytes of what is surely no single record, and costs more to take apart. */
const LARGE = 8_192;
/** How many objects may be wrapped around the records. */
const DEEPEST = 3;

/**
 * @param name of a field that every record has.
 * @throws {ApiError} 429 where one address sends so many large calls that reading is refused, 413 where it is too large or
 * there are too many, 400 where it cannot be read.
 */
export async function readRecords(
  request: Request,
  name: string,
  most: HookBounds,
  context: Context,
): Promise<HookRecord[]> {
  const text = request.method === 'POST' ? (await readText(request, most.bytes, context)).trim() : '';
  const records = text === '' ? [toRecord(new URL(request.url).searchParams)] : toRecords(text, name);
  if (records.length > most.records) throw new ApiError('too_large');
  return records;
}

async function readText(request: Request, most: number, context: Context): Promise<string> {
  let charged = false;
  return readBody(request, most, async (bytes) => {
    if (charged || bytes <= LARGE) return;
    charged = true;
    // A platform sends few large calls, whoever floods us sends many.
    await limitFlood('hooks', request, context);
  });
}

function toRecords(text: string, name: string): HookRecord[] {
  const value = parseJson(text);
  if (value !== undefined) return collect(value, name, 0);
  const form = new URLSearchParams(text);
  if (form.has(name)) return [toRecord(form)];
  // A form with the JSON in one of its fields.
  const inside = [...form.values()].map(parseJson).find((field) => typeof field === 'object' && field !== null);
  return inside === undefined ? [null] : collect(inside, name, 0);
}

/** Undefined where it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: {source: string}) =>
      typeof value === 'number' && context ? context.source : value,
    );
  } catch {
    return undefined;
  }
}

function collect(value: unknown, name: string, depth: number): HookRecord[] {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return [null];
  if (Array.isArray(value)) return value.flatMap((item) => collect(item, name, depth + 1));
  if (Object.hasOwn(value, name)) return [toRecord(Object.entries(value))];
  const inside = Object.values(value).filter((field) => typeof field === 'object' && field !== null);
  return inside.length === 0 ? [null] : inside.flatMap((field) => collect(field, name, depth + 1));
}

/** A field that is there twice, or is no text or number, makes it no record. */
function toRecord(fields: Iterable<[string, unknown]>): HookRecord {
  const record = new Map<string, string>();
  for (const [name, value] of fields) {
    if (record.has(name) || (typeof value === 'object' && value !== null)) return null;
    record.set(name, value === null ? '' : String(value));
  }
  return record;
}
