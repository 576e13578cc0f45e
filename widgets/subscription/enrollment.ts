import type {SubscribeRequest} from '../../worker/contract/browser/requests.ts';
import type {ShownNumber, PinSent} from '../../worker/contract/browser/subscription-answers.ts';
import type {Locale} from '../core/locale.ts';
import {type Problem, refusalProblem} from '../core/problem.ts';
import {EnrollmentClient} from './enrollment-client.ts';
import {EnrollmentRequests} from './enrollment-requests.ts';
import type {OfferSource} from './offer.ts';
import {endsPin, isFinal, isUnclear} from './pin-refusals.ts';
import {actionProblem, subscriptionRefusals} from './refusals.ts';
import {saveStep} from './save-step.ts';
import {type Enrollee, expiresInMs, msUntil, readSavedStep, type SavedPin, type SavedStart} from './saved-pin.ts';

/** The step that the shopper has reached. `refused`: the number cannot be subscribed, or there is no such offer. */
export type EnrollmentStep = 'number' | 'pin' | 'refused' | 'done';

/** The lifetime of a PIN (`docs/spec/subscriptions.md`, section 8). */
const PIN_LIFETIME_MS = 10 * 60_000;

/** The time `ms` milliseconds from now, by this device's clock. */
function instantIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

/**
 * A subscription that starts on this page, with number and PIN or with one click. All elements with the same Worker and
 * the same offer or session share one enrollment.
 */
export class Enrollment extends EnrollmentRequests {
  /** Whether an attempt to subscribe got no clear answer. The attempt may have succeeded. */
  isOutcomeUnknown = false;

  readonly #client: EnrollmentClient;
  readonly #source: OfferSource;
  readonly #api: string;
  #savedPin: SavedPin | undefined;
  /** The number to which the dropped PIN was sent. The number form shows this number again. */
  #previousEnrollee: Enrollee | undefined;
  #started: SavedStart | undefined;
  #announced: SavedStart | undefined;
  #isRefused = false;

  constructor(api: string, source: OfferSource) {
    super(api, source);
    this.#client = new EnrollmentClient(api);
    this.#source = source;
    this.#api = api;
    const saved = readSavedStep(api, source);
    if (saved && 'startedAt' in saved) this.#started = saved;
    else this.#savedPin = saved;
  }

  get step(): EnrollmentStep {
    if (this.#started) return 'done';
    return this.#isRefused || this.offerProblem ? 'refused' : this.#savedPin ? 'pin' : 'number';
  }

  /** When and for which number the subscription has started. */
  get started(): SavedStart | undefined {
    return this.#started;
  }

  /** Whether no element has announced to the page that the subscription has started. Only the first call returns true. */
  isNews(): boolean {
    return this.#announced !== (this.#announced = this.#started);
  }

  /** The number to which the last PIN was sent, also after `changeNumber()`. */
  get enrollee(): Enrollee | undefined {
    return this.#savedPin?.enrollee ?? this.#previousEnrollee;
  }

  /** Whether the shopper has tried a PIN since the last PIN was sent. */
  get isPinTried(): boolean {
    return this.#savedPin?.isTried ?? false;
  }

  /** Whether the page shows a countdown, so that it must render every second. */
  get hasRunningTimer(): boolean {
    return this.expiresInMs > 0 || this.resendInMs > 0 || this.confirmInMs > 0;
  }

  /** Time until the PIN expires, by the Worker's clock, in milliseconds. */
  get expiresInMs(): number {
    return this.#savedPin ? expiresInMs(this.#savedPin) : 0;
  }

  /** Whether the PIN has expired or is blocked. If an attempt is in progress, its answer decides. */
  get isPinOver(): boolean {
    return this.expiresInMs <= 0 && this.busyWith !== 'attempt';
  }

  /** The Worker's answer to the PIN request; a new object for each PIN. */
  get sent(): PinSent | undefined {
    return this.#savedPin?.sent;
  }

  /** Time until the shopper may request another PIN, by the Worker's clock, in milliseconds. */
  get resendInMs(): number {
    return Math.max(
      this.pinRequestInMs,
      this.#savedPin ? msUntil(this.#savedPin.sent.resend_at, this.#savedPin.skewMs) : 0,
    );
  }

  /** Whether the PIN was requested elsewhere: in another tab, or before this browser lost its storage. */
  get isPinFromElsewhere(): boolean {
    return this.#savedPin?.isOlder ?? false;
  }

  /** Requests a PIN by SMS. @param human - Token of the human check, if the Worker requires the check. */
  requestPin(enrollee: Enrollee, tracking_id: string, human?: string): Promise<void> {
    const action = this.isPinOver ? 'pin' : 'resend';
    return this.runRequest('pin', async (token, signal) => {
      const request = {...enrollee, tracking_id, ...(human && {human})};
      const sent = await this.#client.sendPin(token, request, signal).catch(async (thrown: unknown) => {
        throw await actionProblem(action, thrown);
      });
      this.#savePin({enrollee, sent, skewMs: Date.parse(sent.as_of) - Date.now()});
    });
  }

  /**
   * Lets the shopper enter a PIN that this page did not request. This page does not know when the PIN was sent, so it
   * uses the latest possible expiry, as if the PIN were sent at this moment.
   */
  enterPin(enrollee: Enrollee): void {
    this.#savePin({
      enrollee,
      sent: {as_of: instantIn(0), resend_at: instantIn(this.pinRequestInMs), expires_at: instantIn(PIN_LIFETIME_MS)},
      skewMs: 0,
      isOlder: true,
    });
    this.reset();
  }

  /** Subscribes the number with the PIN from the SMS. `language` is the language in which the offer is shown. */
  confirm(pin: string, tracking_id: string, language: Locale): Promise<void> {
    const {enrollee} = this;
    if (!enrollee) return Promise.resolve();
    if (this.#savedPin) this.#savePin({...this.#savedPin, isTried: true});
    const {msisdn} = enrollee;
    const masked = `${msisdn.slice(0, 3)}*****${msisdn.slice(8)}`;
    return this.#subscribe({...enrollee, pin, tracking_id, language}, masked);
  }

  /**
   * Subscribes the number that a number token stands for.
   * @param request - `language` is the language in which the offer is shown.
   * @param msisdn - The masked number.
   */
  subscribeWithToken(
    request: Extract<SubscribeRequest, {number_token: string}>,
    msisdn: string | undefined,
  ): Promise<void> {
    return this.#subscribe(request, msisdn);
  }

  /** Reads the masked number that a number token stands for. */
  async readNumber(numberToken: string, signal: AbortSignal): Promise<ShownNumber> {
    const {token} = await this.offer.wait(signal);
    return this.#client.readNumber(token, numberToken, signal);
  }

  /** Drops the PIN and goes back to the number form. Does nothing during an attempt, which may subscribe the number. */
  changeNumber(): void {
    if (this.busyWith === 'attempt') return;
    this.#isRefused = false;
    this.#dropPin();
    this.reset();
  }

  #subscribe(request: SubscribeRequest, msisdn: string | undefined): Promise<void> {
    return this.runRequest('attempt', async (token, signal) => {
      try {
        await this.#client.subscribe(token, request, signal);
      } catch (thrown) {
        const action = this.isOutcomeUnknown ? 'retry' : 'attempt';
        const problem = await this.#applyRefusal(request, await actionProblem(action, thrown));
        // After an attempt with an unknown outcome, `already_subscribed` means that this attempt succeeded.
        if (!(this.isOutcomeUnknown && problem.code === 'already_subscribed')) {
          this.isOutcomeUnknown ||= isUnclear(problem);
          throw problem;
        }
      }
      const skewMs = this.#savedPin?.skewMs ?? 0;
      this.#started = {startedAt: new Date(Date.now() + skewMs).toISOString(), msisdn};
      this.#savePin(undefined);
      saveStep(this.#api, this.#source, this.#started);
    });
  }

  /** Updates the saved PIN after a refusal. @returns The problem to show. */
  async #applyRefusal(request: SubscribeRequest, problem: Problem): Promise<Problem> {
    const {code} = problem;
    this.#isRefused = isFinal(problem) && !this.mayReload(problem);
    // A request with a number token contains no PIN, so a PIN error means that the number token is invalid.
    if ('number_token' in request)
      return code === 'pin_wrong' || endsPin(problem)
        ? refusalProblem(subscriptionRefusals, 'number_token_invalid', false)
        : problem;
    const saved = this.#savedPin;
    const isBlocked = code === 'pin_wrong' && problem.details?.attempts_left === 0;
    if (saved && (isBlocked || endsPin(problem))) this.#savePin({...saved, isOver: true});
    // The shopper corrects the number or operator in the number form.
    if (this.#isRefused || code === 'number_invalid' || code === 'operator_invalid') this.#dropPin();
    return isBlocked ? refusalProblem(subscriptionRefusals, 'pin_blocked', false) : problem;
  }

  #dropPin(): void {
    this.#previousEnrollee = this.#savedPin?.enrollee;
    this.#savePin(undefined);
  }

  #savePin(saved: SavedPin | undefined): void {
    this.#savedPin = saved;
    saveStep(this.#api, this.#source, saved);
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
