/** What a command does at the platform, and how it is known afterwards whether it was done. */

import type {Context} from '../../context.ts';
import type {ErrorCode} from '../../contract/codes.ts';
import {describeError, log} from '../../lib/log.ts';
import type {CallOptions} from '../../platform/client.ts';
import {PlatformError, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {NewEvent} from '../events/event.ts';

export type CommandContext = Pick<Context, 'config' | 'objects' | 'platform'>;

/** What the state before says of a command. */
export type Precheck<Before, Result> =
  /** It may be sent; this is what will tell later whether it was done. */
  | {readonly before: Before}
  /** It was done before and need not be done again. */
  | {readonly done: Result}
  /** It cannot be done any more. */
  | {readonly refused: ErrorCode}
  /** It cannot be done beside those that began before it. */
  | 'pending';

/** What the state after says of a command whose outcome is not known. */
export type Verification<Result> =
  | {readonly done: Result}
  /** All is as it was. It may still be on its way. */
  | 'notFound'
  /** Neither as it was nor as it would be. */
  | 'ambiguous'
  /** The platform shows nothing by which it could be told. */
  | 'unverifiable';

/**
 * One kind of command. `Request` is what it is sent with and is never written down; `Stored` is, as plain data.
 * Everything that asks the platform throws `PlatformError`.
 */
export interface CommandDefinition<Request, Stored, Before, Result> {
  /** The one operation it sends, once. */
  readonly operation: OperationName;
  toStored(request: Request): Stored | Promise<Stored>;
  /** What it is about: of two commands about the same, one waits until the other is settled. */
  subjectOf(stored: Stored): string;
  /** Whether it may begin though one about the same is not settled; `readBefore` may still refuse it. */
  mayRunBeside?(stored: Stored, other: Stored): boolean;
  /** The state before. @param isBeside whether others about the same began before it and are not settled. */
  readBefore(stored: Stored, context: CommandContext, isBeside: boolean): Promise<Precheck<Before, Result>>;
  send(request: Request, context: CommandContext, options: CallOptions): Promise<Result>;
  /**
   * The state after.
   * @param others results of other commands about the same: what is theirs is not its own.
   */
  verifyAfter(
    stored: Stored,
    before: Before,
    context: CommandContext,
    others: readonly Result[],
  ): Promise<Verification<Result>>;
  /**
   * What a refusal says has been done, perhaps by one before it that nobody could tell about; null where it says
   * nothing.
   */
  impliedResult?(stored: Stored, failure: PlatformFailure): Result | null;
  /** What the merchant hears when it is done. @param id of the command. */
  events?(stored: Stored, result: Result, context: CommandContext): NewEvent[];
  /** Tells other objects that it is done; told twice, nothing changes. */
  onDone?(stored: Stored, result: Result, context: CommandContext): Promise<void>;
}

/** Defines a command for `commandRegistry`; the compiler infers its types. */
export function defineCommand<Request, Stored, Before, Result>(
  row: CommandDefinition<Request, Stored, Before, Result>,
): CommandDefinition<Request, Stored, Before, Result> {
  return row;
}

/** A code of ours, or how the platform answered to one of its operations. Plain data. */
export type CommandRefusal =
  | {readonly code: ErrorCode}
  | {readonly operation: string; readonly failure: PlatformFailure};

/** What is no word of the platform's is a fault of ours that may be gone in a moment. */
export function toCommandRefusal(error: unknown): CommandRefusal {
  if (error instanceof PlatformError) return {operation: error.operation, failure: error.failure};
  log('error', 'internal_error', {error: describeError(error)});
  return {code: 'temporarily_unavailable'};
}

/** Whether nothing was sent, or the platform was asked too often and did nothing. */
export function isUnsent(failure: PlatformFailure): boolean {
  return failure.outcome === 'unsent' || failure.outcome === 'unconfigured' || isRateLimited(failure);
}

/** Whether the day's limit of this operation is used up. */
export function isDailyLimitReached(refusal: CommandRefusal, operation: string): boolean {
  if ('code' in refusal || refusal.operation !== operation) return false;
  const {failure} = refusal;
  return isRateLimited(failure) || (failure.outcome === 'unsent' && failure.limit === 'day');
}

/** Milliseconds; 0 where nothing is said. */
export function retryAfterOf(refusal: CommandRefusal | null): number {
  return refusal && 'failure' in refusal && 'retryAfterMs' in refusal.failure ? (refusal.failure.retryAfterMs ?? 0) : 0;
}

function isRateLimited(failure: PlatformFailure): boolean {
  return failure.outcome === 'refused' && failure.httpStatus === 429;
}
