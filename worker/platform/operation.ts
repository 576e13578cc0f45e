/** The form of one row of the operation table. */

import type * as z from 'zod';
import type {QuotaName} from './quotas.ts';

export type Effect =
  /** Changes nothing: may be asked again. */
  | 'read'
  /** Changes something that a read can show. */
  | 'write'
  /** Moves money or ends a subscription: exactly one attempt. */
  | 'money';

/** The interfaces of the platform. They differ in addresses, encoding, credentials and envelope; see `interfaces/`. */
export type InterfaceName = 'phs' | 'micropayment' | 'payment_page' | 'landing';

export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** Section of `docs/spec/` this row follows. */
  readonly spec: string;
  readonly interface: InterfaceName;
  readonly method: 'GET' | 'POST';
  /** Below the family's base address; `{name}` is filled from the input. */
  readonly path: `/${string}`;
  readonly effect: Effect;
  /** Whether the call carries the platform token. */
  readonly token: boolean;
  /** From the first byte sent to the last byte read, all attempts together. */
  readonly deadlineMs: number;
  /** A longer reply is not read to its end. */
  readonly maxReplyBytes: number;
  /** The limit each request counts towards; null where the platform has none. */
  readonly quota: QuotaName | null;
  /** What is sent, in the platform's words, without the credentials. */
  readonly input: I;
  /** What is read from a successful reply, in the platform's words and one clean form each; see `fields.ts`. */
  readonly output: O;
}

type Defaulted = 'method' | 'token' | 'deadlineMs' | 'maxReplyBytes' | 'quota';

/** A row, with what most rows share filled in. */
export function operation<I extends z.ZodType, O extends z.ZodType>(
  row: Omit<Operation<I, O>, Defaulted> & Partial<Pick<Operation<I, O>, Defaulted>>,
): Operation<I, O> {
  return {
    method: 'POST',
    token: row.interface === 'phs',
    deadlineMs: 8_000,
    maxReplyBytes: 1_000_000,
    quota: null,
    ...row,
  };
}
