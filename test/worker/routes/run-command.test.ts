/** Tests what `runCommand` returns or throws for each outcome, and after a failure of the `Commands` object. */

import {expect, test} from 'vitest';
import {ApiError} from '../../../worker/http/errors.ts';
import type {CommandOutcome} from '../../../worker/objects/commands/command-runner.ts';
import type {Commands} from '../../../worker/objects/commands/commands.ts';
import {PlatformError} from '../../../worker/platform/failure.ts';
import {runCommand} from '../../../worker/routes/run-command.ts';

const restarted = new Error('The object was restarted.');
const request = {service: 'DEMO', serviceId: '1', charge: '7'};

/** A fake `Commands` object that gives these answers, one per call, and records the ids of the calls. */
function fakeCommands(...answers: (CommandOutcome | Error)[]) {
  const ids: string[] = [];
  const run = (id: string): Promise<CommandOutcome> => {
    const answer = answers[ids.push(id) - 1] ?? restarted;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const commands = () => ({run}) as unknown as DurableObjectStub<Commands>;
  return {ids, objects: {commands}};
}

const errorOf = (outcome: CommandOutcome, queue = false): Promise<unknown> =>
  runCommand(fakeCommands(outcome).objects, 'refundCharge', request, {id: 'c-1', askedBy: null, queue}).catch(
    (error: unknown) => error,
  );

test('after a restart of the object, the Worker calls it again with the same command id', async () => {
  const {ids, objects} = fakeCommands(restarted, {state: 'done', result: {charge: {id: '7'}}});
  expect(await runCommand(objects, 'refundCharge', request, {id: 'c-1', askedBy: null})).toEqual({charge: {id: '7'}});
  expect(ids).toEqual(['c-1', 'c-1']);
});

test('if the object fails twice, the outcome is unknown', async () => {
  const {ids, objects} = fakeCommands(restarted, restarted);
  await expect(runCommand(objects, 'refundCharge', request, {id: 'c-1', askedBy: null})).rejects.toMatchObject({
    code: 'outcome_unknown',
    options: {command: 'c-1'},
  });
  expect(ids).toHaveLength(2);
});

test('a queued command is returned if it may wait for the next day, otherwise its outcome is unknown', async () => {
  const queued: CommandOutcome = {state: 'queued', queuePosition: {position: 3, expectedAt: 1e12}};
  const {objects} = fakeCommands(queued);
  expect(await runCommand(objects, 'refundCharge', request, {id: 'c-1', askedBy: null, queue: true})).toEqual(queued);
  expect(await errorOf(queued)).toMatchObject({code: 'outcome_unknown', options: {command: 'c-1'}});
});

test('for every other outcome, an error with the reason is thrown', async () => {
  expect(await errorOf({state: 'unknown'})).toEqual(new ApiError('outcome_unknown', {command: 'c-1'}));
  expect(await errorOf({state: 'pending'})).toMatchObject({code: 'command_pending', options: {retryAfterSeconds: 5}});
  expect(await errorOf({state: 'failed', refusal: {code: 'not_done'}})).toMatchObject({code: 'not_done'});
  const failure = {outcome: 'refused', status: '005', message: ''} as const;
  expect(await errorOf({state: 'failed', refusal: {operation: 'chargeRefund', failure}})).toEqual(
    new PlatformError('chargeRefund', failure),
  );
});
