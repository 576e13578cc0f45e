/**
 * The type of a row of the merchant API: everything about one endpoint. The Worker routes and validates requests with the
 * rows; the API's description, the client and the tests also use `docs`.
 */

import type * as z from 'zod/mini';
import type {OperationName} from '../../platform/operations/index.ts';
import type {ErrorCode} from '../codes.ts';
import {describeFields, type FieldText} from './described.ts';
import type {ResourceName} from './resources.ts';

/**
 * What an API key may do. `sessions` allows what a shop's server does for a shopper in the shop: creating sessions,
 * order codes, payment notices, pages of the platform, PINs and subscriptions. `read` allows only reads. `money` allows
 * refunds, and changing or ending orders and subscriptions. `webhooks` allows changing which servers get events. `offers`
 * allows making, changing and reading offers; to name the order of a bill, a key also needs `sessions`.
 */
export const SCOPES = ['sessions', 'read', 'money', 'webhooks', 'offers'] as const;
export type Scope = (typeof SCOPES)[number];

/** The problem of a request whose key lacks the endpoint's scope. */
export const SCOPE_CODES = {
  sessions: 'sessions_scope_missing',
  read: 'read_scope_missing',
  money: 'money_scope_missing',
  webhooks: 'webhooks_scope_missing',
  offers: 'offers_scope_missing',
  root: 'root_key_required',
} as const satisfies Record<Scope | 'root', ErrorCode>;

export interface Endpoint<I extends z.ZodMiniType = z.ZodMiniType> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` is a field of the input. The other fields are in the query of a GET, otherwise in the JSON body. */
  readonly path: `/merchant/v1/${string}`;
  /** The platform operation that the endpoint calls. Left out when the Worker answers by itself. */
  readonly operation?: OperationName;
  /** The scope that an API key needs; `root` for endpoints that only `MERCHANT_API_KEY` may call. */
  readonly scope: Scope | 'root';
  /** Marks an endpoint that changes something. A write requires an `Idempotency-Key`. */
  readonly write?: true;
  /** Marks an endpoint that moves money or ends something. A repeated request with the same key gets the outcome. */
  readonly command?: true;
  /**
   * A field of the answer that is shown only once, such as a new secret. The answer that is stored for the
   * `Idempotency-Key` lacks this field, so the field is null when the request is repeated.
   */
  readonly shownOnce?: 'secret';
  /** Marks an endpoint that may queue its command for a later day. It then answers `202` with a `QueuedCommand`. */
  readonly queues?: true;
  /** Marks a list that the path with `.csv`, or `Accept: text/csv`, returns as a file. */
  readonly csv?: true;
  /**
   * How the Worker keeps an API key that is limited to services away from other services:
   * - `code`, `billing`: the input names the service, by its code; with `billing` also by its id in mobile billing;
   * - `answer`: the answer, or each of its `items`, names the service, and what names no service of the key is left out;
   * - `list`: the handler leaves out what names no service of the key, before it cuts a page and counts;
   * - `handler`: the handler asks `caller.services`;
   * - `all`: the endpoint is about all services, so such a key is refused;
   * - `none`: the endpoint is about no service.
   */
  readonly service: 'code' | 'billing' | 'answer' | 'list' | 'handler' | 'all' | 'none';
  /** The status of an answer; 200 by default. */
  readonly status?: 201;
  readonly input: I;
}

/** What the Worker never reads. `DESCRIBED` keeps it out of the Worker's bundle. */
export interface Docs<I extends z.ZodMiniType = z.ZodMiniType, A extends z.ZodMiniType = z.ZodMiniType> {
  /** The client's method, such as `refunds.create`. */
  readonly client: `${ResourceName}.${string}`;
  /** One sentence. */
  readonly summary: string;
  readonly description?: string;
  /** Texts of the input's fields. */
  readonly fields?: {readonly [N in keyof z.input<I>]?: FieldText};
  readonly answer: A;
  /** The endpoint's error codes, without the codes that every endpoint can return. */
  readonly codes: readonly ErrorCode[];
  readonly example: {readonly input: z.input<I>; readonly answer: z.output<A>};
}

export interface DescribedEndpoint<
  I extends z.ZodMiniType = z.ZodMiniType,
  A extends z.ZodMiniType = z.ZodMiniType,
> extends Endpoint<I> {
  readonly docs: Docs<I, A>;
}

/** Returns the row. TypeScript infers the exact types of its input and its answer, and checks the example. */
export function endpoint<I extends z.ZodMiniType, A extends z.ZodMiniType>(
  row: DescribedEndpoint<I, A>,
): DescribedEndpoint<I, A> {
  if (DESCRIBED && row.docs.fields) describeFields((row.input as unknown as z.ZodMiniObject).shape, row.docs.fields);
  return row;
}
