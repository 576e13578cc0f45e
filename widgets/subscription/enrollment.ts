import type {SubscribeRequest} from '../../worker/contract/browser/requests.ts';
import type {
  NewSubscriptionSession,
  PinSent,
  ShownNumber,
  Subscribed,
} from '../../worker/contract/browser/subscription-answers.ts';
import {loadFile} from '../core/define.ts';
import {ignoreErrors} from '../core/ignore-errors.ts';
import {refusalProblem, toProblem} from '../core/problem.ts';
import {PENDING, type Query} from '../core/query.ts';
import {Store} from '../core/store.ts';
import type {TurnstileCheck} from '../core/turnstile.ts';
import type {VezneElement} from '../core/vezne-element.ts';
import {isText, isTime, shape} from '../core/worker-client.ts';
import {
  isUnclear,
  mayReplaceSession,
  meaningOf,
  next,
  type EnrollmentEvent,
  type EnrollmentFacts,
  type EnrollmentRequest,
  type Next,
  type Recognized,
} from './enrollment-facts.ts';
import {type OfferSource, subscriptionOffer} from './offer.ts';
import {subscriptionRefusals} from './refusals.ts';
import {type Enrollee, expiresInMs, readSavedStep, savedStepKey, type SavedPin, type SavedStart} from './saved-pin.ts';
import {SubscriptionClient} from './subscription-client.ts';

const isPinSent = shape<PinSent>({expires_at: isTime, resend_at: isTime, as_of: isTime});
const isSubscribed = shape<Subscribed>({state: isText});

/**
 * A subscription that starts on this page, with number and PIN or with one click. All elements with the same Worker and
 * the same offer or session share one enrollment. It keeps what the page knows (`facts`), which only events change, and
 * does what follows from an event: it saves the step, sends requests, and shows the human check.
 */
export class Enrollment extends Store {
  readonly #save: (step: SavedPin | SavedStart | undefined) => void;
  #facts: EnrollmentFacts;
  /** Aborts the request whose answer the page waits for. */
  #waiting = new AbortController();
  #check: TurnstileCheck | undefined;

  readonly client: SubscriptionClient;
  /** The terms of the offer, and the session to subscribe with. */
  readonly offer: Query<NewSubscriptionSession>;
  /** The masked number of the page's number token. `recognizedNumber` creates it. */
  recognized: Query<ShownNumber | null> | undefined;

  constructor(api: string, source: OfferSource) {
    super();
    this.client = new SubscriptionClient(api);
    const key = savedStepKey(api, source);
    this.#save = (step) =>
      ignoreErrors(() => {
        if (step) sessionStorage[key] = JSON.stringify(step);
        else delete sessionStorage[key];
      });
    this.offer = subscriptionOffer(api, source);
    this.offer.owner = this;
    const saved = readSavedStep(api, source);
    const [started, pin] = saved && 'startedAt' in saved ? [saved] : [undefined, saved];
    this.#facts = {
      ownsSession: source.session === '',
      offer: PENDING,
      recognized: PENDING,
      token: '',
      notBefore: {pin: 0, attempt: 0},
      pin,
      unclear: pin?.unclear,
      started,
    };
  }

  /** What the page knows now. */
  get facts(): EnrollmentFacts {
    return {...this.#facts, offer: this.offer.result, recognized: this.recognized?.result ?? PENDING};
  }

  /** Changes what the page knows, and does what follows from it. */
  send(event: EnrollmentEvent): void;
  /** @param nextFacts - What the page knows after an event that only a later bundle knows. */
  send<E>(event: E, nextFacts: Next<E>): void;
  send(event: EnrollmentEvent, nextFacts: Next<EnrollmentEvent> = next): void {
    const before = this.facts;
    const after = (this.#facts = nextFacts(before, event));
    if (after === before) return;
    const {pin, started, request, failure, token, unclear} = after;
    if (pin !== before.pin || started !== before.started) this.#save(started ?? (pin && {...pin, unclear}));
    if (!request) this.#waiting.abort();
    if (started) this.#check?.remove();
    if (token !== before.token) this.recognized?.reload();
    const {problem} = failure ?? {};
    if (problem?.code === 'offline' && failure !== before.failure)
      addEventListener('online', () => this.send({is: 'online', after: problem}), {once: true});
    this.notify();
  }

  /**
   * Requests a PIN by SMS.
   * @param host - The element that shows the human check, if the Worker requires the check.
   * @returns Whether the Worker has accepted the request.
   */
  async requestPin(of: Enrollee, tracking_id: string, host: VezneElement<unknown>): Promise<boolean> {
    const {pin} = this.#facts;
    const action = pin && expiresInMs(pin, Date.now()) > 0 ? 'resend' : 'pin';
    const human = this.#check?.takeToken();
    const body = {...of, tracking_id, ...(human && {human})};
    const event = await this.#ask({is: 'pin', of}, async (to, token, signal) => {
      const sent = await this.client.act(action, '/v1/pins', {validate: isPinSent, signal, token, body});
      return {is: 'pin-sent', to, sent, at: Date.now()};
    });
    if (event?.is === 'failed' && event.problem.code.startsWith('human_check_')) void this.#showCheck(host);
    return event?.is === 'pin-sent';
  }

  /** Attempts to subscribe a number. */
  async attempt(of: Enrollee | Recognized, body: SubscribeRequest): Promise<void> {
    await this.#ask({is: 'attempt', of}, async (to, token, signal) => {
      const action = isUnclear(this.facts) ? 'retry' : 'attempt';
      const request = {validate: isSubscribed, signal, token, body};
      await this.client.act(action, '/v1/subscriptions', request).catch(async (thrown: unknown) => {
        const code = meaningOf(toProblem(thrown), of);
        throw code ? await refusalProblem(subscriptionRefusals, code, false) : thrown;
      });
      return {is: 'subscribed', to, at: Date.now()};
    });
  }

  /**
   * Sends a request, if it is possible now. If the session of an offer has ended, opens a new session and sends the
   * request once more. @returns How the request ended; undefined if it was not sent, or if the shopper has left it.
   */
  async #ask(
    request: EnrollmentRequest,
    send: (to: EnrollmentRequest, token: string, signal: AbortSignal) => Promise<EnrollmentEvent>,
  ): Promise<EnrollmentEvent | undefined> {
    this.send({is: 'requested', request, at: Date.now()});
    if (this.#facts.request !== request) return undefined;
    const {signal} = (this.#waiting = new AbortController());
    const sendOnce = async () => send(request, (await this.offer.wait(signal)).token, signal);
    const event = await sendOnce()
      .catch((thrown: unknown) => {
        if (signal.aborted || !mayReplaceSession(this.#facts, toProblem(thrown))) throw thrown;
        this.offer.reload();
        return sendOnce();
      })
      .catch((thrown: unknown) => ({is: 'failed', to: request, problem: toProblem(thrown), at: Date.now()}) as const);
    if (signal.aborted) return undefined;
    this.send(event);
    return event;
  }

  async #showCheck(host: VezneElement<unknown>): Promise<void> {
    const parameters = this.offer.value?.human_check;
    if (!parameters) return;
    try {
      const {showCheck} = await loadFile(() => import('./human-check.ts'));
      this.#check = await showCheck(host, parameters, this.#check);
    } catch (thrown) {
      this.send({is: 'check-failed', problem: toProblem(thrown)});
    }
  }
}

const enrollments = new Map<string, Enrollment>();

/** Returns the page's only enrollment for this Worker and this offer or session. The first call creates it. */
export function findEnrollment(api: string, source: OfferSource): Enrollment {
  const key = JSON.stringify([api, source.session || null, source.session ? null : source.offer]);
  let enrollment = enrollments.get(key);
  if (!enrollment) enrollments.set(key, (enrollment = new Enrollment(api, source)));
  return enrollment;
}
