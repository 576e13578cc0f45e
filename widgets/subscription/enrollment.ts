import type {SubscribeRequest} from '../../worker/contract/browser/requests.ts';
import type {ShownNumber, PinSent, NewSubscriptionSession} from '../../worker/contract/browser/subscription-answers.ts';
import {type Problem, refusalProblem, toProblem} from '../core/problem.ts';
import type {Query} from '../core/query.ts';
import {ignoreErrors} from '../core/storage.ts';
import {Store} from '../core/store.ts';
import {VezneEvent} from '../core/vezne-element.ts';
import {EnrollmentClient} from './enrollment-client.ts';
import {subscriptionRefusals, type OfferSource, subscriptionOffer} from './offer.ts';
import {type Enrollee, expiresInMs, type SavedPin, msUntil, savedPinKey, readSavedPin} from './saved-pin.ts';

/** How far the shopper has come. */
export type EnrollmentStep = 'number' | 'pin' | 'done';

/** Subscriptions 8: how long a PIN counts. */
const PIN_LIFETIME_MS = 10 * 60_000;

/** Whether the PIN counts no more. */
export function endsPin({code}: Problem): boolean {
  return code === 'pin_expired' || code === 'pin_blocked';
}

/**
 * One subscription that is to begin on this page: from its terms by the number and its PIN, or by one click, until it
 * has. Shared by all elements that name the same Worker and the same offer or session. One thing is asked at a time.
 */
export class Enrollment extends Store {
  readonly #client: EnrollmentClient;
  readonly #source: OfferSource;
  readonly #api: string;
  #savedPin: SavedPin | undefined;
  /** The number before it was to be changed. */
  #previousEnrollee: Enrollee | undefined;
  #isDone = false;
  /** Whether an attempt to subscribe ended without an answer: it may have succeeded. */
  #isOutcomeUnknown = false;
  /** When the Worker takes the next request for a PIN, and the next attempt to subscribe. */
  readonly #notBefore = {pin: 0, attempt: 0};
  #request: AbortController | undefined;
  #problem: Problem | undefined;

  /** What is subscribed to, and the session to do it with. */
  readonly offer: Query<NewSubscriptionSession>;

  constructor(api: string, source: OfferSource) {
    super();
    this.#client = new EnrollmentClient(api);
    this.#source = source;
    this.#api = api;
    this.offer = subscriptionOffer(api, source);
    this.#savedPin = readSavedPin(api, source);
  }

  get step(): EnrollmentStep {
    return this.#isDone ? 'done' : this.#savedPin ? 'pin' : 'number';
  }

  get enrollee(): Enrollee | undefined {
    return this.#savedPin?.enrollee ?? this.#previousEnrollee;
  }

  get isBusy(): boolean {
    return this.#request !== undefined;
  }

  /** Why the last attempt did not succeed. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** How long until the Worker takes another request for a PIN, in milliseconds. */
  get pinRequestInMs(): number {
    return Math.max(0, this.#notBefore.pin - performance.now());
  }

  /** How long until it takes another attempt to subscribe. */
  get confirmInMs(): number {
    return Math.max(0, this.#notBefore.attempt - performance.now());
  }

  /** Whether any of these times runs. */
  get hasRunningTimer(): boolean {
    return this.expiresInMs > 0 || this.resendInMs > 0 || this.confirmInMs > 0;
  }

  /** For how long the PIN counts, by the Worker's clock, in milliseconds. */
  get expiresInMs(): number {
    return this.#savedPin ? expiresInMs(this.#savedPin) : 0;
  }

  /** What the Worker said when the PIN was sent; another one for each. */
  get sent(): PinSent | undefined {
    return this.#savedPin?.sent;
  }

  /** How long until another PIN may be asked for, by the Worker's clock, in milliseconds. */
  get resendInMs(): number {
    return Math.max(
      this.pinRequestInMs,
      this.#savedPin ? msUntil(this.#savedPin.sent.resend_at, this.#savedPin.skewMs) : 0,
    );
  }

  /** Whether the PIN was asked for elsewhere: in another tab, or before this browser forgot. */
  get isPinFromElsewhere(): boolean {
    return this.#savedPin?.isOlder ?? false;
  }

  /** Has a PIN sent. @param human token of the human check, where one was asked for. */
  requestPin(enrollee: Enrollee, tracking_id: string, human?: string): Promise<void> {
    return this.#runRequest('pin', async (token, signal) => {
      const sent = await this.#client.sendPin(token, {...enrollee, tracking_id, ...(human && {human})}, signal);
      this.#savePin({enrollee, sent, skewMs: Date.parse(sent.as_of) - Date.now()});
    });
  }

  /** On to a PIN that this page did not ask for. Until when it counts is not known: not longer than one that is sent now. */
  enterPin(enrollee: Enrollee): void {
    this.#problem = undefined;
    this.#savePin({
      enrollee,
      sent: {as_of: instantIn(0), resend_at: instantIn(this.pinRequestInMs), expires_at: instantIn(PIN_LIFETIME_MS)},
      skewMs: 0,
      isOlder: true,
    });
    this.notify();
  }

  /** Subscribes the number with the PIN it got. */
  confirm(pin: string, tracking_id: string): Promise<void> {
    const {enrollee} = this;
    return enrollee ? this.#subscribe({...enrollee, pin, tracking_id}) : Promise.resolve();
  }

  /** Subscribes the number that a number token stands for. */
  subscribeWithToken(number_token: string, tracking_id: string): Promise<void> {
    return this.#subscribe({number_token, tracking_id});
  }

  /** Whose number a number token stands for. */
  async readNumber(numberToken: string, signal: AbortSignal): Promise<ShownNumber> {
    const {token} = await this.offer.wait(signal);
    return this.#client.readNumber(token, numberToken, signal);
  }

  /** Back to the number. */
  changeNumber(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#problem = undefined;
    this.#dropPin();
    this.notify();
  }

  #subscribe(request: SubscribeRequest): Promise<void> {
    return this.#runRequest('attempt', async (token, signal) => {
      try {
        await this.#client.subscribe(token, request, signal);
      } catch (thrown) {
        const problem = await this.#applyRefusal(request, toProblem(thrown));
        // What the attempt nobody answered did is what stands in the way of this one.
        if (!(this.#isOutcomeUnknown && problem.code === 'already_subscribed')) {
          this.#isOutcomeUnknown ||= problem.retryable || problem.code === 'outcome_unknown';
          throw problem;
        }
      }
      this.#isDone = true;
      this.#savePin(undefined);
    });
  }

  /** What a refusal makes of the PIN, and of the number it was sent to. */
  async #applyRefusal(request: SubscribeRequest, problem: Problem): Promise<Problem> {
    // Nobody was sent a PIN: it is the token that is none.
    const {code} = problem;
    if ('number_token' in request)
      return code === 'pin_wrong' || endsPin(problem)
        ? refusalProblem(subscriptionRefusals, 'number_token_invalid', false)
        : problem;
    const saved = this.#savedPin;
    if (saved && endsPin(problem)) this.#savePin({...saved, isOver: true});
    // Put right where it was written.
    if (code === 'number_invalid' || code === 'operator_invalid') this.#dropPin();
    return problem;
  }

  #dropPin(): void {
    this.#previousEnrollee = this.#savedPin?.enrollee;
    this.#savePin(undefined);
  }

  /** Asks for one thing; a second press meanwhile does nothing. A public session that has ended is renewed once. */
  async #runRequest(
    what: 'pin' | 'attempt',
    ask: (token: string, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.#request) return;
    const request = new AbortController();
    const {signal} = request;
    this.#request = request;
    this.#problem = undefined;
    this.notify();
    let problem: Problem | undefined;
    try {
      const {token} = await this.offer.wait(signal);
      await ask(token, signal).catch(async (thrown: unknown) => {
        if (signal.aborted || this.#source.session || !toProblem(thrown).endsSession) throw thrown;
        this.offer.reload();
        await ask((await this.offer.wait(signal)).token, signal);
      });
    } catch (thrown) {
      problem = toProblem(thrown);
    }
    if (request !== this.#request) return;
    this.#request = undefined;
    this.#problem = problem;
    if (problem) this.#notBefore[what] = performance.now() + problem.retryAfterMs;
    if (problem?.code === 'offline') addEventListener('online', () => this.#clearProblem(problem), {once: true});
    this.notify();
  }

  /** It is over, and nothing newer stands in the way. */
  #clearProblem(problem: Problem): void {
    if (this.#problem !== problem) return;
    this.#problem = undefined;
    this.notify();
  }

  #savePin(saved: SavedPin | undefined): void {
    this.#savedPin = saved;
    const name = savedPinKey(this.#api, this.#source);
    ignoreErrors(() => {
      if (saved) sessionStorage[name] = JSON.stringify(saved);
      else delete sessionStorage[name];
    });
  }
}

/** An instant by this device's clock. */
function instantIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

const enrollments = new Map<string, Enrollment>();

/** The one enrollment of this page for a Worker and what is subscribed to there. */
export function findEnrollment(api: string, source: OfferSource): Enrollment {
  const key = JSON.stringify([api, source.session || null, source.session ? null : source.offer]);
  let found = enrollments.get(key);
  if (!found) enrollments.set(key, (found = new Enrollment(api, source)));
  return found;
}

/** The subscription began. A courtesy to the page, not a proof: deliver what your server knows. */
export class SubscribeEvent extends VezneEvent {
  constructor(
    /** Under which id the visit is followed. */
    readonly trackingId: string,
  ) {
    super('vezne-subscribe');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-subscribe': SubscribeEvent;
  }
}
