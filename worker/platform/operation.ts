/** The type of a row of the operation table. */

import type * as z from 'zod/mini';
import type {QuotaName} from './quota-limits.ts';

export type Effect =
  /** The operation changes nothing, so the Worker may retry it. */
  | 'read'
  /** The operation changes something that a read can show. */
  | 'write'
  /** The operation moves money or ends a subscription, so the Worker never repeats a call with an unknown outcome. */
  | 'money';

/** The platform's interfaces; `interfaces.ts` says how they differ. */
export type InterfaceName = 'phs' | 'micropayment' | 'payment_page' | 'landing';

/** Which field of the input, or `merchant`, a field of a reply's records names. */
export type Names = Readonly<Record<string, string>>;

export interface Operation<I extends z.ZodMiniType = z.ZodMiniType, O extends z.ZodMiniType = z.ZodMiniType> {
  /** File and section in `docs/spec/` that describe the operation, such as `orders 4.2`. */
  readonly spec: string;
  readonly interface: InterfaceName;
  readonly method: 'GET' | 'POST';
  /** The path below the interface's base URL. `{name}` is replaced with the field `name` of the input. */
  readonly path: `/${string}`;
  readonly effect: Effect;
  /** Whether the call carries the platform token. */
  readonly token: boolean;
  /** Longest time from the start of the call to the last byte of the reply, for all attempts together. */
  readonly deadlineMs: number;
  /** Maximum size of a reply. The Worker stops reading a larger reply, which counts as unreadable. */
  readonly maxReplyBytes: number;
  /** The platform's limit towards which each request counts; null if the operation has no limit. */
  readonly quota: QuotaName | null;
  /**
   * Whether only this operation's own circuit breaker counts its calls. This is true where pages choose what a call
   * contains: if the platform fails on some contents, a page could otherwise open the circuit of the whole interface.
   */
  readonly ownCircuit: boolean;
  /** The fields to send, with the platform's names and without the credentials. */
  readonly input: I;
  /** The fields of a successful reply, with the platform's names. `fields.ts` describes the values. */
  readonly output: O;
  /** What is compared with the input, so that only records that were asked for are believed; see `names.ts`. */
  readonly names: Names;
}

type Defaulted = 'method' | 'token' | 'deadlineMs' | 'maxReplyBytes' | 'quota' | 'ownCircuit' | 'names';

/** Makes a row, with defaults for the values that most rows share. */
export function operation<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  row: Omit<Operation<I, O>, Defaulted> & Partial<Pick<Operation<I, O>, Defaulted>>,
): Operation<I, O> {
  return {
    method: 'POST',
    token: row.interface === 'phs',
    deadlineMs: 8_000,
    maxReplyBytes: 1_000_000,
    quota: null,
    ownCircuit: false,
    names: {},
    ...row,
  };
}
