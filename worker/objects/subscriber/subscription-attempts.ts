/**
 * Stores the outcomes of requests for a subscription with the receipts of the shoppers' consents, and the requests that
 * got no answer.
 */

import type {EventData} from '../../contract/merchant/events.ts';
import {maskMsisdn} from '../../contract/readers/mobile-number.ts';
import {DAY_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatMonth} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import {type CallFailure, type DueTime, earliest, nextFailure, watchdogAt} from '../alarm.ts';
import type {Consent} from '../archive/consent-store.ts';
import {PIN_LIFETIME_MS} from './sent-pins.ts';
import {LOOKUP_TOLERANCE_MS, MAY_START_MS, type SoughtSubscription} from './subscription-lookup.ts';

/** An outcome is kept for as long as the request's PIN may be valid. */
const OUTCOME_RETENTION_MS = PIN_LIFETIME_MS;
/** When the alarm assumes that the object died during a request. This is longer than any request takes. */
const WATCHDOG_MS = MINUTE_MS;

/** A request's ids: the HMAC with the current secret, then the HMACs with the previous secrets. */
export type RequestIds = readonly [string, ...string[]];

export interface AttemptOutcome {
  readonly request: string;
  readonly product: number;
  readonly at: number;
  /** When the first attempt was made, epoch milliseconds. */
  readonly since: number;
  readonly outcome: 'subscribed' | 'unknown';
  /** The subscription that began; absent until it is found in mobile billing. */
  readonly found?: SubscriptionName;
  /** The receipt of the consent. Absent if it cannot change any more, or if the merchant's server sent the request. */
  readonly receipt?: Receipt;
}

/** The receipt of a consent, until `Archive` has stored it with its final outcome. */
interface Receipt {
  readonly consent: Consent;
  /** Whether `Archive` has stored the receipt with the present outcome. Then `call` says when the receipt is deleted. */
  readonly isStored: boolean;
  readonly call: CallFailure;
}

/** A request, with the time of its first attempt in epoch milliseconds. */
export type AttemptName = Pick<AttemptOutcome, 'request' | 'product' | 'since'>;

/** An outcome whose receipt is not deleted yet. */
export type AttemptWithReceipt = AttemptOutcome & {readonly receipt: Receipt};

/** What a `management` session needs in order to name a subscription of mobile billing. */
export interface SubscriptionName {
  /** Code of the service. */
  readonly service: string;
  readonly id: string;
}

/**
 * The outcomes of the last ten minutes. Each outcome is stored with an HMAC of its request. By the HMAC the Worker
 * recognizes a repeated request, but the HMAC does not reveal the request.
 *
 * An outcome contains the receipt of the shopper's consent. So each change of the outcome changes the receipt in the
 * same write. `ConsentReceipts` hands the receipts to `Archive`.
 */
export class AttemptOutcomes {
  constructor(private readonly kv: SyncKvStorage) {}

  find(ids: RequestIds): AttemptOutcome | undefined {
    return this.#all().find(({request, at}) => ids.includes(request) && at > Date.now() - OUTCOME_RETENTION_MS);
  }

  /**
   * Stores a request that is about to be sent. Until its answer arrives, its outcome is unknown.
   * @param consent - What the shopper agreed to, which replaces the consent of an earlier attempt; null if the
   * merchant's server sends the request.
   */
  begin({request, product, since}: AttemptName, consent: Consent | null): void {
    const now = Date.now();
    const receipt = consent
      ? {consent, isStored: false, call: {failures: 0, retryAt: now + WATCHDOG_MS}}
      : this.#get(request)?.receipt;
    this.#put({request, product, at: now, since, outcome: 'unknown', ...(receipt && {receipt})});
  }

  /** Gives an attempt the receipt of the attempt before it, because the retry started nothing. */
  restoreReceipt({request, receipt}: AttemptOutcome): void {
    const attempt = this.#get(request);
    if (attempt?.outcome !== 'unknown') return;
    const {receipt: _replaced, ...outcome} = attempt;
    this.#put({...outcome, ...(receipt && {receipt})});
  }

  /** Records that the subscription has started. */
  setSubscribed({request, product, since}: AttemptName): void {
    const now = Date.now();
    const consent = this.#get(request)?.receipt?.consent;
    const receipt = consent && {consent, isStored: false, call: {failures: 0, retryAt: watchdogAt(now)}};
    this.#put({request, product, at: now, since, outcome: 'subscribed', ...(receipt && {receipt})});
  }

  /**
   * Whether another request has started a subscription to the product so shortly before that a lookup cannot tell which
   * of the two requests started it. A number has only one subscription to a product.
   */
  isStartedByAnother({request, product, since}: AttemptName): boolean {
    return this.#all().some(
      (other) =>
        other.request !== request &&
        other.product === product &&
        other.outcome === 'subscribed' &&
        other.at >= since - LOOKUP_TOLERANCE_MS,
    );
  }

  /** Records which subscription has begun. */
  setFound(request: string, found: SubscriptionName): void {
    const attempt = this.#get(request);
    if (attempt) this.#put({...attempt, found});
  }

  /** The attempt, if it has a receipt. */
  withReceipt(request: string): AttemptWithReceipt | undefined {
    return this.#withReceipts().find((attempt) => attempt.request === request);
  }

  /** The ids of the requests whose receipts must be handed over or deleted. */
  dueReceipts(now: number): string[] {
    return this.#withReceipts().flatMap(({request, receipt}) => (receipt.call.retryAt <= now ? request : []));
  }

  nextReceiptAt(): DueTime {
    return earliest(...this.#withReceipts().map(({receipt}) => receipt.call.retryAt));
  }

  /**
   * Records that `Archive` has stored the receipt, unless the attempt has changed since then. A receipt with an unknown
   * outcome is kept for as long as the outcome may still be learnt.
   */
  setReceiptStored({request, outcome, receipt: {consent}}: AttemptWithReceipt): void {
    const attempt = this.withReceipt(request);
    if (attempt?.outcome !== outcome || attempt.receipt.consent.at !== consent.at) return;
    if (outcome === 'unknown') this.keepReceipt(attempt);
    else this.deleteReceipt(request);
  }

  /** Keeps a receipt that is stored, because the outcome may still be learnt. */
  keepReceipt(attempt: AttemptWithReceipt): void {
    const call = {failures: 0, retryAt: Date.now() + MAY_START_MS};
    this.#put({...attempt, receipt: {...attempt.receipt, isStored: true, call}});
  }

  /** Records that `Archive` could not be reached. */
  setReceiptFailed(request: string): void {
    const attempt = this.withReceipt(request);
    if (!attempt) return;
    const {receipt} = attempt;
    this.#put({...attempt, receipt: {...receipt, call: nextFailure(receipt.call, Date.now())}});
  }

  deleteReceipt(request: string): void {
    const attempt = this.#get(request);
    if (!attempt) return;
    const {receipt: _receipt, ...outcome} = attempt;
    this.#put(outcome);
  }

  /** The ids of the subscriptions that were found for this number. */
  foundIds(): ReadonlySet<string> {
    return new Set(this.#all().flatMap(({found}) => found?.id ?? []));
  }

  /** Deletes the outcome and the receipt of a request that failed. */
  delete(request: string): void {
    this.kv.put<AttemptOutcome[]>('outcomes', this.#others(request));
  }

  #get(request: string): AttemptOutcome | undefined {
    return this.#all().find((attempt) => attempt.request === request);
  }

  #put(attempt: AttemptOutcome): void {
    this.kv.put<AttemptOutcome[]>('outcomes', [attempt, ...this.#others(attempt.request)]);
  }

  /** The outcomes of the other requests, without those that are no longer needed. */
  #others(request: string): AttemptOutcome[] {
    const isNeeded = ({at, receipt}: AttemptOutcome) => receipt !== undefined || at > Date.now() - OUTCOME_RETENTION_MS;
    return this.#all().filter((attempt) => attempt.request !== request && isNeeded(attempt));
  }

  #withReceipts(): AttemptWithReceipt[] {
    return this.#all().filter((attempt): attempt is AttemptWithReceipt => attempt.receipt !== undefined);
  }

  #all(): AttemptOutcome[] {
    return this.kv.get<AttemptOutcome[]>('outcomes') ?? [];
  }
}

/**
 * Hands the receipts of consents to `Archive`, which stores them for 400 days. Until `Archive` has a receipt, the
 * alarm repeats the call. `Archive` ignores a receipt that it gets twice.
 */
export class ConsentReceipts {
  /** @param subscriber - The id of the number's object, which does not reveal the number. */
  constructor(
    private readonly outcomes: AttemptOutcomes,
    private readonly subscriber: string,
    private readonly objects: () => Objects,
  ) {}

  /** Hands over the receipt of one request. Never throws, not even with broken bindings. */
  async handOver(request: string): Promise<void> {
    const attempt = this.outcomes.withReceipt(request);
    if (!attempt || attempt.receipt.isStored) return;
    const {since, outcome, receipt} = attempt;
    const named = {attempt: `${this.subscriber} ${request} ${since}`, outcome};
    try {
      // A retry after midnight belongs to the same month as the first attempt, so that there is one receipt.
      await this.objects()
        .archivedConsents(formatMonth(since))
        .addReceipt({...receipt.consent, ...named});
      this.outcomes.setReceiptStored(attempt);
    } catch (error) {
      this.outcomes.setReceiptFailed(request);
      log('warn', 'receipt_waiting', {error: describeError(error)});
    }
  }

  /**
   * Hands over the receipts that are due. Deletes those whose outcome stays unknown.
   * @param isLookedUp - Whether the outcome of a request is still looked up.
   */
  async checkDue(isLookedUp: (request: string) => boolean): Promise<void> {
    for (const request of this.outcomes.dueReceipts(Date.now())) {
      const attempt = this.outcomes.withReceipt(request);
      if (!attempt?.receipt.isStored) await this.handOver(request);
      else if (isLookedUp(request)) this.outcomes.keepReceipt(attempt);
      else this.outcomes.deleteReceipt(request);
    }
  }
}

/** Delay before each lookup. There are few lookups, because mobile billing allows only a thousand searches a day. */
const CHECK_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS];

/** A request whose subscription the alarm looks up. */
export interface WaitingRequest {
  /** The request's id in `AttemptOutcomes`. */
  readonly request: string;
  readonly sought: SoughtSubscription;
  /** How many lookups were planned. */
  readonly checks: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

/**
 * The requests of one subscriber that wait for the alarm, in one key. A request is stored until its last lookup: about a
 * quarter of an hour, or a day if mobile billing does not answer. It contains the phone number, because mobile billing
 * is searched by the number.
 */
export class RequestList<T extends WaitingRequest> {
  constructor(
    private readonly kv: SyncKvStorage,
    private readonly key: string,
  ) {}

  find(request: string): T | undefined {
    return this.all().find((one) => one.request === request);
  }

  change(request: string, change: (one: T) => T): void {
    this.put(this.all().map((one) => (one.request === request ? change(one) : one)));
  }

  delete(request: string): void {
    this.put(this.all().filter((one) => one.request !== request));
  }

  /**
   * Plans the next lookup. After the last lookup, the request is deleted.
   * @param isAnswered - Whether mobile billing answered this lookup. If not, it is not the last one before a day is over.
   */
  scheduleCheck(request: string, {isAnswered = true} = {}): void {
    const one = this.find(request);
    if (!one) return;
    const waitedMs = Date.now() - one.sought.since;
    // As long again as the request has waited, because mobile billing allows few searches a day.
    const repeatMs = isAnswered || waitedMs > DAY_MS ? undefined : waitedMs;
    const delayMs = CHECK_DELAYS_MS[one.checks] ?? repeatMs;
    if (delayMs === undefined) this.delete(request);
    else this.change(request, (same) => ({...same, checks: one.checks + 1, dueAt: Date.now() + delayMs}));
  }

  due(now: number): T[] {
    return this.all().filter(({dueAt}) => dueAt <= now);
  }

  nextDueAt(): DueTime {
    return earliest(...this.all().map(({dueAt}) => dueAt));
  }

  protected all(): readonly T[] {
    return this.kv.get<readonly T[]>(this.key) ?? [];
  }

  protected put(all: readonly T[]): void {
    if (all.length > 0) this.kv.put(this.key, all);
    else this.kv.delete(this.key);
  }
}

/** The data that the merchant's event and the lookup need. */
export interface SubscriptionStart {
  readonly product: number;
  readonly trackingId: string;
  readonly sought: SoughtSubscription;
}

export interface UnconfirmedAttempt extends SubscriptionStart, WaitingRequest {}

/** Stores requests without an answer, with the data to look up their subscriptions. */
export class UnconfirmedAttempts extends RequestList<UnconfirmedAttempt> {
  constructor(kv: SyncKvStorage) {
    super(kv, 'unconfirmedAttempts');
  }

  /** Stores a request that is about to be sent. If it was sent before, only the time of the last request changes. */
  add(request: string, start: SubscriptionStart): void {
    const {until} = start.sought;
    if (this.find(request)) this.change(request, (one) => ({...one, sought: {...one.sought, until}}));
    else this.put([...this.all(), {request, ...start, checks: 0, dueAt: Date.now() + WATCHDOG_MS}]);
  }

  /** Plans the first lookup after an attempt that got no answer. */
  beginChecks(request: string): void {
    this.change(request, (attempt) => ({...attempt, checks: 0}));
    this.scheduleCheck(request);
  }

  /**
   * Deletes all attempts for a product to which a subscription has started. The other attempts cannot succeed, because
   * the platform refuses a second subscription.
   */
  deleteAll(product: number): void {
    this.put(this.all().filter((attempt) => attempt.product !== product));
  }
}

/** The data of the merchant's event about a started subscription. */
export type StartedSubscription = Pick<EventData<'subscription.started'>, 'tracking_id' | 'operator' | 'msisdn'> & {
  readonly product: number;
};

/**
 * What the merchant's event says about a subscription that this request started.
 * @param number - The number behind a number token; null when it is unknown.
 */
export function describeStart(
  {product, tracking_id, ...credentials}: OperationInput<'subscriptionRequest'>,
  number: {readonly msisdn: string; readonly operator: number} | null,
): StartedSubscription {
  const {operator = number?.operator ?? null, msisdn = number?.msisdn} = credentials;
  return {product, tracking_id, operator, msisdn: msisdn === undefined ? null : maskMsisdn(msisdn)};
}
