/**
 * Cursors of lists: sealed, so that callers can neither read nor change them, and valid only for a request with the same
 * input, with an API key for the same services.
 */

import {ApiError} from '../../http/errors.ts';
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

type Start = number | string;

/** The position of a list: parsed from the request's cursor, and encoded into the answer's cursor. */
export class SearchCursor {
  private constructor(
    private readonly purpose: string,
    private readonly secrets: readonly [string, ...string[]],
    private readonly start: Start | null,
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
   * @throws {ApiError} `invalid_request` if the cursor is none of this query, or is too old.
   */
  static async parse(
    {cursor, ...query}: Query,
    endpoint: string,
    {config: {sessionSecrets}, caller: {services}}: CursorContext,
  ): Promise<SearchCursor> {
    const purpose = `cursor ${JSON.stringify([endpoint, query, services])}`;
    if (cursor === undefined) return new SearchCursor(purpose, sessionSecrets, null);
    const text = await openWithAny(sessionSecrets, purpose, unpackSealed(cursor));
    const [start, at] = (text === null ? [] : JSON.parse(text)) as [start?: Start, at?: number];
    if (start === undefined || at === undefined || Date.now() - at > LIFETIME_MS)
      throw new ApiError('invalid_request', {
        fields: [{path: 'cursor', message: 'This is no cursor of this request, or it is older than 30 days.'}],
      });
    return new SearchCursor(purpose, sessionSecrets, start);
  }

  async encode(start: Start): Promise<string> {
    return packSealed(await sealText(this.secrets[0], this.purpose, JSON.stringify([start, Date.now()])));
  }
}
