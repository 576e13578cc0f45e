/** JSON in and out. */

import type * as z from 'zod';
import {ApiError} from './errors.ts';
import {validate} from './validation.ts';

const MAX_BODY_BYTES = 16_384;

interface AnswerOptions {
  readonly status?: number;
  /** `Cache-Control`; nothing is kept by default. */
  readonly cache?: string;
}

export function json<T>(body: T, options?: AnswerOptions): Response {
  return jsonText(JSON.stringify(body), options);
}

/** An answer whose JSON is there already. */
export function jsonText(text: string, {status = 200, cache = 'no-store'}: AnswerOptions = {}): Response {
  return new Response(text, {status, headers: {'content-type': 'application/json', 'cache-control': cache}});
}

/**
 * The request's body as the schema has it.
 * @throws {ApiError} 413 when it is too large, 400 when it is not JSON, 422 with the fields that are wrong.
 */
export async function readJson<T extends z.ZodType>(
  request: Request,
  schema: T,
  options?: ParseJsonOptions,
): Promise<z.output<T>> {
  return validate(schema, parseJsonBody(await readBody(request), request, options));
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const JSON_OR_TEXT_TYPE = /^(application\/json|text\/plain)\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

interface ParseJsonOptions {
  /** Whether the body may say that it is text: a beacon does, because text needs no preflight. */
  readonly asText?: boolean | undefined;
}

/**
 * Whatever JSON the body holds.
 * @throws {ApiError} 400 when it is not JSON, or says that it is something else.
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

interface ReadBodyOptions {
  /** Told of the bytes that are announced, then of those that came with the latest of them, before they are read on; it throws to refuse them. */
  readonly onBytes?: (bytes: number, chunk?: Uint8Array) => Promise<void>;
  /** How long the body may take to arrive. */
  readonly timeoutMs?: number;
}

/** @throws {ApiError} `too_large`, without reading on; 400 where the bytes are no UTF-8, 408 where they arrive too slowly. */
export async function readBody(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  {onBytes, timeoutMs}: ReadBodyOptions = {},
): Promise<string> {
  const announced = Number(request.headers.get('content-length'));
  if (announced > maxBytes) throw new ApiError('too_large');
  await onBytes?.(announced);
  if (!request.body) return '';
  const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: false});
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  let isLate = false;
  const timer =
    timeoutMs !== undefined &&
    setTimeout(() => {
      isLate = true;
      void reader.cancel().catch(() => {});
    }, timeoutMs);
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
    if (timer !== false) clearTimeout(timer);
    // What was not read stays to be drained.
    reader.releaseLock();
  }
  if (isLate)
    throw new ApiError('invalid_request', {
      status: 408,
      fields: [{path: '', message: 'The body took too long to arrive.'}],
    });
  return text + decodeUtf8(() => decoder.decode());
}

function decodeUtf8(read: () => string): string {
  try {
    return read();
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
