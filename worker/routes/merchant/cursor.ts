/** Where a search goes on: opaque to callers, versioned, and bound to the query it came from. */

import {ApiError} from '../../http/errors.ts';
import {digest} from '../../lib/crypto.ts';

const VERSION = 1;

interface Query {
  readonly cursor?: string | undefined;
}

/** A search's place: read from the cursor it came with, written into the next one. */
export class SearchCursor {
  private constructor(
    private readonly query: string,
    /** Where this page begins: a number of items, or of milliseconds; null for the first one. */
    readonly position: number | null,
  ) {}

  /** @param field that the cursor came in. @throws {ApiError} `invalid_request` for a cursor that is none, or another query's. */
  static async parse({cursor, ...query}: Query, endpoint: string, field = 'cursor'): Promise<SearchCursor> {
    const fingerprint = (await digest('SHA-256', JSON.stringify([endpoint, query]))).slice(0, 24);
    return new SearchCursor(fingerprint, cursor === undefined ? null : readPosition(cursor, fingerprint, field));
  }

  encode(position: number): string {
    return btoa([VERSION, position, this.query].join('.')).replaceAll('=', '');
  }
}

function readPosition(cursor: string, query: string, field: string): number {
  const [version, position = '', of] = decodeBase64(cursor).split('.');
  if (version !== String(VERSION) || !/^\d{1,15}$/.test(position))
    throw invalidCursor(field, 'This is no cursor of ours.');
  if (of !== query) throw invalidCursor(field, 'This is the cursor of another query.');
  return Number(position);
}

function decodeBase64(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return '';
  }
}

function invalidCursor(path: string, message: string): ApiError {
  return new ApiError('invalid_request', {fields: [{path, message}]});
}
