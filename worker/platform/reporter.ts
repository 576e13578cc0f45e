/**
 * Reports what this isolate notices to the `Platform` object, which all isolates share: what it counts, and its trouble
 * with the platform, because the isolate that answers `/health` has possibly not called the platform itself.
 */

import {MINUTE_MS, SECOND_MS} from '../lib/durations.ts';
import {addCounts, type CounterName, type MetricCounts, seriesName} from '../lib/metrics.ts';
import {isBroken, isRateLimited, type PlatformFailure} from './failure.ts';
import type {InterfaceName, Operation} from './operation.ts';

export type TroubleKind =
  /** An interface or operation fails so often that its circuit is open. */
  | 'circuit_open'
  /** The interface said that it is called too often. This trouble is not withdrawn, but expires. */
  | 'calls_limited'
  /** The interface does not accept the IP address from which our calls come. */
  | 'address_refused'
  /** The interface does not accept our credentials. */
  | 'credentials_refused';

export interface Trouble {
  readonly kind: TroubleKind;
  readonly interface: InterfaceName;
  /** The operation that was called; empty if the trouble is with the whole interface. */
  readonly operation: string;
}

/** A trouble that began or goes on, or with `present: false` one that ended. */
export interface TroubleReport extends Trouble {
  readonly present: boolean;
}

/** What an isolate noticed since its last report. */
export interface Report {
  readonly counts: MetricCounts;
  readonly troubles: readonly TroubleReport[];
}

/** Upper bounds of the buckets of `vezne_payment_lag_seconds`. */
const LAG_BUCKETS_S: readonly number[] = [10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400];
const REPORT_INTERVAL_MS = MINUTE_MS;
const REPEAT_AFTER_MS = MINUTE_MS;

const ADDRESS_STATUSES: ReadonlySet<string> = new Set(['ERR_002', '030']);
/**
 * ERR_020 ("Unauthorized Access") is missing here, because it may refer to one record that belongs to another merchant.
 */
const CREDENTIAL_STATUSES: ReadonlySet<string> = new Set(['ERR_001', 'ERR_004', '029']);

/**
 * Counts are sent when a request, an alarm or a call to an object ends, at most once a minute, so the number of
 * writes does not grow with the number of payments. A trouble is sent at once, with the counts: at most once a minute
 * while it lasts, and once when it ends.
 */
export class Reporter {
  #counts = new Map<string, number>();
  #sentAt = -Infinity;
  /** When each trouble that is not over was last reported, epoch milliseconds. */
  readonly #troubledAt = new Map<string, number>();

  /** @param send - Sends a report. The function returns no promise, because no request waits for the report. */
  constructor(private readonly send: (report: Report) => void) {}

  count(name: CounterName, labels?: Readonly<Record<string, string>>, by = 1): void {
    addCounts(this.#counts, {[seriesName(`${name}_total`, labels)]: by});
  }

  /** Counts the time from a transfer at the bank until pages show the payment. */
  observeLag(lagMs: number): void {
    const seconds = Math.max(0, lagMs / SECOND_MS);
    const name = 'payment_lag_seconds';
    const buckets = [...LAG_BUCKETS_S.filter((bound) => seconds <= bound).map(String), '+Inf'];
    const counts = buckets.map((le) => [seriesName(`${name}_bucket`, {le}), 1] as const);
    addCounts(this.#counts, {
      ...Object.fromEntries(counts),
      [seriesName(`${name}_sum`)]: seconds,
      [seriesName(`${name}_count`)]: 1,
    });
  }

  /** Records how a call ended. Only a success or refusal shows whether our IP address and credentials are accepted. */
  recordCall(
    operation: string,
    {interface: interfaceName, token}: Pick<Operation, 'interface' | 'token'>,
    failure: PlatformFailure | null,
  ): void {
    const outcome = failure === null ? 'success' : isBroken(failure) ? 'failed' : 'refused';
    this.count('platform_calls', {operation, outcome});
    if (failure && failure.outcome !== 'refused') return;
    if (failure && isRateLimited(failure))
      return this.#recordTrouble({kind: 'calls_limited', interface: interfaceName, operation: ''}, true);
    this.#recordTrouble(
      {kind: 'address_refused', interface: interfaceName, operation},
      failure !== null && isAddressRefused(failure),
    );
    // A call to `/phs` without a token carries no credentials. The `Platform` object knows whether the key is accepted.
    const hasCredentials = token || interfaceName !== 'phs';
    if (hasCredentials)
      this.#recordTrouble(
        {kind: 'credentials_refused', interface: interfaceName, operation},
        failure !== null && areCredentialsRefused(failure),
      );
  }

  /** @param operation - Empty for the circuit of the whole interface. */
  recordCircuit(interfaceName: InterfaceName, operation: string, open: boolean): void {
    this.#recordTrouble({kind: 'circuit_open', interface: interfaceName, operation}, open);
  }

  /** Sends the counts if anything was counted and the last report is old enough. */
  sendIfDue(): void {
    // If the clock was set back, the time since the last report is negative, and the report is not delayed.
    const sinceMs = Date.now() - this.#sentAt;
    if (this.#counts.size > 0 && (sinceMs < 0 || sinceMs >= REPORT_INTERVAL_MS)) this.#send([]);
  }

  #recordTrouble(trouble: Trouble, present: boolean): void {
    const key = JSON.stringify(trouble);
    const reportedAt = this.#troubledAt.get(key);
    const isReported = reportedAt !== undefined && (!present || Date.now() - reportedAt < REPEAT_AFTER_MS);
    if (present === isReported) return;
    if (present) this.#troubledAt.set(key, Date.now());
    else this.#troubledAt.delete(key);
    this.#send([{...trouble, present}]);
  }

  #send(troubles: readonly TroubleReport[]): void {
    const counts = Object.fromEntries(this.#counts);
    this.#counts = new Map();
    this.#sentAt = Date.now();
    this.send({counts, troubles});
  }
}

type PlatformRefusal = Extract<PlatformFailure, {outcome: 'refused'}>;

function isAddressRefused({status, httpStatus}: PlatformRefusal): boolean {
  return httpStatus === undefined ? ADDRESS_STATUSES.has(status) : httpStatus === 403;
}

function areCredentialsRefused({status, httpStatus}: PlatformRefusal): boolean {
  return httpStatus === undefined ? CREDENTIAL_STATUSES.has(status) : httpStatus === 401;
}
