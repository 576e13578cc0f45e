/** Has the object of a service carry a command out, and tells what became of it. */

import {ERROR_KINDS} from '../../contract/codes.ts';
import type {CommandName} from '../../contract/merchant/commands.ts';
import {ApiError} from '../../http/errors.ts';
import type {Outcome} from '../../objects/commands/command-runner.ts';
import type {CommandOrder} from '../../objects/commands/commands.ts';
import type {RequestOf, ResultOf} from '../../objects/commands/registry.ts';
import {PlatformError} from '../../platform/failure.ts';
import {type WriteContext, Queued} from './handler.ts';

const RETRY_AFTER_SECONDS = 5;

/** @throws {ApiError} `outcome_unknown` with the command's id, `command_pending`, or why nothing was done. */
export async function carryOut<N extends CommandName>(
  name: N,
  request: RequestOf<N>,
  context: WriteContext,
): Promise<ResultOf<N>> {
  const result = await answer(name, request, false, context);
  if (result instanceof Queued) throw new ApiError('outcome_unknown', {command: result.body.command});
  return result;
}

/** The same, but where the platform's limit is used up it waits for another day. */
export function carryOutPatiently<N extends CommandName>(
  name: N,
  request: RequestOf<N>,
  context: WriteContext,
): Promise<ResultOf<N> | Queued> {
  return answer(name, request, true, context);
}

async function answer<N extends CommandName>(
  name: N,
  request: RequestOf<N>,
  patient: boolean,
  context: WriteContext,
): Promise<ResultOf<N> | Queued> {
  const {writeId} = context;
  const outcome = await perform({name, request: request as object, patient}, context);
  switch (outcome.state) {
    case 'done':
      return outcome.result as ResultOf<N>;
    case 'queued':
      return new Queued(writeId, outcome.place);
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
async function perform(order: CommandOrder, {objects, writeId}: WriteContext): Promise<Outcome> {
  const {service} = order.request as {readonly service: string | null};
  try {
    return await objects.commands(service).perform(writeId, order);
  } catch {
    try {
      return await objects.commands(service).perform(writeId, order);
    } catch (cause) {
      throw new ApiError('outcome_unknown', {command: writeId, cause});
    }
  }
}
