/** Cursors of searches: opaque to callers, versioned, and valid only for a search with the same input. */

import {ApiError} from '../../http/errors.ts';
import {digest, toBase64Url} from '../../lib/crypto.ts';

const VERSION = 1;
/** A cursor's position that begins with this character is a reference, not a number. */
const REFERENCE_MARK = '~';

interface Query {
  readonly cursor?: string | undefined;
  readonly [field: string]: unknown;
}

/** The position of a search: parsed from the request's cursor, and encoded into the answer's cursor. */
export class SearchCursor {
  private constructor(
    private readonly fingerprint: string,
    private readonly start: number | string | null,
  ) {}

  /** Start of the page: a number whose meaning the endpoint defines. Null for the first page. */
  get position(): number | null {
    return typeof this.start === 'number' ? this.start : null;
  }

  /** The last reference of the previous page. Null for the first page. */
  get reference(): string | null {
    return typeof this.start === 'string' ? this.start : null;
  }

  /**
   * Reads the cursor of a query.
   * @throws {ApiError} `invalid_request` if the cursor is invalid or belongs to another query.
   */
  static async parse({cursor, ...query}: Query, endpoint: string): Promise<SearchCursor> {
    const fingerprint = (await digest('SHA-256', JSON.stringify([endpoint, query]))).slice(0, 24);
    return new SearchCursor(fingerprint, cursor === undefined ? null : readStart(cursor, fingerprint));
  }

  encode(start: number | string): string {
    const text = typeof start === 'number' ? start : REFERENCE_MARK + start;
    const bytes = new TextEncoder().encode([VERSION, text, this.fingerprint].join('.'));
    return toBase64Url(bytes);
  }
}

function readStart(cursor: string, fingerprint: string): number | string {
  const [version, ...rest] = decodeBase64(cursor).split('.');
  const query = rest.pop();
  // A reference may contain dots.
  const start = rest.join('.');
  const isReference = start.startsWith(REFERENCE_MARK);
  if (version !== String(VERSION) || !(isReference || /^\d{1,15}$/.test(start)))
    throw invalidCursor('This is not a valid cursor.');
  if (query !== fingerprint) throw invalidCursor('This cursor belongs to another query.');
  return isReference ? start.slice(REFERENCE_MARK.length) : Number(start);
}

function decodeBase64(cursor: string): string {
  try {
    return new TextDecoder().decode(
      Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0)),
    );
  } catch {
    return '';
  }
}

function invalidCursor(message: string): ApiError {
  return new ApiError('invalid_request', {fields: [{path: 'cursor', message}]});
}
