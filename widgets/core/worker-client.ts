/** The only place that talks to the Worker. Every failure leaves here as a `Problem`, unless the caller hung up. */

import type {NewSession} from '../../worker/contract/browser/subscription-answers.ts';
import {withTimeout} from './async.ts';
import {
  type LoadRefusals,
  unknownOfferProblem,
  paymentRefusals,
  Problem,
  refusalProblem,
  unreachableProblem,
} from './problem.ts';
import type {Reply} from './script-tag.ts';
import {type Guard, isProblem, shape, isText} from './validate.ts';

const DEADLINE_MS = 15_000;

const isOfKind = shape<{kind: string}>({kind: isText});

/** Addresses of Workers that answered this page before, and so know its origin. */
const reachedWorkers = new Set<string>();

export interface WorkerRequest<T> {
  readonly validate: Guard<T>;
  readonly signal: AbortSignal;
  readonly token?: string;
  /** Makes it a POST. */
  readonly body?: object;
  /** What the page names to buy, where it asks for a session. */
  readonly offer?: NamedOffer;
}

/** An offer, and the kind the element that names it can sell. */
export interface NamedOffer {
  readonly name: string;
  readonly kind: NewSession['kind'];
}

/** How the Worker is asked, whatever about. */
export abstract class WorkerClient {
  protected readonly refusals: LoadRefusals = paymentRefusals;

  constructor(
    /** Where the Worker is, without a slash at the end. */
    readonly address: string,
  ) {}

  /** @param prefetched the same request where it is already on its way. */
  protected async ask<T>(path: string, request: WorkerRequest<T>, prefetched?: Promise<Reply>): Promise<T> {
    const {signal, token, body} = request;
    const controller = new AbortController();
    try {
      signal.throwIfAborted();
      const reply =
        prefetched ??
        fetch(this.address + path, {
          headers: {
            ...(body && {'content-type': 'application/json'}),
            ...(token && {authorization: `Bearer ${token}`}),
          },
          signal: controller.signal,
          credentials: 'omit',
          ...(body && {method: 'POST', body: JSON.stringify(body)}),
        }).then(async (response) => ({response, text: await response.text()}));
      const answer = reply.then((received) => {
        reachedWorkers.add(this.address);
        return parseReply(received, request, this.refusals);
      });
      return await withTimeout(
        Promise.race([answer, aborted(signal, controller)]),
        DEADLINE_MS,
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

/** Fails when the signal is aborted. @param ended stops listening to it. */
function aborted(signal: AbortSignal, ended: AbortController): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), ended);
  });
}

/** What a reply says. */
export function parseReply<T>(
  {response, text}: Reply,
  {validate, offer}: WorkerRequest<T>,
  refusals: LoadRefusals,
): T | Promise<never> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What is no JSON is judged by its status below.
  }
  if (response.ok) {
    if (validate(value)) return value;
    if (offer && isOfKind(value) && value.kind !== offer.kind)
      return rejectWith(unknownOfferProblem(refusals, offer.name, value.kind));
    throw new Problem('unreadable', true);
  }
  // Only seconds are read: a date would have to be held against this device's clock.
  const retryAfterMs = (Number(response.headers.get('retry-after')) || 0) * 1000;
  if (offer && isProblem(value) && value.code === 'unknown_offer')
    return rejectWith(unknownOfferProblem(refusals, offer.name));
  if (isProblem(value)) return rejectWith(refusalProblem(refusals, value.code, value.retryable, retryAfterMs));
  if (response.status === 429) return rejectWith(refusalProblem(refusals, 'rate_limited', true, retryAfterMs));
  throw new Problem('unreadable', true, retryAfterMs);
}

async function rejectWith(problem: Promise<Problem>): Promise<never> {
  throw await problem;
}
