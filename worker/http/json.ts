/** JSON in and out. */

import type * as z from 'zod';
import {ApiError} from './errors.ts';
import {check} from './validation.ts';

const MAX_BODY_BYTES = 16_384;

interface Answering {
  readonly status?: number;
  /** `Cache-Control`; nothing is kept by default. */
  readonly cache?: string;
}

export function json<T>(body: T, answering?: Answering): Response {
  return jsonText(JSON.stringify(body), answering);
}

/** An answer whose JSON is there already. */
export function jsonText(text: string, {status = 200, cache = 'no-store'}: Answering = {}): Response {
  return new Response(text, {status, headers: {'content-type': 'application/json', 'cache-control': cache}});
}

/**
 * The request's body as the schema has it.
 * @throws {ApiError} 413 when it is too large, 400 when it is not JSON, 422 with the fields that are wrong.
 */
export async function readJson<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  return check(schema, parseJson(await readBody(request), request));
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const JSON_OR_TEXT_TYPE = /^(application\/json|text\/plain)\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Whatever JSON the body holds.
 * @param asText whether it may say that it is text: a beacon does, which needs no leave beforehand.
 * @throws {ApiError} 400 when it is not JSON, or says that it is something else.
 */
export function parseJson(text: string, {headers}: Request, {asText = false} = {}): unknown {
  const type = headers.get('content-type') ?? '';
  if (!(asText ? JSON_OR_TEXT_TYPE : JSON_TYPE).test(type)) throw malformed();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(cause);
  }
}

/**
 * @param allow told of the bytes that are announced, and of those that came, before they are read on; it throws to refuse them.
 * @throws {ApiError} `too_large`, without reading on; 400 where the bytes are no UTF-8.
 */
export async function readBody(
  request: Request,
  most = MAX_BODY_BYTES,
  allow?: (bytes: number) => Promise<void>,
): Promise<string> {
  const announced = Number(request.headers.get('content-length'));
  if (announced > most) throw new ApiError('too_large');
  await allow?.(announced);
  if (!request.body) return '';
  const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: false});
  let text = '';
  let bytes = 0;
  // The rest stays to be drained.
  for await (const chunk of (request.body as ReadableStream<Uint8Array>).values({preventCancel: true})) {
    bytes += chunk.byteLength;
    await allow?.(bytes);
    if (bytes > most) throw new ApiError('too_large');
    text += decode(() => decoder.decode(chunk, {stream: true}));
  }
  return text + decode(() => decoder.decode());
}

function decode(read: () => string): string {
  try {
    return read();
  } catch (cause) {
    throw malformed(cause);
  }
}

function malformed(cause?: unknown): ApiError {
  return new ApiError('invalid_request', {
    status: 400,
    cause,
    fields: [{path: '', message: 'The body is not JSON (application/json).'}],
  });
}
