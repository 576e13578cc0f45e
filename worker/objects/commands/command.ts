/** What each kind of command must define, and why a command may be refused. */

import type {Context} from '../../context.ts';
import type {ErrorCode} from '../../contract/codes.ts';
import {describeError, log} from '../../lib/log.ts';
import type {CallOptions} from '../../platform/client.ts';
import {PlatformError, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {NewEvent} from '../events/event.ts';

export type CommandContext = Pick<Context, 'config' | 'objects' | 'platform'>;

/** The result of reading the state before a command is sent. */
export type Precheck<Before, Result> =
  /** The command may be sent. `before` is stored, to find out later whether it was done. */
  | {readonly before: Before}
  /** The platform has done this already. */
  | {readonly done: Result}
  /** It cannot be done any more. */
  | {readonly refused: ErrorCode}
  /** It cannot run while earlier commands of the same subject are unsettled. */
  | 'pending';

/** What the state afterwards shows about a command with an unknown outcome. */
export type Verification<Result> =
  | {readonly done: Result}
  /** Nothing has changed; the command may still be on its way. */
  | 'notFound'
  /** Something changed, but not as the command would have changed it. */
  | 'ambiguous'
  /** The platform shows nothing from which the outcome could be seen. */
  | 'unverifiable';

/**
 * One kind of command. `Request` is what the command sends; it is never stored. `Stored` is stored, as plain data.
 * Every method that calls the platform throws `PlatformError`.
 */
export interface CommandDefinition<Request, Stored, Before, Result> {
  /** The only operation that the command sends, once. */
  readonly operation: OperationName;
  toStored(request: Request): Stored | Promise<Stored>;
  /** What the command changes: a second command with the same subject waits until the first is settled. */
  subjectOf(stored: Stored): string;
  /** Whether the command may begin beside an unsettled one of the same subject; `readBefore` may still refuse it. */
  mayRunBeside?(stored: Stored, other: Stored): boolean;
  /** Reads the state before sending. @param isBeside whether earlier commands of the same subject are unsettled. */
  readBefore(stored: Stored, context: CommandContext, isBeside: boolean): Promise<Precheck<Before, Result>>;
  send(request: Request, context: CommandContext, options: CallOptions): Promise<Result>;
  /**
   * Reads the state after sending.
   * @param others results of other commands of the same subject, which this command must not claim.
   */
  verifyAfter(
    stored: Stored,
    before: Before,
    context: CommandContext,
    others: readonly Result[],
  ): Promise<Verification<Result>>;
  /**
   * The result that a refusal proves, perhaps of an earlier unverifiable command; null when it proves none. For
   * example, "already cancelled" proves a cancellation.
   */
  impliedResult?(stored: Stored, failure: PlatformFailure): Result | null;
  /** The merchant's events when the command is done. */
  events?(stored: Stored, result: Result, context: CommandContext): NewEvent[];
  /** Notifies other objects that the command is done. It may be called twice; the second call changes nothing. */
  onDone?(stored: Stored, result: Result, context: CommandContext): Promise<void>;
}

/** Defines a command for `commandRegistry`; the compiler infers its types. */
export function defineCommand<Request, Stored, Before, Result>(
  row: CommandDefinition<Request, Stored, Before, Result>,
): CommandDefinition<Request, Stored, Before, Result> {
  return row;
}

/** Why a command did nothing: one of our error codes, or a failed operation of the platform. Plain data. */
export type CommandRefusal =
  | {readonly code: ErrorCode}
  | {readonly operation: string; readonly failure: PlatformFailure};

/** An error that is not the platform's is a fault of ours, which may be temporary. */
export function toCommandRefusal(error: unknown): CommandRefusal {
  if (error instanceof PlatformError) return {operation: error.operation, failure: error.failure};
  log('error', 'internal_error', {error: describeError(error)});
  return {code: 'temporarily_unavailable'};
}

/** Whether nothing was sent, or the platform refused because of its rate limit and so did nothing. */
export function isUnsent(failure: PlatformFailure): boolean {
  return failure.outcome === 'unsent' || failure.outcome === 'unconfigured' || isRateLimited(failure);
}

/** Whether the daily limit of this operation is reached. */
export function isDailyLimitReached(refusal: CommandRefusal, operation: string): boolean {
  if ('code' in refusal || refusal.operation !== operation) return false;
  const {failure} = refusal;
  return isRateLimited(failure) || (failure.outcome === 'unsent' && failure.limit === 'day');
}

/** The refusal's retry delay in milliseconds; 0 when it has none. */
export function retryAfterOf(refusal: CommandRefusal | null): number {
  return refusal && 'failure' in refusal && 'retryAfterMs' in refusal.failure ? (refusal.failure.retryAfterMs ?? 0) : 0;
}

function isRateLimited(failure: PlatformFailure): boolean {
  return failure.outcome === 'refused' && failure.httpStatus === 429;
}
