/**
 * The type of a row: everything about one endpoint, of pages or of merchants' servers. The Worker routes and validates
 * requests with the rows; the API's description, the client and the tests also use `docs`.
 */

import type * as z from 'zod/mini';
import type {OperationName} from '../platform/operations/index.ts';
import type {ErrorCode} from './codes.ts';
import {describeFields, type FieldText} from './described.ts';
import type {ResourceName} from './merchant/resources.ts';
import type {Scope} from './merchant/scopes.ts';

type Schema = z.ZodMiniType;
type Flag = true | undefined;

interface AnyEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` is a parameter. */
  readonly path: `/${string}`;
  /** The status of an answer; 200 by default. */
  readonly status?: 101 | 201 | 202;
}

/** `creating` is a payment session that is not read-only, so it may create an order code. */
export type RequiredSession = 'payment' | 'creating' | 'subscription' | 'management' | 'vendor';

/** Kinds of requests that are counted per IP address. A guard counts `sessions`, and only the binding all others. */
export type LimitedRequests = 'sessions' | 'activities' | 'pins' | 'subscriptions' | 'numbers' | 'returns';

/** What the Worker knows of an endpoint of the browser API. */
export interface PageEndpoint<
  I extends Schema = Schema,
  S extends RequiredSession | undefined = RequiredSession | undefined,
  O extends Flag = Flag,
> extends AnyEndpoint {
  readonly method: 'GET' | 'POST';
  /** Marks a GET that does more than read, so that HEAD is refused. */
  readonly noHead?: true;
  /** Lets anyone call the endpoint; by default only pages of allowed origins may. */
  readonly access?: 'anyone';
  /**
   * The session that the request must carry as `Authorization: Bearer`. The answer then depends on who asks, so it has
   * `Vary: Authorization, Vezne-Read` and repeats the request's `Vezne-Read`.
   */
  readonly session?: S;
  /** The limit towards which each request counts, after its session is checked and before its body is read. */
  readonly limit?: LimitedRequests;
  /** Counts a request only after its body has been read and found valid. */
  readonly countsValidOnly?: true;
  /**
   * The JSON body; absent for requests without a body. These rows are loaded when an isolate starts, so it builds the
   * schema only at the first such request.
   */
  readonly input?: () => I;
  /** Also accepts JSON with the content type `text/plain`, which needs no preflight. */
  readonly asText?: true;
  /**
   * A request without the header `Authorization` may carry the session in its body, in the field `session`. Or its body
   * names an `offer`, for which the handler opens a session. The order counts it.
   */
  readonly mayOpenSession?: O;
}

/** What the Worker knows of an endpoint of the merchant API. */
export interface MerchantEndpoint<I extends Schema = Schema> extends AnyEndpoint {
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
  readonly status?: 201;
  readonly input: I;
}

/** What the Worker never reads. `DESCRIBED` keeps it out of the Worker's bundle. */
interface AnyDocs<A extends Schema> {
  /** One sentence. */
  readonly summary: string;
  readonly answer: A | null;
  /** The endpoint's error codes, without the codes that follow from the rest of the row. */
  readonly codes: readonly ErrorCode[];
}

export interface PageDocs<I extends Schema = Schema, A extends Schema = Schema> extends AnyDocs<A> {
  /** The path's parameters. */
  readonly segments?: z.ZodMiniObject;
  /** Media type of an answer that is not JSON, for which `answer` is null. */
  readonly media?: string;
  /** Absent where neither request nor answer is JSON. `input` has the body, or the parameters of the path. */
  readonly example?: {readonly input?: z.input<I>; readonly answer?: z.output<A>};
}

export interface MerchantDocs<I extends Schema = Schema, A extends Schema = Schema> extends AnyDocs<A> {
  /** The client's method, such as `refunds.create`. */
  readonly client: `${ResourceName}.${string}`;
  readonly description?: string;
  /** Texts of the input's fields. */
  readonly fields?: {readonly [N in keyof z.input<I>]?: FieldText};
  readonly answer: A;
  readonly example: {readonly input: z.input<I>; readonly answer: z.output<A>};
}

export interface PageRow<
  I extends Schema = Schema,
  A extends Schema = Schema,
  S extends RequiredSession | undefined = RequiredSession | undefined,
  O extends Flag = Flag,
> extends PageEndpoint<I, S, O> {
  readonly docs: PageDocs<I, A>;
}

export interface MerchantRow<I extends Schema = Schema, A extends Schema = Schema> extends MerchantEndpoint<I> {
  readonly docs: MerchantDocs<I, A>;
}

export type Row = PageRow | MerchantRow;

/** Returns the row. TypeScript infers the exact types of its input and its answer, and checks the example. */
export function endpoint<I extends Schema, A extends Schema>(row: MerchantRow<I, A>): MerchantRow<I, A>;
export function endpoint<
  I extends Schema = never,
  A extends Schema = never,
  S extends RequiredSession | undefined = undefined,
  O extends Flag = undefined,
>(row: PageRow<I, A, S, O>): PageRow<I, A, S, O>;
export function endpoint(row: Row): Row {
  if (DESCRIBED && 'fields' in row.docs)
    describeFields((schemaOf(row) as z.ZodMiniObject).shape, row.docs.fields ?? {});
  return row;
}

/** The schema of an endpoint's input. */
export function schemaOf({input}: Row): Schema | undefined {
  return typeof input === 'function' ? input() : input;
}

type Built<T> = T extends () => infer I ? I : Exclude<T, undefined>;
type OrNull<T> = [T] extends [never] ? null : T extends Schema ? z.output<T> : never;

/** A handler's input: the parsed input, or null for requests without one. */
export type InputOf<R extends {readonly input?: unknown}> = OrNull<Built<R['input']>>;
/** An endpoint's answer; null when the answer is not JSON. */
export type AnswerOf<R extends {readonly docs: {readonly answer: unknown}}> = OrNull<
  Exclude<R['docs']['answer'], null>
>;
