/** Where a search goes on: opaque to callers, versioned, and bound to the query it came from. */

import {ApiError} from '../../http/errors.ts';
import {digest} from '../../lib/crypto.ts';

const VERSION = 1;

interface Query {
  readonly cursor?: string | undefined;
}

/** A search's place: read from the cursor it came with, written into the next one. */
export class Cursors {
  private constructor(
    private readonly query: string,
    /** Where this page begins: a number of items, or of milliseconds; null for the first one. */
    readonly position: number | null,
  ) {}

  /** @param field that the cursor came in. @throws {ApiError} `invalid_request` for a cursor that is none, or another query's. */
  static async of({cursor, ...query}: Query, endpoint: string, field = 'cursor'): Promise<Cursors> {
    const fingerprint = (await digest('SHA-256', JSON.stringify([endpoint, query]))).slice(0, 24);
    return new Cursors(fingerprint, cursor === undefined ? null : read(cursor, fingerprint, field));
  }

  at(position: number): string {
    return btoa([VERSION, position, this.query].join('.')).replaceAll('=', '');
  }
}

function read(cursor: string, query: string, field: string): number {
  const [version, position = '', of] = decode(cursor).split('.');
  if (version !== String(VERSION) || !/^\d{1,15}$/.test(position)) throw refused(field, 'This is no cursor of ours.');
  if (of !== query) throw refused(field, 'This is the cursor of another query.');
  return Number(position);
}

function decode(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return '';
  }
}

function refused(path: string, message: string): ApiError {
  return new ApiError('invalid_request', {fields: [{path, message}]});
}
