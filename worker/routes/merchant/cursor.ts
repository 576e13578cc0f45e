/**
 * Cursors of lists: sealed, so that callers can neither read nor change them, and valid only for a request with the same
 * input, with an API key for the same services.
 */

import {fieldError} from '../../http/errors.ts';
import {openWithAny, packSealed, sealText, unpackSealed} from '../../lib/crypto.ts';
import {DAY_MS} from '../../lib/durations.ts';
import type {WriteContext} from './handler.ts';

/** As long as events can be read. */
const LIFETIME_MS = 30 * DAY_MS;

interface Query {
  readonly cursor?: string | undefined;
  readonly [field: string]: unknown;
}

/** Whose list it is, and the secrets that seal its cursors. */
export interface CursorContext {
  readonly config: Pick<WriteContext['config'], 'sessionSecrets'>;
  readonly caller: Pick<WriteContext['caller'], 'services'>;
}

/** @typeParam S - Says where in the list a page begins, as the endpoint defines it: anything that JSON has. */
export interface PageCursor<S> {
  /** Null for the first page. */
  readonly start: S | null;
  /** The `next_cursor` of the answer. @param start - Where the next page begins, if there is one. */
  readonly next: (start?: S | null) => Promise<string | null>;
}

/**
 * Reads the cursor of a query.
 * @throws {ApiError} `invalid_request` if the cursor is none of this query, or is too old.
 */
export async function readCursor<S>(
  {cursor, ...query}: Query,
  endpoint: string,
  {config: {sessionSecrets}, caller: {services}}: CursorContext,
): Promise<PageCursor<S>> {
  const purpose = `cursor ${JSON.stringify([endpoint, query, services])}`;
  const now = Date.now();
  const write = (place: S | null) => JSON.stringify([place, now]);
  const text = cursor === undefined ? write(null) : await openWithAny(sessionSecrets, purpose, unpackSealed(cursor));
  const [start, at] = JSON.parse(text ?? '[null,0]') as [start: S | null, at: number];
  if (now - at > LIFETIME_MS)
    throw fieldError('invalid_request', 'cursor', 'This cursor is too old, or not of this request.');
  return {
    start,
    next: async (place = null) =>
      place === null ? null : packSealed(await sealText(sessionSecrets[0], purpose, write(place))),
  };
}
