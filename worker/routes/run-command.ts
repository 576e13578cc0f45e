/** Has the object of a service run a command, and tells what became of it: the merchant's commands and a page's cancellation. */

import {ERROR_KINDS} from '../contract/codes.ts';
import type {CommandName} from '../contract/merchant/commands.ts';
import {ApiError} from '../http/errors.ts';
import type {CommandOutcome} from '../objects/commands/command-runner.ts';
import type {CommandRequest, Commands} from '../objects/commands/commands.ts';
import type {RequestOf, ResultOf} from '../objects/commands/registry.ts';
import {PlatformError} from '../platform/failure.ts';

const RETRY_AFTER_SECONDS = 5;

/** Finds the object that runs the command: a stub that threw may be of no use any more. */
type FindCommands = () => DurableObjectStub<Commands>;

/** The command waits for another day. */
type QueuedOutcome = Extract<CommandOutcome, {readonly state: 'queued'}>;

interface RunOptions {
  /** Names the command: run again under its id, it is done once. */
  readonly id: string;
  /** Whether it waits for another day where the platform's limit is used up. */
  readonly queue?: boolean;
}

/**
 * @throws {ApiError} `outcome_unknown` with the command's id, `command_pending`, or why nothing was done.
 * @throws {PlatformError} how the platform refused it.
 */
export async function runCommand<N extends CommandName>(
  commands: FindCommands,
  name: N,
  request: RequestOf<N>,
  options: RunOptions & {readonly queue?: false},
): Promise<ResultOf<N>>;
export async function runCommand<N extends CommandName>(
  commands: FindCommands,
  name: N,
  request: RequestOf<N>,
  options: RunOptions,
): Promise<ResultOf<N> | QueuedOutcome>;
export async function runCommand<N extends CommandName>(
  commands: FindCommands,
  name: N,
  request: RequestOf<N>,
  {id, queue: mayQueue = false}: RunOptions,
): Promise<ResultOf<N> | QueuedOutcome> {
  const outcome = await submitCommand(commands, id, {name, input: request as object, mayQueue});
  switch (outcome.state) {
    case 'done':
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
        ...(ERROR_KINDS[refusal.code].retryable && {retryAfterSeconds: RETRY_AFTER_SECONDS}),
      });
    }
  }
}

/** An object may be moved or restarted in the middle of an answer. Asked again, it knows by the id what became of the command. */
async function submitCommand(commands: FindCommands, id: string, command: CommandRequest): Promise<CommandOutcome> {
  try {
    return await commands().run(id, command);
  } catch {
    try {
      return await commands().run(id, command);
    } catch (cause) {
      throw new ApiError('outcome_unknown', {command: id, cause});
    }
  }
}
