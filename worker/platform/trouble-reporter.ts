/**
 * How we stand with the platform, as this isolate meets it, told to one object for all: `/health` is answered by an
 * isolate that may have met nothing. Told is what is wrong, once a minute at most, and that it is over; a healthy
 * platform costs no message.
 */

import type {PlatformFailure} from './failure.ts';
import type {FamilyName, Operation} from './operation.ts';

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
  readonly family: FamilyName;
  /** What was called; empty where it makes no difference. */
  readonly operation: string;
}

/** Nobody waits for it. */
type Tell = (trouble: Trouble, present: boolean) => void;

const TELL_AGAIN_MS = 60_000;

const ADDRESS: ReadonlySet<string> = new Set(['ERR_002', '030']);
const CREDENTIALS: ReadonlySet<string> = new Set(['ERR_001', 'ERR_004', 'ERR_020', '029']);

export class Standing {
  /** When each trouble that is under way was told, epoch milliseconds. */
  readonly #told = new Map<string, number>();

  constructor(private readonly tell: Tell) {}

  /** How a call ended. What cannot be read says nothing of how we are known. */
  noteCall(
    operation: string,
    {family, token}: Pick<Operation, 'family' | 'token'>,
    failure: PlatformFailure | null,
  ): void {
    if (failure && failure.outcome !== 'refused') return;
    this.#note({kind: 'address_refused', family, operation}, failure !== null && isAddressRefused(failure));
    // Of a refused token its own object knows.
    const carriesUs = token || family !== 'phs';
    if (carriesUs) this.#note({kind: 'credentials_refused', family, operation}, failure !== null && isRefused(failure));
  }

  noteLeftAlone(family: FamilyName, leftAlone: boolean): void {
    this.#note({kind: 'left_alone', family, operation: ''}, leftAlone);
  }

  #note(trouble: Trouble, present: boolean): void {
    const key = JSON.stringify(trouble);
    const toldAt = this.#told.get(key);
    const isTold = toldAt !== undefined && (!present || Date.now() - toldAt < TELL_AGAIN_MS);
    if (present === isTold) return;
    if (present) this.#told.set(key, Date.now());
    else this.#told.delete(key);
    this.tell(trouble, present);
  }
}

type Refused = Extract<PlatformFailure, {outcome: 'refused'}>;

function isAddressRefused({status, httpStatus}: Refused): boolean {
  return httpStatus === undefined ? ADDRESS.has(status) : httpStatus === 403;
}

function isRefused({status, httpStatus}: Refused): boolean {
  return httpStatus === undefined ? CREDENTIALS.has(status) : httpStatus === 401;
}
