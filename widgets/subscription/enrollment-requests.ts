import type {NewSubscriptionSession} from '../../worker/contract/browser/subscription-answers.ts';
import {type Problem, toProblem} from '../core/problem.ts';
import type {Query} from '../core/query.ts';
import {Store} from '../core/store.ts';
import {type OfferSource, subscriptionOffer} from './offer.ts';
import {isFinal} from './pin-refusals.ts';

/** A request for a PIN, or an attempt to subscribe. */
type RequestKind = 'pin' | 'attempt';

/** Sends the requests of an enrollment, one at a time, with the session of its offer. */
export abstract class EnrollmentRequests extends Store {
  readonly #hasOwnSession: boolean;
  /** When the Worker accepts the next PIN request and the next attempt to subscribe (`performance.now()`). */
  readonly #notBefore = {pin: 0, attempt: 0};
  #request: AbortController | undefined;
  #requestKind: RequestKind | undefined;
  #problem: Problem | undefined;

  /** The terms of the offer, and the session to subscribe with. */
  readonly offer: Query<NewSubscriptionSession>;

  constructor(api: string, source: OfferSource) {
    super();
    this.#hasOwnSession = source.session === '';
    this.offer = subscriptionOffer(api, source);
  }

  get isBusy(): boolean {
    return this.#request !== undefined;
  }

  /** Which request is in progress: for a PIN, or an attempt to subscribe. */
  get busyWith(): RequestKind | undefined {
    return this.#requestKind;
  }

  /** Why the last request failed, or why nobody can subscribe on this page. */
  get problem(): Problem | undefined {
    return this.#problem ?? this.offerProblem;
  }

  /** Why nobody can subscribe on this page, such as that its session has ended. */
  protected get offerProblem(): Problem | undefined {
    const {result} = this.offer;
    return 'problem' in result && isFinal(result.problem) ? result.problem : undefined;
  }

  /** Time until the Worker accepts another PIN request, in milliseconds. */
  get pinRequestInMs(): number {
    return Math.max(0, this.#notBefore.pin - performance.now());
  }

  /** Time until the Worker accepts another attempt to subscribe, in milliseconds. */
  get confirmInMs(): number {
    return Math.max(0, this.#notBefore.attempt - performance.now());
  }

  /** Whether the request can be repeated with a new session of the offer. */
  protected mayReload({endsSession}: Problem): boolean {
    return endsSession && this.#hasOwnSession;
  }

  /** Aborts the request in progress, and forgets why the last request failed. */
  protected reset(): void {
    this.#request?.abort();
    this.#request = this.#requestKind = this.#problem = undefined;
    this.notify();
  }

  /**
   * Sends a request, unless another request is in progress. If the session of an offer has ended, opens a new session
   * and sends the request once more.
   */
  protected async runRequest(
    kind: RequestKind,
    send: (token: string, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.#request) return;
    const request = new AbortController();
    const {signal} = request;
    this.#request = request;
    this.#requestKind = kind;
    this.#problem = undefined;
    this.notify();
    let problem: Problem | undefined;
    try {
      const {token} = await this.offer.wait(signal);
      await send(token, signal).catch(async (thrown: unknown) => {
        if (signal.aborted || !this.mayReload(toProblem(thrown))) throw thrown;
        this.offer.reload();
        await send((await this.offer.wait(signal)).token, signal);
      });
    } catch (thrown) {
      problem = toProblem(thrown);
    }
    if (request !== this.#request) return;
    this.#request = this.#requestKind = undefined;
    this.#problem = problem;
    if (problem) this.#notBefore[kind] = performance.now() + problem.retryAfterMs;
    if (problem?.code === 'offline') addEventListener('online', () => this.#onOnline(problem), {once: true});
    this.notify();
  }

  /** Forgets this problem unless a newer problem has replaced it. */
  #onOnline(problem: Problem): void {
    if (this.#problem === problem) this.reset();
  }
}
