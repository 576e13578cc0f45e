/**
 * How we stand with the platform, as this isolate meets it, told to one object for all: `/health` is answered by an
 * isolate that may have met nothing. Told is what is wrong, once a minute at most, and that it is over; a healthy
 * platform costs no message.
 */

import {MINUTE_MS} from '../lib/durations.ts';
import type {PlatformFailure} from './failure.ts';
import type {InterfaceName, Operation} from './operation.ts';

export type TroubleKind =
  /** An interface fails so often that it is left alone. */
  | 'left_alone'
  /** It does not know the address our calls come from. */
  | 'address_refused'
  /** It does not know us. */
  | 'credentials_refused'
  /** The question for a token failed on its way. */
  | 'token_missing';

export interface Trouble {
  readonly kind: TroubleKind;
  readonly family: InterfaceName;
  /** What was called; empty where it makes no difference. */
  readonly operation: string;
}

/** Nobody waits for it. */
type ReportTrouble = (trouble: Trouble, present: boolean) => void;

const REPEAT_AFTER_MS = MINUTE_MS;

const ADDRESS_STATUSES: ReadonlySet<string> = new Set(['ERR_002', '030']);
const CREDENTIAL_STATUSES: ReadonlySet<string> = new Set(['ERR_001', 'ERR_004', 'ERR_020', '029']);

export class TroubleReporter {
  /** When each trouble that is under way was told, epoch milliseconds. */
  readonly #reportedAt = new Map<string, number>();

  constructor(private readonly report: ReportTrouble) {}

  /** How a call ended. What cannot be read says nothing of how we are known. */
  recordCall(
    operation: string,
    {interface: interfaceName, token}: Pick<Operation, 'interface' | 'token'>,
    failure: PlatformFailure | null,
  ): void {
    if (failure && failure.outcome !== 'refused') return;
    this.#record(
      {kind: 'address_refused', family: interfaceName, operation},
      failure !== null && isAddressRefused(failure),
    );
    // Of a refused token its own object knows.
    const carriesUs = token || interfaceName !== 'phs';
    if (carriesUs)
      this.#record(
        {kind: 'credentials_refused', family: interfaceName, operation},
        failure !== null && isRefused(failure),
      );
  }

  recordCircuit(interfaceName: InterfaceName, open: boolean): void {
    this.#record({kind: 'left_alone', family: interfaceName, operation: ''}, open);
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

function isRefused({status, httpStatus}: PlatformRefusal): boolean {
  return httpStatus === undefined ? CREDENTIAL_STATUSES.has(status) : httpStatus === 401;
}
