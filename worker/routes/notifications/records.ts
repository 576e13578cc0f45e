/** Reads the records of a notification, checks their keys and answers the platform. */

import type {Config} from '../../config/config.ts';
import type {NotificationName} from '../../config/notifications.ts';
import type {Context} from '../../context.ts';
import {ApiError} from '../../http/errors.ts';
import {readBody} from '../../http/json.ts';
import {log} from '../../lib/log.ts';
import type {NotificationOutcome} from '../../platform/notifications.ts';
import {limitHook} from '../rate-limit.ts';
import {countParts, PartCounter, type PartsResult} from './part-counter.ts';

/**
 * One record of a notification, in whichever form it comes: the query, a form, a JSON object, an array of them, or an object
 * around either; null for something else. Values are text, numbers exactly as they were written: a key is made of their spelling.
 */
export type NotificationRecord = ReadonlyMap<string, string> | null;

/** What a call of a hook may hold: as much as its records are worth reading at once. */
export interface NotificationBounds {
  readonly records: number;
  readonly bytes: number;
}

/** Bytes of what is surely no single record, and costs more to take apart. */
const LARGE_BODY_BYTES = 8_192;
/** A large call is charged once for each of these: the platform sends few of them, an attacker sends many. */
const BYTES_PER_CHARGE = 65_536;
/** Large calls together hold no more than this of the isolate's 128 MB, which every shopper shares. */
const MAX_HELD_BYTES = 16_777_216;
/** An upload that takes longer would hold its part for as long as its sender likes. */
const READ_TIMEOUT_MS = 20_000;
/** How many objects may be wrapped around the records. */
const MAX_DEPTH = 3;
/** How many fields of a form are looked into for JSON. */
const MAX_JSON_FIELDS = 4;

/** Bytes of large calls that are being read or parsed in this isolate. */
let heldBytes = 0;

/** The body has a shape that no records have: the rest of it is not read. */
class NoRecordsError extends Error {}

/**
 * @param name of a field that every record has.
 * @throws {ApiError} 429 where one address sends so many large calls that reading is refused, or too many are being read at
 * once, 413 where it is too large or has too many parts, 408 where it arrives too slowly, 400 where it cannot be read.
 */
export async function readRecords(
  request: Request,
  name: string,
  bounds: NotificationBounds,
  context: Context,
): Promise<NotificationRecord[]> {
  if (request.method !== 'POST') return [toRecord(new URL(request.url).searchParams)];
  let ownBytes = 0;
  try {
    const text = await readLimitedBody(request, bounds, context, (bytes) => {
      if (heldBytes + bytes - ownBytes > MAX_HELD_BYTES) throw new ApiError('rate_limited', {retryAfterSeconds: 60});
      heldBytes += bytes - ownBytes;
      ownBytes = bytes;
    });
    const records = text === '' ? [toRecord(new URL(request.url).searchParams)] : toRecords(text, name, bounds);
    if (records.length > bounds.records) throw new ApiError('too_large');
    return records;
  } catch (error) {
    if (error instanceof NoRecordsError) return [null];
    throw error;
  } finally {
    heldBytes -= ownBytes;
  }
}

/** @param reserve is told how many bytes a large call holds by now; it throws where that is too much. */
async function readLimitedBody(
  request: Request,
  bounds: NotificationBounds,
  context: Context,
  reserve: (bytes: number) => void,
): Promise<string> {
  const parts = new PartCounter(bounds.records);
  let charged = 0;
  const onBytes = async (bytes: number, chunk?: Uint8Array): Promise<void> => {
    if (bytes > LARGE_BODY_BYTES) {
      const charges = Math.ceil(Math.min(bytes, bounds.bytes) / BYTES_PER_CHARGE) - charged;
      charged += Math.max(0, charges);
      await limitHook(request, context, charges);
      if (chunk) reserve(bytes);
    }
    if (chunk) requireWithinBounds(parts.count(chunk));
  };
  return (await readBody(request, bounds.bytes, {onBytes, timeoutMs: READ_TIMEOUT_MS})).trim();
}

function toRecords(text: string, name: string, bounds: NotificationBounds): NotificationRecord[] {
  if (mayBeJson(text)) return collectRecords(parseExactJson(text), name, 0);
  const form = new URLSearchParams(text);
  if (form.has(name)) return [toRecord(form)];
  // A form with the JSON in one of its fields.
  for (const value of [...form.values()].filter(mayBeJson).slice(0, MAX_JSON_FIELDS)) {
    requireWithinBounds(countParts(value, bounds.records));
    const inside = parseExactJson(value);
    if (inside !== undefined) return collectRecords(inside, name, 0);
  }
  return [null];
}

function requireWithinBounds(parts: PartsResult): void {
  if (parts === 'too-many') throw new ApiError('too_large');
  if (parts === 'no-records') throw new NoRecordsError();
}

/** Whether it is an object or an array, if it is JSON. */
function mayBeJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

/** Undefined where it is not JSON. */
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
  const inside = Object.values(value).filter((field) => typeof field === 'object' && field !== null);
  return inside.length === 0 ? [null] : inside.flatMap((field) => collectRecords(field, name, depth + 1));
}

/** A field that is there twice, or is no text or number, makes it no record. */
function toRecord(fields: Iterable<[string, unknown]>): NotificationRecord {
  const record = new Map<string, string>();
  for (const [name, value] of fields) {
    if (record.has(name) || (typeof value === 'object' && value !== null)) return null;
    record.set(name, value === null ? '' : String(value));
  }
  return record;
}

/** So many wrong records of a call are charged as one: a day's results with true keys behind another service's are reached. */
const WRONG_RECORDS_PER_CHARGE = 100;

export interface CheckedRecords<T> {
  readonly genuine: T[];
  readonly wrong: number;
  /** The address sent too many wrong ones: what stands after them was not looked at. */
  readonly limited: ApiError | null;
}

/**
 * The records of a signed notification whose key is genuine. Only an address that sends wrong ones is slowed down.
 * @param check what a record claims; null where its key is nobody's. It costs a digest a service and spelling.
 */
export async function checkRecords<T>(
  records: readonly NotificationRecord[],
  check: (record: NotificationRecord) => Promise<T | null>,
  request: Request,
  context: Context,
): Promise<CheckedRecords<T>> {
  const genuine: T[] = [];
  let wrong = 0;
  let limited: ApiError | null = null;
  for (const record of records) {
    const claimed = await check(record);
    if (claimed !== null) {
      genuine.push(claimed);
      continue;
    }
    if (wrong % WRONG_RECORDS_PER_CHARGE === 0) limited = await chargeAddress(request, context);
    wrong += 1;
    if (limited) break;
  }
  return {genuine, wrong, limited};
}

async function chargeAddress(request: Request, context: Context): Promise<ApiError | null> {
  try {
    await limitHook(request, context);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const ANSWERS: Readonly<Record<NotificationOutcome, {readonly text: string; readonly status: number}>> = {
  accepted: {text: 'OK', status: 200},
  invalid: {text: 'Wrong Data', status: 400},
  // Whoever sends it again later may be understood then.
  retry: {text: 'Try Again', status: 503},
};

/** What becomes of a call of several records: what may be understood later comes first, and no record at all is wrong. */
export function combineOutcomes(outcomes: readonly NotificationOutcome[]): NotificationOutcome {
  if (outcomes.includes('retry')) return 'retry';
  return outcomes.includes('invalid') || outcomes.length === 0 ? 'invalid' : 'accepted';
}

/** What the platform is answered: the words of its spec (orders 6), as text. */
export function answerNotification(outcome: NotificationOutcome): Response {
  const {text, status} = ANSWERS[outcome];
  const headers = new Headers({'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store'});
  if (outcome === 'retry') headers.set('retry-after', '60');
  return new Response(text, {status, headers});
}

/** What the call is answered when its genuine records are judged. @throws {ApiError} where what was sent is `limited`. */
export function answerRecords(
  outcomes: readonly NotificationOutcome[],
  {wrong, limited}: Omit<CheckedRecords<unknown>, 'genuine'>,
): Response {
  const rows = wrong + outcomes.filter((outcome) => outcome === 'invalid').length;
  if (rows > 0) log('warn', 'notification_refused', {rows});
  if (limited) throw limited;
  return answerNotification(combineOutcomes(wrong > 0 ? [...outcomes, 'invalid'] : outcomes));
}

/** @throws {ApiError} `not_found` where this notification is not among `NOTIFICATIONS`. */
export function requireNotification(name: NotificationName, {notifications}: Config): void {
  if (!notifications.has(name)) throw new ApiError('not_found');
}
