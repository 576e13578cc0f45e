/** Has the object of a service carry a command out, and tells what became of it. */

import {ERROR_KINDS} from '../../contract/codes.ts';
import type {CommandName} from '../../contract/merchant/commands.ts';
import {ApiError} from '../../http/errors.ts';
import type {CommandOutcome} from '../../objects/commands/command-runner.ts';
import type {CommandRequest} from '../../objects/commands/commands.ts';
import type {RequestOf, ResultOf} from '../../objects/commands/registry.ts';
import {PlatformError} from '../../platform/failure.ts';
import {type WriteContext, QueuedAnswer} from './handler.ts';

const RETRY_AFTER_SECONDS = 5;

/** @throws {ApiError} `outcome_unknown` with the command's id, `command_pending`, or why nothing was done. */
export async function runCommand<N extends CommandName>(
  name: N,
  request: RequestOf<N>,
  context: WriteContext,
): Promise<ResultOf<N>> {
  const result = await awaitOutcome(name, request, false, context);
  if (result instanceof QueuedAnswer) throw new ApiError('outcome_unknown', {command: result.body.command});
  return result;
}

/** The same, but where the platform's limit is used up it waits for another day. */
export function runOrQueueCommand<N extends CommandName>(
  name: N,
  request: RequestOf<N>,
  context: WriteContext,
): Promise<ResultOf<N> | QueuedAnswer> {
  return awaitOutcome(name, request, true, context);
}

async function awaitOutcome<N extends CommandName>(
  name: N,
  request: RequestOf<N>,
  mayQueue: boolean,
  context: WriteContext,
): Promise<ResultOf<N> | QueuedAnswer> {
  const {writeId} = context;
  const outcome = await submitCommand({name, input: request as object, mayQueue}, context);
  switch (outcome.state) {
    case 'done':
      return outcome.result as ResultOf<N>;
    case 'queued':
      return new QueuedAnswer(writeId, outcome.queuePosition);
    case 'unknown':
      throw new ApiError('outcome_unknown', {command: writeId});
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

/** An object may be moved or begun anew in the middle of an answer. Asked again, it knows by the id what became of it. */
async function submitCommand(command: CommandRequest, {objects, writeId}: WriteContext): Promise<CommandOutcome> {
  const {service} = command.input as {readonly service: string | null};
  try {
    return await objects.commands(service).run(writeId, command);
  } catch {
    try {
      return await objects.commands(service).run(writeId, command);
    } catch (cause) {
      throw new ApiError('outcome_unknown', {command: writeId, cause});
    }
  }
}
