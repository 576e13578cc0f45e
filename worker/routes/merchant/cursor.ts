/** Cursors of searches: opaque to callers, versioned, and valid only for the query that returned them. */

import {ApiError} from '../../http/errors.ts';
import {digest} from '../../lib/crypto.ts';

const VERSION = 1;

interface Query {
  readonly cursor?: string | undefined;
  readonly [field: string]: unknown;
}

/** The position of a search: parsed from the request's cursor, and encoded into the next one. */
export class SearchCursor {
  private constructor(
    private readonly fingerprint: string,
    /** Start of the page: a number whose meaning the endpoint defines. Null for the first page. */
    readonly position: number | null,
  ) {}

  /**
   * Reads the cursor of a query.
   * @param field Name of the input field that contains the cursor.
   * @throws {ApiError} `invalid_request` if the cursor is invalid or belongs to another query.
   */
  static async parse({cursor, ...query}: Query, endpoint: string, field = 'cursor'): Promise<SearchCursor> {
    const fingerprint = (await digest('SHA-256', JSON.stringify([endpoint, query]))).slice(0, 24);
    return new SearchCursor(fingerprint, cursor === undefined ? null : readPosition(cursor, fingerprint, field));
  }

  encode(position: number): string {
    return btoa([VERSION, position, this.fingerprint].join('.')).replaceAll('=', '');
  }
}

function readPosition(cursor: string, fingerprint: string, field: string): number {
  const [version, position = '', query] = decodeBase64(cursor).split('.');
  if (version !== String(VERSION) || !/^\d{1,15}$/.test(position))
    throw invalidCursor(field, 'This is not a valid cursor.');
  if (query !== fingerprint) throw invalidCursor(field, 'This cursor belongs to another query.');
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
