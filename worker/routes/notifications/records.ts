/** Reads the records of a notification, checks their keys, and answers the platform. */

import type {Config} from '../../config/config.ts';
import type {NotificationName} from '../../config/notifications.ts';
import type {Context} from '../../context.ts';
import {readBody} from '../../http/body.ts';
import {ApiError} from '../../http/errors.ts';
import {log} from '../../lib/log.ts';
import type {NotificationOutcome} from '../../platform/notifications.ts';
import {limitHook} from '../rate-limit.ts';
import {countParts, PartCounter, type PartsResult} from './part-counter.ts';

/**
 * One record of a notification; null for anything that is not a record. Records arrive in the query, in a form, as a
 * JSON object, in a JSON array, or inside a wrapping object. Values are text. Numbers keep their exact spelling,
 * because the key is computed from it.
 */
export type NotificationRecord = ReadonlyMap<string, string> | null;

/** The maximum size of one notification. */
export interface NotificationBounds {
  readonly records: number;
  readonly bytes: number;
}

/** Above this many bytes a body is large: it surely contains several records, and is expensive to parse. */
const LARGE_BODY_BYTES = 8_192;
/**
 * For each block of this many bytes, a large notification counts as one request. The platform sends few large
 * notifications, an attacker sends many.
 */
const BYTES_PER_REQUEST = 65_536;
/** Maximum memory for all large notifications together. All shoppers share the isolate's 128 MB. */
const MAX_HELD_BYTES = 16_777_216;
/** Timeout of an upload, so that a slow sender cannot occupy memory for long. */
const READ_TIMEOUT_MS = 20_000;
/** Maximum levels of objects around the records. */
const MAX_DEPTH = 3;
/** Maximum fields of a form that are searched for JSON. */
const MAX_JSON_FIELDS = 4;

/** Bytes of the large notifications that this isolate is reading or parsing. */
let heldBytes = 0;

/** Thrown when the shape of a body is not that of records, to stop reading it. */
class NoRecordsError extends Error {}

/**
 * Reads the records of a notification.
 * @param name Name of a field that every record has.
 * @throws {ApiError} 429 if the address sends too many large notifications or this isolate is reading too many of them,
 * 413 if the body is too large or has too many parts, 408 if it arrives too slowly, 400 if it is unreadable.
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

/** @param reserve Receives the number of bytes of a large body so far. It throws if this is too much. */
async function readLimitedBody(
  request: Request,
  bounds: NotificationBounds,
  context: Context,
  reserve: (bytes: number) => void,
): Promise<string> {
  const parts = new PartCounter(bounds.records);
  let counted = 0;
  const onBytes = async (bytes: number, chunk?: Uint8Array): Promise<void> => {
    if (bytes > LARGE_BODY_BYTES) {
      const requests = Math.ceil(Math.min(bytes, bounds.bytes) / BYTES_PER_REQUEST) - counted;
      counted += Math.max(0, requests);
      await limitHook(request, context, requests);
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
  // A form may contain JSON in one of its fields.
  for (const value of [...form.values()].filter(mayBeJson).slice(0, MAX_JSON_FIELDS)) {
    requireWithinBounds(countParts(value, bounds.records));
    const parsed = parseExactJson(value);
    if (parsed !== undefined) return collectRecords(parsed, name, 0);
  }
  return [null];
}

function requireWithinBounds(parts: PartsResult): void {
  if (parts === 'too-many') throw new ApiError('too_large');
  if (parts === 'no-records') throw new NoRecordsError();
}

/** Whether a text starts like a JSON object or array. */
function mayBeJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
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

/**
 * This many wrong records of one notification count as one request. If each of them counted, the results of a service
 * whose private key is not configured could use up the limit before the Worker checks the genuine records after them.
 */
const WRONG_RECORDS_PER_REQUEST = 100;

export interface CheckedRecords<T> {
  readonly genuine: T[];
  readonly wrong: number;
  /**
   * The answer to an address that sent too many wrong records, otherwise null. The records after those were not
   * checked.
   */
  readonly limited: ApiError | null;
}

/**
 * Finds the genuine records of a signed notification: those with a valid key. Only wrong records count towards the
 * sender's limit.
 * @param check Parses a record; null if no service's key matches. It computes one digest for each service and each
 * spelling of the amount.
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
    const parsed = await check(record);
    if (parsed !== null) {
      genuine.push(parsed);
      continue;
    }
    if (wrong % WRONG_RECORDS_PER_REQUEST === 0) limited = await countWrongRecords(request, context);
    wrong += 1;
    if (limited) break;
  }
  return {genuine, wrong, limited};
}

async function countWrongRecords(request: Request, context: Context): Promise<ApiError | null> {
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
  // The platform should send the notification again later.
  retry: {text: 'Try Again', status: 503},
};

/**
 * Combines the outcomes of all records: `retry` takes precedence over `invalid`, and a notification without records is
 * `invalid`.
 */
export function combineOutcomes(outcomes: readonly NotificationOutcome[]): NotificationOutcome {
  if (outcomes.includes('retry')) return 'retry';
  return outcomes.includes('invalid') || outcomes.length === 0 ? 'invalid' : 'accepted';
}

/** Answers the platform with the texts that its spec defines (`docs/spec/orders.md`, 6). */
export function answerNotification(outcome: NotificationOutcome): Response {
  const {text, status} = ANSWERS[outcome];
  const headers = new Headers({'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store'});
  if (outcome === 'retry') headers.set('retry-after', '60');
  return new Response(text, {status, headers});
}

/**
 * Answers a signed notification once its genuine records are handled.
 * @throws {ApiError} The error in `limited`, if set.
 */
export function answerRecords(
  outcomes: readonly NotificationOutcome[],
  {wrong, limited}: Omit<CheckedRecords<unknown>, 'genuine'>,
): Response {
  const rows = wrong + outcomes.filter((outcome) => outcome === 'invalid').length;
  if (rows > 0) log('warn', 'notification_refused', {rows});
  if (limited) throw limited;
  return answerNotification(combineOutcomes(wrong > 0 ? [...outcomes, 'invalid'] : outcomes));
}

/** @throws {ApiError} `not_found` if `NOTIFICATIONS` does not include this notification. */
export function requireNotification(name: NotificationName, {notifications}: Config): void {
  if (!notifications.has(name)) throw new ApiError('not_found');
}
