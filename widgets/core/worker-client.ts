/**
 * The base class of all clients of the Worker, and the checks for its answers. Every failure becomes a `Problem`,
 * unless the caller aborted the request.
 */

import type {NewSession} from '../../worker/contract/browser/subscription-answers.ts';
import type {PageErrorCode} from '../../worker/contract/codes.ts';
import type {Localized} from '../../worker/contract/fields.ts';
import {aborted, withTimeout} from './async.ts';
import {
  type LoadRefusals,
  unknownOfferProblem,
  Problem,
  type ProblemDetails,
  refusalProblem,
  unreachableProblem,
} from './problem.ts';

const TIMEOUT_MS = 15_000;

/** Addresses of Workers that have answered this page, and therefore allow its origin. */
const reachedWorkers = new Set<string>();

export interface WorkerRequest<T> {
  readonly validate: Guard<T>;
  readonly signal: AbortSignal;
  readonly token?: string;
  /** If set, the request is a POST. */
  readonly body?: object;
  /** Sends the body as text, so that the browser sends no preflight. Only some endpoints accept a text body. */
  readonly isSimple?: boolean;
  /** For a request that opens a session: the offer that the page wants to sell. */
  readonly offer?: NamedOffer;
}

/** An offer, and the kind of offer that the element can sell. */
export interface NamedOffer {
  readonly name: string;
  readonly kind: NewSession['kind'];
}

/** Sends requests to the Worker. A subclass has one method per endpoint. */
export abstract class WorkerClient {
  /** The texts of what the Worker may refuse. */
  protected abstract readonly refusals: LoadRefusals;

  constructor(
    /** Address of the Worker, without a slash at the end. */
    readonly address: string,
  ) {}

  async ask<T>(path: string, request: WorkerRequest<T>): Promise<T> {
    const {signal, token, body, isSimple} = request;
    const controller = new AbortController();
    // A prerendered page opens and creates nothing, because nobody may ever see it.
    if (body && document.prerendering)
      await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, {once: true}));
    const read = token && String(Math.random());
    try {
      signal.throwIfAborted();
      const answer = fetch(this.address + path, {
        headers: {
          ...(body && !isSimple && {'content-type': 'application/json'}),
          ...(read && {authorization: `Bearer ${token}`, 'vezne-read': read}),
        },
        signal: controller.signal,
        credentials: 'omit',
        ...(body && {method: 'POST', body: JSON.stringify(body)}),
      }).then(async (response) => {
        const text = await response.text();
        reachedWorkers.add(this.address);
        return parseReply(response, text, request, this.refusals, read);
      });
      return await withTimeout(
        Promise.race([answer, aborted(signal, controller)]),
        TIMEOUT_MS,
        new Problem('timeout', true),
      );
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof Problem) throw thrown;
      if (!navigator.onLine || reachedWorkers.has(this.address)) throw unreachableProblem();
      throw await import('../bundles/diagnose-unreachable.ts').then(
        ({diagnoseUnreachable}) => diagnoseUnreachable(this.address, this.refusals),
        unreachableProblem,
      );
    } finally {
      controller.abort();
    }
  }
}

/**
 * Parses and validates a reply.
 * @param read - What the reply has to repeat, if the request has a token.
 * @throws {Problem}
 */
async function parseReply<T>(
  response: Response,
  text: string,
  {validate, offer}: WorkerRequest<T>,
  refusals: LoadRefusals,
  read: string | undefined,
): Promise<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A body that is not JSON fails below.
  }
  // The reply is from the cache of a service worker, and may be for another session, or old.
  if (read && value && response.headers.get('vezne-read') !== read) throw unreachableProblem();
  if (response.ok) {
    if (validate(value)) return value;
    if (offer && isOfKind(value) && value.kind !== offer.kind)
      throw await unknownOfferProblem(refusals, offer.name, value.kind);
    throw new Problem('unreadable', true);
  }
  // A `Retry-After` date is ignored: the clock of this device may be wrong.
  const retryAfterMs = (Number(response.headers.get('retry-after')) || 0) * 1000;
  if (offer && isProblem(value) && value.code === 'unknown_offer')
    throw await unknownOfferProblem(refusals, offer.name);
  if (isProblem(value)) throw await refusalProblem(refusals, value.code, value.retryable, retryAfterMs, value);
  if (response.status === 429) throw await refusalProblem(refusals, 'rate_limited', true, retryAfterMs);
  throw new Problem('unreadable', true, retryAfterMs);
}

/**
 * Checks one value of an answer. The elements check only the fields that they show, so that fields added by a newer
 * Worker do not break older pages.
 */
export type Check = (value: unknown) => boolean;
export type Guard<T> = (value: unknown) => value is T;

export const isText: Check = (value) => typeof value === 'string';
export const isBoolean: Check = (value) => typeof value === 'boolean';
export const isTime: Check = (value) => !Number.isNaN(Date.parse(String(value)));
export const isAmount: Check = (value) => typeof value === 'string' && /^\d+\.\d\d$/.test(value);

export function shape<T>(fields: {readonly [K in keyof T]?: Check}): Guard<T> {
  return (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(fields as Record<string, Check>).every(([name, check]) =>
      check((value as Record<string, unknown>)[name]),
    );
}

export function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

export const isLocalized = shape<Localized>({tr: isText, en: isText});

/** The fields of a problem's body that the elements read. */
export interface ProblemBody extends ProblemDetails {
  readonly code: PageErrorCode;
  readonly retryable: boolean;
}

export const isProblem = shape<ProblemBody>({code: isText, retryable: isBoolean});

const isOfKind = shape<{kind: string}>({kind: isText});
