/** The commands, by the names of their endpoints, and the events that report commands. */

import type {CommandName} from '../../contract/merchant/commands.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstantOrNull} from '../../lib/time.ts';
import type {NewEvent} from '../events/event.ts';
import {cancelLandingSubscriptionCommand, cancelSubscriptionCommand} from './cancel-subscription.ts';
import type {CommandRow} from './command-store.ts';
import type {CommandDefinition} from './command.ts';
import {completeOrderCommand} from './complete-order.ts';
import {createRefundCommand} from './create-refund.ts';
import {refundChargeCommand} from './refund-charge.ts';
import {resetTestNumberCommand} from './reset-test-number.ts';

export const commandRegistry = {
  createRefund: createRefundCommand,
  refundCharge: refundChargeCommand,
  cancelSubscription: cancelSubscriptionCommand,
  cancelLandingSubscription: cancelLandingSubscriptionCommand,
  resetTestNumber: resetTestNumberCommand,
  completeOrder: completeOrderCommand,
} satisfies Record<CommandName, unknown>;

type RegisteredCommand<N extends CommandName> = (typeof commandRegistry)[N];
export type RequestOf<N extends CommandName> =
  RegisteredCommand<N> extends CommandDefinition<infer Request, infer _S, infer _B, infer _R> ? Request : never;
export type StoredOf<N extends CommandName> =
  RegisteredCommand<N> extends CommandDefinition<infer _Q, infer Stored, infer _B, infer _R> ? Stored : never;
export type ResultOf<N extends CommandName> =
  RegisteredCommand<N> extends CommandDefinition<infer _Q, infer _S, infer _B, infer Result> ? Result : never;

export type PlainCommand = CommandDefinition<object, object, object, object>;

/** Returns a command without its own types, for code that handles all commands alike. */
export function commandNamed(name: CommandName): PlainCommand {
  return commandRegistry[name] as unknown as PlainCommand;
}

/** The stored fields that events report, of all commands together. Phone numbers are not among them. */
type CommandSubject = Partial<
  Omit<StoredOf<'createRefund'>, 'service'> &
    StoredOf<'refundCharge'> &
    Omit<StoredOf<'cancelLandingSubscription'>, 'service'>
>;

/**
 * Creates the event that says that a command's outcome is unknown, or how a command ended.
 * @param at - Epoch milliseconds.
 */
export function describeCommand(
  type: 'command.unknown' | 'command.settled',
  {id, name, state, stored, refusal, result, sentAt}: CommandRow,
  at: number,
): NewEvent {
  const fields = stored as CommandSubject;
  return {
    type,
    key: id,
    at,
    data: {
      command_id: id,
      operation: name,
      service: fields.service ?? null,
      order: fields.order ?? null,
      amount: fields.amount === undefined ? null : formatAmount(fields.amount),
      charge_id: fields.charge ?? null,
      subscription_id: fields.subscription ?? null,
      state: state === 'done' || state === 'failed' ? state : 'unknown',
      code: refusal && ('code' in refusal ? refusal.code : 'platform_refused'),
      refund_id: name === 'createRefund' ? ((result as ResultOf<'createRefund'> | null)?.id ?? null) : null,
      sent_at: formatInstantOrNull(sentAt),
    },
  };
}

/**
 * Creates the second event about an unknown outcome, which says that the Worker has stopped reading the outcome.
 * @param at - Epoch milliseconds.
 */
export function describeGivenUp(command: CommandRow, at: number): NewEvent {
  return {...describeCommand('command.unknown', command, at), key: `${command.id}\ngiven up`};
}
