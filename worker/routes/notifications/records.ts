/** Reads the records in the body or query of a notification, checks the records' keys, and answers the platform. */

import * as z from 'zod/mini';
import type {Config} from '../../config/config.ts';
import type {NotificationName} from '../../config/notifications.ts';
import type {Context} from '../../context.ts';
import {readBody} from '../../http/body.ts';
import {clientSubnet, siteSubnet} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {log} from '../../lib/log.ts';
import {ServiceFinder} from '../../platform/keys.ts';
import type {NotificationOutcome} from '../../platform/notifications.ts';
import {limitHook} from '../rate-limit.ts';
import {NoRecordsError, type NotificationRecord, parseRecords} from './parse-records.ts';
import {OpeningCounter} from './part-counter.ts';
import {endOfUpload, type Upload, UploadRoom} from './upload-room.ts';

const recordText = () => z.string().check(z.maxLength(500));
/** A field that the platform may omit. */
export const optionalText = () => z._default(recordText(), '');
export const recordId = () => z.string().check(z.regex(/^\d{1,20}$/));
/** What every record with a key has. */
export const signedFields = () => ({
  code: optionalText(),
  order: recordText().check(z.minLength(1)),
  amount: recordText(),
  key: z.string().check(z.toLowerCase(), z.regex(/^[0-9a-f]{32}$/)),
});

/** The maximum size of one notification. */
export interface NotificationBounds {
  readonly records: number;
  readonly bytes: number;
}

/** Above this many bytes a body is large: it surely contains several records, and is expensive to parse. */
const LARGE_BODY_BYTES = 8_192;
/**
 * A large notification counts as one request for each block of this many bytes, because the platform sends few large
 * notifications, while an attacker may send many.
 */
const BYTES_PER_REQUEST = 65_536;
/** The large notifications that this isolate is reading or parsing. */
const room = new UploadRoom();

/**
 * Reads the records of a notification.
 * @param name - Name of a field that every record has.
 * @throws {ApiError} 429 if the address sends too many large notifications or this isolate is reading too many of them,
 * 413 if the body is too large or has too many parts, 408 if it arrives too slowly, 400 if it is unreadable.
 */
export async function readRecords(
  request: Request,
  name: string,
  bounds: NotificationBounds,
  context: Context,
): Promise<NotificationRecord[]> {
  const upload = room.enter(siteSubnet(clientSubnet(request)));
  try {
    const text = await readLimited(request, bounds, context, upload);
    const records = parseRecords(text, name, bounds.records);
    if (records.length > bounds.records) throw new ApiError('too_large');
    return records;
  } catch (error) {
    if (error instanceof NoRecordsError) return [null];
    throw error;
  } finally {
    room.leave(upload);
  }
}

/** Reads the body; without a body, reads the query. Counts a large notification towards the sender's limit. */
async function readLimited(
  request: Request,
  bounds: NotificationBounds,
  context: Context,
  upload: Upload,
): Promise<string> {
  let counted = 0;
  const opening = new OpeningCounter(bounds.records);
  const onBytes = async (bytes: number, chunk?: Uint8Array): Promise<void> => {
    if (bytes > LARGE_BODY_BYTES) {
      const requests = Math.ceil(Math.min(bytes, bounds.bytes) / BYTES_PER_REQUEST) - counted;
      counted += Math.max(0, requests);
      await limitHook(request, context, requests);
      if (chunk) room.grow(upload, bytes);
    }
    if (chunk && !opening.add(chunk)) throw new ApiError('too_large');
    upload.progressAt = Date.now();
  };
  const options = {onBytes, check: () => endOfUpload(upload, Date.now())};
  const body = request.method === 'POST' ? (await readBody(request, bounds.bytes, options)).trim() : '';
  if (body !== '') return body;
  const query = new URL(request.url).search.slice(1);
  if (query.length > bounds.bytes) throw new ApiError('too_large');
  await onBytes(query.length);
  return query;
}

/**
 * This many wrong records of one notification count as one request. If each wrong record counted, the results of a
 * service whose private key is not configured could use up the limit before the Worker checks the genuine records that
 * follow.
 */
const WRONG_RECORDS_PER_REQUEST = 10;
/**
 * After `MAX_WRONG_RECORDS` wrong records of one notification, or `MAX_WASTED_DIGESTS` digests for wrong records, the
 * Worker checks no further records. The notification is refused anyway, and the Worker reads the results of its own
 * refunds by itself.
 */
const MAX_WRONG_RECORDS = 500;
const MAX_WASTED_DIGESTS = 2_000;

export interface CheckedRecords<T> {
  readonly genuine: T[];
  /** How many records are not genuine, without those that are accepted as foreign. */
  readonly wrong: number;
  /** How many complete records have the key of no service of ours, if the Worker accepts such records. */
  readonly foreign: number;
  /**
   * The answer to an address that sent too many wrong records, otherwise null. The records after the wrong records were
   * not checked.
   */
  readonly limited: ApiError | null;
}

/**
 * Finds the genuine records of a signed notification: those with a valid key. Only wrong records count towards the
 * sender's limit.
 * @param check - Parses a record; `foreign` if no service's key matches, null if the record is invalid.
 * @throws {ApiError} `not_configured` without private keys.
 */
export async function checkRecords<T>(
  records: readonly NotificationRecord[],
  check: (record: NotificationRecord, services: ServiceFinder) => Promise<T | 'foreign' | null>,
  request: Request,
  context: Context,
): Promise<CheckedRecords<T>> {
  const {merchant, notificationKeys, acceptsForeignRecords} = context.config;
  if (!notificationKeys) throw new ApiError('not_configured');
  const services = new ServiceFinder(merchant.id, notificationKeys);
  const genuine: T[] = [];
  let wrong = 0;
  let foreign = 0;
  let limited: ApiError | null = null;
  for (const record of records) {
    const parsed = await check(record, services);
    if (parsed !== null && parsed !== 'foreign') {
      genuine.push(parsed);
      continue;
    }
    // A forged record looks like a foreign one, so foreign records count, too.
    if ((wrong + foreign) % WRONG_RECORDS_PER_REQUEST === 0) limited = await countWrongRecords(request, context);
    const isFull = wrong + foreign + 1 >= MAX_WRONG_RECORDS || services.wasted >= MAX_WASTED_DIGESTS;
    // The records after the last one are not checked, so the platform must not get `OK`.
    if (parsed === 'foreign' && acceptsForeignRecords && !isFull) foreign += 1;
    else wrong += 1;
    if (limited || isFull) break;
  }
  return {genuine, wrong, foreign, limited};
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
 * Answers a signed notification after its genuine records were handled.
 * @throws {ApiError} The error in `limited`, if set.
 */
export function answerRecords(
  outcomes: readonly NotificationOutcome[],
  {wrong, foreign, limited}: Omit<CheckedRecords<unknown>, 'genuine'>,
): Response {
  const rows = wrong + outcomes.filter((outcome) => outcome === 'invalid').length;
  if (rows > 0) log('warn', 'notification_refused', {rows});
  if (limited) throw limited;
  const others = [...Array<'accepted'>(foreign).fill('accepted'), ...Array<'invalid'>(wrong).fill('invalid')];
  return answerNotification(combineOutcomes([...outcomes, ...others]));
}

/** @throws {ApiError} `not_found` if `NOTIFICATIONS` does not include this notification. */
export function requireNotification(name: NotificationName, {notifications}: Config): void {
  if (!notifications.has(name)) throw new ApiError('not_found');
}
