/**
 * Runs a command in its `Commands` object and returns the result. This applies to all commands of the merchant API, and
 * to the cancellation of a subscription by a page.
 */

import {ERROR_KINDS} from '../contract/codes.ts';
import type {CommandName} from '../contract/merchant/commands.ts';
import {ApiError} from '../http/errors.ts';
import type {Objects} from '../objects.ts';
import type {CommandOutcome} from '../objects/commands/command-runner.ts';
import type {RequestOf, ResultOf} from '../objects/commands/registry.ts';
import {isStoreRefused} from '../objects/migrations.ts';
import {PlatformError} from '../platform/failure.ts';
import {storeRefused} from './problems.ts';

const RETRY_AFTER_SECONDS = 5;

type Commands = Pick<Objects, 'commands'>;

/** The outcome of a command that waits until the platform's daily limit resets. */
type QueuedOutcome = Extract<CommandOutcome, {readonly state: 'queued'}>;

interface RunOptions {
  /** Id of the command. If a command is run again with the same id, it is not sent again. */
  readonly id: string;
  /** The API key of the server that asks; null if a page asks. */
  readonly askedBy: string | null;
  /** Whether the command may wait for the next day if the platform's daily limit is used up. */
  readonly queue?: boolean;
  /**
   * Whether the caller wants only the outcome of an earlier run. The outcome is `outcome_unknown` if the command is not
   * stored.
   */
  readonly isReplay?: boolean;
}

/**
 * @throws {ApiError} `outcome_unknown` with the command's id, `command_pending`, or the reason why nothing was sent.
 * @throws {PlatformError} if the platform refused the command.
 */
export async function runCommand<N extends CommandName>(
  objects: Commands,
  name: N,
  request: RequestOf<N>,
  options: RunOptions & {readonly queue?: false},
): Promise<ResultOf<N>>;
export async function runCommand<N extends CommandName>(
  objects: Commands,
  name: N,
  request: RequestOf<N>,
  options: RunOptions,
): Promise<ResultOf<N> | QueuedOutcome>;
export async function runCommand<N extends CommandName>(
  objects: Commands,
  name: N,
  request: RequestOf<N>,
  {id, askedBy, queue: mayQueue = false, isReplay = false}: RunOptions,
): Promise<ResultOf<N> | QueuedOutcome> {
  const {service} = request as {readonly service: string};
  // The landing interface cancels without a service.
  const runner = name === 'cancelLandingSubscription' ? null : service;
  const command = {name, input: request as object, mayQueue, askedBy, isReplay};
  const outcome = await submitCommand(() => objects.commands(runner).run(id, command), id);
  switch (outcome.state) {
    case 'done':
    case 'underway':
      return outcome.result as ResultOf<N>;
    case 'queued':
      if (mayQueue) return outcome;
      throw new ApiError('outcome_unknown', {command: id});
    case 'unknown':
      throw new ApiError('outcome_unknown', {command: id});
    case 'pending':
      throw new ApiError('command_pending', {retryAfterSeconds: RETRY_AFTER_SECONDS});
    case 'failed': {
      const {refusal} = outcome;
      if ('failure' in refusal) throw new PlatformError(refusal.operation, refusal.failure);
      throw new ApiError(refusal.code, {
        ...(refusal.fields && {fields: refusal.fields}),
        ...(ERROR_KINDS[refusal.code].retryable && {retryAfterSeconds: RETRY_AFTER_SECONDS}),
      });
    }
  }
}

/**
 * Retries once, with a new stub, because the Durable Object may restart during the call. After a restart, the object finds
 * the command by its id and reports what happened to it.
 */
async function submitCommand(run: () => Promise<CommandOutcome>, id: string): Promise<CommandOutcome> {
  try {
    return await run();
  } catch (error) {
    if (isStoreRefused(error)) throw storeRefused(error);
    try {
      return await run();
    } catch (cause) {
      throw new ApiError('outcome_unknown', {command: id, cause});
    }
  }
}
