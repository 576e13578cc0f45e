/** Reads the bodies of requests, within bounds, and writes JSON responses. */

import type * as z from 'zod/mini';
import {describeFields, validationMessage} from '../lib/validation-messages.ts';
import {ApiError} from './errors.ts';

interface JsonOptions {
  readonly status?: number | undefined;
  /** `Cache-Control`; `no-store` by default. */
  readonly cache?: string;
}

export function json<T>(body: T, options?: JsonOptions): Response {
  return jsonText(JSON.stringify(body), options);
}

/** A JSON response whose body is already serialized. */
export function jsonText(text: string, {status = 200, cache = 'no-store'}: JsonOptions = {}): Response {
  return new Response(text, {status, headers: {'content-type': 'application/json', 'cache-control': cache}});
}

/** Parses a value with a schema. @throws {ApiError} 422 with the invalid fields, each once. */
export function validate<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value, {error: validationMessage});
  if (parsed.success) return parsed.data;
  throw new ApiError('invalid_request', {
    fields: describeFields(parsed.error.issues).map(({path, message}) => ({path: path.join('.'), message})),
  });
}

/**
 * Reads and validates a JSON body.
 * @throws {ApiError} 413 if it is too large, 400 if it is not JSON, 422 with the invalid fields.
 */
export async function readJson<T extends z.ZodMiniType>(
  request: Request,
  schema: T,
  options?: ParseJsonOptions,
): Promise<z.output<T>> {
  return validate(schema, parseJsonBody(await readBody(request), request, options));
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const JSON_OR_TEXT_TYPE = /^(application\/json|text\/plain)\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

interface ParseJsonOptions {
  /** Accepts JSON sent as `text/plain` too. Beacons use this type, because it needs no preflight. */
  readonly asText?: boolean | undefined;
}

/**
 * Parses the text of a JSON body.
 * @throws {ApiError} 400 if it is not JSON or its `Content-Type` is not accepted.
 */
export function parseJsonBody(text: string, {headers}: Request, {asText = false}: ParseJsonOptions = {}): unknown {
  const type = headers.get('content-type') ?? '';
  if (!(asText ? JSON_OR_TEXT_TYPE : JSON_TYPE).test(type)) throw malformedBody();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformedBody(cause);
  }
}

const MAX_BODY_BYTES = 16_384;
const CHECK_INTERVAL_MS = 500;

interface ReadBodyOptions {
  /**
   * Called first with the announced `Content-Length`. After each chunk, it is called with the number of bytes read so
   * far and the chunk. It throws to refuse the body.
   */
  readonly onBytes?: (bytes: number, chunk?: Uint8Array) => Promise<void>;
  /** Called every half second while the body arrives; what it returns ends the upload. */
  readonly check?: () => ApiError | null;
}

/**
 * Reads a body as UTF-8 text.
 * @throws {ApiError} `too_large` as soon as the limit is exceeded, 400 if the bytes are not UTF-8, or what `check` found.
 */
export async function readBody(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  {onBytes, check}: ReadBodyOptions = {},
): Promise<string> {
  const announced = Number(request.headers.get('content-length'));
  if (announced > maxBytes) throw new ApiError('too_large');
  await onBytes?.(announced);
  if (!request.body) return '';
  const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: false});
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  let problem: ApiError | null = null;
  const timer =
    check &&
    setInterval(() => {
      problem ??= check();
      if (problem) void reader.cancel().catch(() => {});
    }, CHECK_INTERVAL_MS);
  let text = '';
  let bytes = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.byteLength;
      await onBytes?.(bytes, next.value);
      if (bytes > maxBytes) throw new ApiError('too_large');
      const chunk = next.value;
      text += decodeUtf8(() => decoder.decode(chunk, {stream: true}));
    }
  } finally {
    if (timer !== undefined) clearInterval(timer);
    // Unlocks the body, so that `drainRequestBody` can read the rest.
    reader.releaseLock();
  }
  if (problem) throw problem as ApiError;
  return text + decodeUtf8(() => decoder.decode());
}

function decodeUtf8(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw malformedBody(cause);
  }
}

function malformedBody(cause?: unknown): ApiError {
  return new ApiError('invalid_request', {
    status: 400,
    cause,
    fields: [{path: '', message: 'The body is not JSON (application/json).'}],
  });
}

const MAX_DRAINED_BYTES = 4_000_000;
const MAX_DRAIN_MS = 1_000;

/**
 * Reads and discards the rest of a refused request's body, within bounds, before the Worker answers. If the Worker
 * answered while the client is still sending, a proxy in front of the Worker could see a broken connection and send its
 * own 500 instead of the answer.
 */
export async function drainRequestBody({body}: Request): Promise<void> {
  if (!body || body.locked) return;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), MAX_DRAIN_MS);
  try {
    let bytes = 0;
    while (bytes < MAX_DRAINED_BYTES) {
      const {done, value} = await reader.read();
      if (done) return;
      bytes += value.byteLength;
    }
  } catch {
    // The client closed the connection and needs no answer.
  } finally {
    clearTimeout(timer);
    reader.releaseLock();
  }
}
