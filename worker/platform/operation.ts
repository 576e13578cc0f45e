/** The type of a row of the operation table. */

import type * as z from 'zod';
import type {QuotaName} from './quotas.ts';

export type Effect =
  /** Changes nothing: may be retried. */
  | 'read'
  /** Changes something that a read can show. */
  | 'write'
  /** Moves money or ends a subscription: exactly one attempt. */
  | 'money';

/** The platform's interfaces; `interfaces.ts` says how they differ. */
export type InterfaceName = 'phs' | 'micropayment' | 'payment_page' | 'landing';

export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** Section of `docs/spec/` this row follows. */
  readonly spec: string;
  readonly interface: InterfaceName;
  readonly method: 'GET' | 'POST';
  /** Below the interface's base URL; `{name}` is filled from the input. */
  readonly path: `/${string}`;
  readonly effect: Effect;
  /** Whether the call carries the platform token. */
  readonly token: boolean;
  /** From the start of the call to the last byte read, all attempts together. */
  readonly deadlineMs: number;
  /** A longer reply is abandoned and counts as unreadable. */
  readonly maxReplyBytes: number;
  /** The platform's limit that each request counts towards; null without a limit. */
  readonly quota: QuotaName | null;
  /** What is sent, under the platform's field names, without the credentials. */
  readonly input: I;
  /** What a successful reply holds, under the platform's field names; `fields.ts` describes the values. */
  readonly output: O;
}

type Defaulted = 'method' | 'token' | 'deadlineMs' | 'maxReplyBytes' | 'quota';

/** Makes a row; fills in the values that most rows share. */
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
