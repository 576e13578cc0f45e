/**
 * What a notification of the platform says, in whichever form it comes: the query, a form, a JSON object, an array of
 * them, or an object around either. Values are text, numbers exactly as they were written: a key is made of their spelling.
 */

import type {Config} from '../../config/config.ts';
import type {NotificationName} from '../../config/notifications.ts';
import type {Context} from '../../context.ts';
import {ApiError} from '../../http/errors.ts';
import {readBody} from '../../http/json.ts';
import {log} from '../../lib/log.ts';
import type {NoticeOutcome} from '../../platform/notifications.ts';
import {limitFlood} from '../rate-limit.ts';

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

/** The records of a signed notification whose key is true. Whoever sends wrong ones is slowed down, and nobody else. */

/** So many wrong records of a call are charged as one: a day's results with true keys behind another service's are reached. */
const WRONG_A_CHARGE = 100;

export interface Checked<T> {
  readonly genuine: T[];
  readonly wrong: number;
  /** The address sent too many wrong ones: what stands after them was not looked at. */
  readonly limited: ApiError | null;
}

/** @param check what a record claims; null where its key is nobody's. It costs a digest a service and spelling. */
export async function checkRecords<T>(
  records: readonly HookRecord[],
  check: (record: HookRecord) => Promise<T | null>,
  request: Request,
  context: Context,
): Promise<Checked<T>> {
  const genuine: T[] = [];
  let wrong = 0;
  let limited: ApiError | null = null;
  for (const record of records) {
    const claimed = await check(record);
    if (claimed !== null) {
      genuine.push(claimed);
      continue;
    }
    if (wrong % WRONG_A_CHARGE === 0) limited = await chargeFlood(request, context);
    wrong += 1;
    if (limited) break;
  }
  return {genuine, wrong, limited};
}

async function chargeFlood(request: Request, context: Context): Promise<ApiError | null> {
  try {
    await limitFlood('hooks', request, context);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const ANSWERS: Readonly<Record<NoticeOutcome, {readonly text: string; readonly status: number}>> = {
  stored: {text: 'OK', status: 200},
  wrong: {text: 'Wrong Data', status: 400},
  // Whoever sends it again later may be understood then.
  later: {text: 'Try Again', status: 503},
};

/** What becomes of a call of several records: what may be understood later comes first, and no record at all is wrong. */
export function worst(outcomes: readonly NoticeOutcome[]): NoticeOutcome {
  if (outcomes.includes('later')) return 'later';
  return outcomes.includes('wrong') || outcomes.length === 0 ? 'wrong' : 'stored';
}

/** What the platform is answered: the words of its spec (orders 6), as text. */
export function answerHook(outcome: NoticeOutcome): Response {
  const {text, status} = ANSWERS[outcome];
  const headers = new Headers({'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store'});
  if (outcome === 'later') headers.set('retry-after', '60');
  return new Response(text, {status, headers});
}

/** What the call is answered when its genuine records are judged. @throws {ApiError} where what was sent is `limited`. */
export function answerRecords(
  judged: readonly NoticeOutcome[],
  {wrong, limited}: Omit<Checked<unknown>, 'genuine'>,
): Response {
  const rows = wrong + judged.filter((outcome) => outcome === 'wrong').length;
  if (rows > 0) log('warn', 'notification_refused', {rows});
  if (limited) throw limited;
  return answerHook(worst(wrong > 0 ? [...judged, 'wrong'] : judged));
}

/** @throws {ApiError} `not_found` where this notification is not among `NOTIFICATIONS`. */
export function requireHook(name: NotificationName, {notifications}: Config): void {
  if (!notifications.has(name)) throw new ApiError('not_found');
}
