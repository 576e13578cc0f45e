/**
 * Why something a shopper waits for did not happen: the Worker's own codes, and the four ways in which no
 * Worker could answer at all.
 */

import type {PageErrorCode} from '../../worker/contract/codes.ts';
import type {RefusalMessage} from '../locales/payment-refusals.ts';
import {withTimeout} from './async.ts';

/** What went wrong without the Worker saying so. */
export type LocalCode = 'offline' | 'network' | 'timeout' | 'unreadable';

export type ProblemCode = PageErrorCode | LocalCode;

export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    /** Whether the same request may succeed later without being changed. */
    readonly retryable: boolean,
    /** How long the Worker asked us to wait. */
    readonly retryAfterMs = 0,
    /** What to say of it, where the Worker said no. */
    readonly refusal?: RefusalMessage,
  ) {
    super(code);
  }

  /** Whether another session may be answered where this one was not. */
  get endsSession(): boolean {
    const {code} = this;
    return code === 'session_expired' || code === 'unauthorized' || code === 'session_kind';
  }
}

/** There was no answer, and nobody to say why. */
export function unreachableProblem(): Problem {
  return new Problem(navigator.onLine ? 'network' : 'offline', true);
}

/** So long a refusal waits for its words. */
const MESSAGES_TIMEOUT_MS = 4_000;

/** Where the words for refusals are. */
export type LoadRefusals = () => Promise<{refusalOf(code: PageErrorCode): RefusalMessage}>;

export const paymentRefusals: LoadRefusals = () => import('../locales/payment-refusals.ts');

/** The Worker's no, with the words for it. Trouble on its side needs none: the elements have those at hand. */
export async function refusalProblem(
  load: LoadRefusals,
  code: PageErrorCode,
  retryable: boolean,
  retryAfterMs = 0,
): Promise<Problem> {
  const isTrouble = code === 'temporarily_unavailable' || code === 'internal';
  // Without them it is told as trouble.
  const messages = isTrouble
    ? undefined
    : await withTimeout(load(), MESSAGES_TIMEOUT_MS, undefined).catch(() => undefined);
  return new Problem(code, retryable, retryAfterMs, messages?.refusalOf(code));
}

/**
 * Nothing is sold under that name: shoppers read that it is not on offer, and the developer reads why in the console.
 * @param offer empty where the page named none.
 * @param kind what the offer is of instead, where it is not of the element's kind.
 */
export async function unknownOfferProblem(load: LoadRefusals, offer: string, kind?: string): Promise<Problem> {
  void import('../bundles/log-unknown-offer.ts')
    .then(({logUnknownOffer}) => logUnknownOffer(offer, kind))
    .catch(() => {});
  return refusalProblem(load, 'unknown_offer', false);
}

/** What was thrown, as a problem; what is none of ours is one we cannot read. */
export function toProblem(thrown: unknown): Problem {
  return thrown instanceof Problem ? thrown : new Problem('unreadable', true);
}
