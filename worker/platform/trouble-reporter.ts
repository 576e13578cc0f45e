/**
 * Reports this isolate's trouble with the platform to one object that all isolates share, because the isolate that
 * answers `/health` has possibly not called the platform itself. A trouble is reported at most once a minute. The end
 * of a trouble is reported once. While the platform is healthy, nothing is sent.
 */

import {MINUTE_MS} from '../lib/durations.ts';
import type {PlatformFailure} from './failure.ts';
import type {InterfaceName, Operation} from './operation.ts';

export type TroubleKind =
  /** An interface or operation fails so often that its circuit is open. */
  | 'circuit_open'
  /** The interface does not accept the IP address from which our calls come. */
  | 'address_refused'
  /** The interface does not accept our credentials. */
  | 'credentials_refused'
  /** The request for a token failed. */
  | 'token_missing';

export interface Trouble {
  readonly kind: TroubleKind;
  readonly interface: InterfaceName;
  /** The operation that was called; empty if the trouble is with the whole interface. */
  readonly operation: string;
}

/** Sends a report. The function returns no promise, because callers do not wait for the report. */
type ReportTrouble = (trouble: Trouble, present: boolean) => void;

const REPEAT_AFTER_MS = MINUTE_MS;

const ADDRESS_STATUSES: ReadonlySet<string> = new Set(['ERR_002', '030']);
/**
 * ERR_020 ("Unauthorized Access") is missing here, because it may refer to one record that belongs to another merchant.
 */
const CREDENTIAL_STATUSES: ReadonlySet<string> = new Set(['ERR_001', 'ERR_004', '029']);

export class TroubleReporter {
  /** When each trouble that is not over was last reported, epoch milliseconds. */
  readonly #reportedAt = new Map<string, number>();

  constructor(private readonly report: ReportTrouble) {}

  /** Records how a call ended. Only a success or refusal shows whether our IP address and credentials are accepted. */
  recordCall(
    operation: string,
    {interface: interfaceName, token}: Pick<Operation, 'interface' | 'token'>,
    failure: PlatformFailure | null,
  ): void {
    if (failure && failure.outcome !== 'refused') return;
    this.#record(
      {kind: 'address_refused', interface: interfaceName, operation},
      failure !== null && isAddressRefused(failure),
    );
    // A call to `/phs` without a token carries no credentials. The `Token` object reports trouble with the token
    // itself.
    const hasCredentials = token || interfaceName !== 'phs';
    if (hasCredentials)
      this.#record(
        {kind: 'credentials_refused', interface: interfaceName, operation},
        failure !== null && areCredentialsRefused(failure),
      );
  }

  /** @param operation - Empty for the circuit of the whole interface. */
  recordCircuit(interfaceName: InterfaceName, operation: string, open: boolean): void {
    this.#record({kind: 'circuit_open', interface: interfaceName, operation}, open);
  }

  #record(trouble: Trouble, present: boolean): void {
    const key = JSON.stringify(trouble);
    const reportedAt = this.#reportedAt.get(key);
    const isReported = reportedAt !== undefined && (!present || Date.now() - reportedAt < REPEAT_AFTER_MS);
    if (present === isReported) return;
    if (present) this.#reportedAt.set(key, Date.now());
    else this.#reportedAt.delete(key);
    this.report(trouble, present);
  }
}

type PlatformRefusal = Extract<PlatformFailure, {outcome: 'refused'}>;

function isAddressRefused({status, httpStatus}: PlatformRefusal): boolean {
  return httpStatus === undefined ? ADDRESS_STATUSES.has(status) : httpStatus === 403;
}

function areCredentialsRefused({status, httpStatus}: PlatformRefusal): boolean {
  return httpStatus === undefined ? CREDENTIAL_STATUSES.has(status) : httpStatus === 401;
}
