/** Why a request failed: the Worker's error codes, and four codes of our own for requests without a usable answer. */

import type {PageErrorCode} from '../../worker/contract/codes.ts';
import type {RefusalMessage} from '../locales/payment-refusals.ts';
import {withTimeout} from './async.ts';

/** Failures that the browser detects, not the Worker. */
export type LocalCode = 'offline' | 'network' | 'timeout' | 'unreadable';

export type ProblemCode = PageErrorCode | LocalCode;

export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    /** Whether the same request may succeed later without being changed. */
    readonly retryable: boolean,
    /** The Worker's `Retry-After`, in milliseconds. */
    readonly retryAfterMs = 0,
    /** What the shopper reads if the Worker refused the request. */
    readonly refusal?: RefusalMessage,
  ) {
    super(code);
  }

  /** Whether the Worker rejected the session, so that the request may succeed with another session. */
  get endsSession(): boolean {
    const {code} = this;
    return code === 'session_expired' || code === 'unauthorized' || code === 'session_kind';
  }
}

/** The problem of a request without any answer. */
export function unreachableProblem(): Problem {
  return new Problem(navigator.onLine ? 'network' : 'offline', true);
}

/** How long a refusal waits for the file with its texts. */
const MESSAGES_TIMEOUT_MS = 4_000;

/** Fetches the texts of refusals. */
export type LoadRefusals = () => Promise<{refusalOf(code: PageErrorCode): RefusalMessage}>;

export const paymentRefusals: LoadRefusals = () => import('../locales/payment-refusals.ts');

/** A refusal of the Worker, with its texts. The elements already have the texts for trouble in the Worker itself. */
export async function refusalProblem(
  load: LoadRefusals,
  code: PageErrorCode,
  retryable: boolean,
  retryAfterMs = 0,
): Promise<Problem> {
  const isTrouble = code === 'temporarily_unavailable' || code === 'internal';
  // If the texts do not load, the shopper reads the texts for trouble.
  const messages = isTrouble
    ? undefined
    : await withTimeout(load(), MESSAGES_TIMEOUT_MS, undefined).catch(() => undefined);
  return new Problem(code, retryable, retryAfterMs, messages?.refusalOf(code));
}

/**
 * The element cannot sell the offer. The shopper reads that it is not on sale; the console tells the developer why.
 * @param offer the offer that the page named, or an empty string.
 * @param kind the kind of the offer, if the element sells another kind.
 */
export async function unknownOfferProblem(load: LoadRefusals, offer: string, kind?: string): Promise<Problem> {
  void import('../bundles/log-unknown-offer.ts')
    .then(({logUnknownOffer}) => logUnknownOffer(offer, kind))
    .catch(() => {});
  return refusalProblem(load, 'unknown_offer', false);
}

/** A thrown value as a problem. Any other error becomes `unreadable`. */
export function toProblem(thrown: unknown): Problem {
  return thrown instanceof Problem ? thrown : new Problem('unreadable', true);
}
