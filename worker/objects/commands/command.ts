/** What each kind of command must define, and why a command may be refused. */

import type {Context} from '../../context.ts';
import type {ErrorCode} from '../../contract/codes.ts';
import type {Problem} from '../../contract/problem.ts';
import {describeError, log} from '../../lib/log.ts';
import type {CallOptions} from '../../platform/client.ts';
import {isRateLimited, PlatformError, type PlatformFailure, retryAfterMsOf} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {NewEvent} from '../events/event.ts';

export type CommandContext = Pick<Context, 'config' | 'objects' | 'platform'>;

/** The result of reading the state before a command is sent. */
export type Precheck<Before, Result> =
  /** The command may be sent. `before` is stored, so that a later read can show whether the command was done. */
  | {readonly before: Before}
  /** The platform has already done what the command asks for. */
  | {readonly done: Result}
  /** The command cannot be done, or not as the request says; `fields` then says what is wrong with it. */
  | {readonly refused: ErrorCode; readonly fields?: Problem['fields']}
  /** The command may only be done after the other commands of its subject are settled. */
  | {readonly mustWait: true};

/** What a read after sending shows about a command whose outcome is unknown. */
export type Verification<Result> =
  | {readonly done: Result}
  /** Nothing has changed; the command may still be on its way. `notDone`: the same, with what the platform shows. */
  | 'notFound'
  | {readonly notDone: Result}
  /** Something changed, but not as the command would have changed it. */
  | 'ambiguous'
  /** The platform shows nothing from which the outcome could be derived. */
  | 'unverifiable';

/** The other commands of the same subject. */
export interface OtherCommands<Stored, Result> {
  /** The results of these other commands, which are therefore not results of this command. */
  readonly results: readonly Result[];
  /** Those that are unsettled, so that a change at the platform may be their result. */
  readonly unsettled: readonly Stored[];
}

/**
 * One kind of command. `Request` is what the command sends; it is never stored. `Stored` is what is stored, as plain
 * data. Every method that calls the platform throws `PlatformError`.
 */
export interface CommandDefinition<Request, Stored, Before, Result> {
  /** The operation with which `send` makes the change. `send` calls it once, and calls no other operation. */
  readonly operation: OperationName;
  toStored(request: Request, context: CommandContext): Stored | Promise<Stored>;
  /**
   * Names what the command changes. A second command with the same subject cannot begin until the first command is
   * settled.
   */
  subjectOf(stored: Stored): string;
  /**
   * Whether the command may begin while another command of the same subject is unsettled. This is safe if the results
   * of the two commands cannot be confused.
   */
  mayRunBeside?(stored: Stored, other: Stored): boolean;
  /** Reads the state before sending. */
  readBefore(
    stored: Stored,
    context: CommandContext,
    others: OtherCommands<Stored, Result>,
  ): Promise<Precheck<Before, Result>>;
  send(request: Request, context: CommandContext, options: CallOptions): Promise<Result>;
  /** Reads the state after sending. */
  verifyAfter(
    stored: Stored,
    before: Before,
    context: CommandContext,
    others: OtherCommands<Stored, Result>,
  ): Promise<Verification<Result>>;
  /** Whether the platform has begun what the command asks for, and may still fail. Absent if this cannot happen. */
  isUnderway?(result: Result, context: CommandContext): boolean;
  /**
   * The result that a refusal proves; null if the refusal proves nothing. For example, "already cancelled" proves that
   * an earlier command, which could not be verified, cancelled the subscription.
   */
  impliedResult?(stored: Stored, failure: PlatformFailure): Result | null;
  /** What is stored of the result, without a shopper's number. By default, the whole result is stored. */
  toStoredResult?(result: Result): Result;
  /** The events that the merchant gets when the command is done, or was begun and is not done in the end. */
  events?(stored: Stored, result: Result, context: CommandContext): NewEvent[];
  /**
   * Notifies other objects that the command is done. The method may run twice; the second run changes nothing.
   * @param askedBy - The API key that asked for it; null for a shopper, and if the Worker did.
   */
  onDone?(stored: Stored, result: Result, context: CommandContext, askedBy: string | null): Promise<void>;
}

/** Defines a command for `commandRegistry`; the compiler infers its types. */
export function defineCommand<Request, Stored, Before, Result>(
  row: CommandDefinition<Request, Stored, Before, Result>,
): CommandDefinition<Request, Stored, Before, Result> {
  return row;
}

/** Why a command did nothing, as plain data: one of our error codes, or the failure of a platform operation. */
export type CommandRefusal =
  | {readonly code: ErrorCode; readonly fields?: Problem['fields']}
  | {readonly operation: string; readonly failure: PlatformFailure};

/** Converts an error. If it does not come from the platform, it is an internal error, which may be temporary. */
export function toCommandRefusal(error: unknown): CommandRefusal {
  if (error instanceof PlatformError) return {operation: error.operation, failure: error.failure};
  log('error', 'internal_error', {error: describeError(error)});
  return {code: 'temporarily_unavailable'};
}

/** Whether the daily limit of this operation is reached. */
export function isDailyLimitReached(refusal: CommandRefusal, operation: string): boolean {
  if ('code' in refusal || refusal.operation !== operation) return false;
  const {failure} = refusal;
  return isRateLimited(failure) || (failure.outcome === 'unsent' && failure.limit === 'day');
}

/** The refusal's retry delay in milliseconds; 0 when it has none. */
export function retryAfterOf(refusal: CommandRefusal | null): number {
  return refusal && 'failure' in refusal ? (retryAfterMsOf(refusal.failure) ?? 0) : 0;
}
