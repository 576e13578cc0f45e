/** Why a request failed: an error code of the Worker, or one of four local codes if there is no usable answer. */

import type {PageErrorCode} from '../../worker/contract/codes.ts';
import type {Seller} from '../../worker/contract/fields.ts';
import type {Refusal, RefusalOf} from '../locales/refusals.ts';
import {withTimeout} from './async.ts';

/** Codes for failures that are detected in the browser, not reported by the Worker. */
export type LocalCode = 'offline' | 'network' | 'timeout' | 'unreadable';

export type ProblemCode = PageErrorCode | LocalCode;

/** What the body of a problem may contain. */
export interface ProblemDetails {
  /** How many more PINs the shopper may try after a wrong one. */
  readonly attempts_left?: number;
  /** The seller whom a subscriber can ask. */
  readonly seller?: Seller;
  /** The fields of the request that are missing or wrong, such as `buyer.email`. */
  readonly fields?: readonly {readonly path: string}[];
}

export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    /** Whether the same request may succeed later without being changed. */
    readonly retryable: boolean,
    /** The Worker's `Retry-After`, in milliseconds. */
    readonly retryAfterMs = 0,
    /** What the shopper reads if the Worker refused the request. */
    readonly refusal?: Refusal,
    readonly details?: ProblemDetails,
  ) {
    super(code);
  }

  /** Whether the Worker rejected the session. With another session, the same request may succeed. */
  get endsSession(): boolean {
    const {code} = this;
    return code === 'session_expired' || code === 'unauthorized' || code === 'session_kind';
  }
}

/** The problem for a request that got no answer at all. */
export function unreachableProblem(): Problem {
  return new Problem(navigator.onLine ? 'network' : 'offline', true);
}

/** Limits the time to load the file with the texts of refusals. */
const MESSAGES_TIMEOUT_MS = 4_000;

/** Fetches the texts of refusals. */
export type LoadRefusals = () => Promise<{readonly refusalOf: RefusalOf}>;

export const paymentRefusals = () => import('../locales/payment-refusals.ts');

/**
 * Returns the problem for a request that the Worker refused, with the texts for the shopper. For
 * `temporarily_unavailable` and `internal` it loads no texts, because the elements already contain them.
 */
export async function refusalProblem(
  load: LoadRefusals,
  code: PageErrorCode,
  retryable: boolean,
  retryAfterMs = 0,
  details?: ProblemDetails,
): Promise<Problem> {
  const isTrouble = code === 'temporarily_unavailable' || code === 'internal';
  // If the texts of the refusal do not load, the shopper reads the texts of `temporarily_unavailable` instead.
  const messages = isTrouble
    ? undefined
    : await withTimeout(load(), MESSAGES_TIMEOUT_MS, undefined).catch(() => undefined);
  return new Problem(code, retryable, retryAfterMs, messages?.refusalOf(code, retryAfterMs), details);
}

/** Tells the developer in the console why the element cannot sell its offer, or that its session is wrong. */
export function logNote(offer: string, kind?: string): void {
  void import('../bundles/log-unknown-offer.ts')
    .then(({logUnknownOffer}) => logUnknownOffer(offer, kind))
    .catch(() => {});
}

/**
 * Returns the problem for an offer that the element cannot sell. The element then says that the offer is not on sale. A
 * message in the console tells the developer why.
 * @param offer - The offer that the page named, or an empty string.
 * @param kind - The kind of the offer, if the element sells another kind.
 * @param signal - Aborted if the element has another offer now. Some frameworks set the offer of an element only after
 *   they have added the element to the page.
 */
export async function unknownOfferProblem(
  load: LoadRefusals,
  offer: string,
  kind?: string,
  signal?: AbortSignal,
): Promise<Problem> {
  await new Promise((resolve) => setTimeout(resolve));
  signal?.throwIfAborted();
  logNote(offer, kind);
  return refusalProblem(load, 'unknown_offer', false);
}

/** Returns a thrown problem unchanged, and any other thrown value as the problem `unreadable`. */
export function toProblem(thrown: unknown): Problem {
  return thrown instanceof Problem ? thrown : new Problem('unreadable', true);
}
