/** The commands, a row each, under the names of their endpoints. */

import type {CommandName} from '../../contract/merchant/commands.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstantOrNull} from '../../lib/time.ts';
import type {NewEvent} from '../events/event.ts';
import {cancelLandingSubscription} from './cancel-landing-subscription.ts';
import {cancelSubscription} from './cancel-subscription.ts';
import type {CommandRow} from './command-store.ts';
import type {Deed} from './command.ts';
import {completeOrder} from './complete-order.ts';
import {createRefund} from './create-refund.ts';
import {refundCharge} from './refund-charge.ts';
import {resetTestNumber} from './reset-test-number.ts';

export const deeds = {
  createRefund,
  refundCharge,
  cancelSubscription,
  cancelLandingSubscription,
  resetTestNumber,
  completeOrder,
} satisfies Record<CommandName, unknown>;

type Row<N extends CommandName> = (typeof deeds)[N];
export type RequestOf<N extends CommandName> =
  Row<N> extends Deed<infer Request, infer _K, infer _B, infer _R> ? Request : never;
export type KeptOf<N extends CommandName> =
  Row<N> extends Deed<infer _Q, infer Kept, infer _B, infer _R> ? Kept : never;
export type ResultOf<N extends CommandName> =
  Row<N> extends Deed<infer _Q, infer _K, infer _B, infer Result> ? Result : never;

export type PlainDeed = Deed<object, object, object, object>;

/** A deed as plain data goes into it and comes out. */
export function deedOf(name: CommandName): PlainDeed {
  return deeds[name] as unknown as PlainDeed;
}

/** Commands as events tell of them: those that the merchant was told are open, and how they ended. */

/** What any of them keeps. Numbers are not told. */
type About = Partial<
  Omit<KeptOf<'createRefund'>, 'service'> &
    KeptOf<'refundCharge'> &
    Omit<KeptOf<'cancelLandingSubscription'>, 'service'>
>;

/** @param at epoch milliseconds */
export function describeCommand(
  type: 'command.unknown' | 'command.settled',
  {id, name, state, kept, refusal, result, sentAt}: CommandRow,
  at: number,
): NewEvent {
  const about = kept as About;
  return {
    type,
    key: id,
    at,
    data: {
      command: id,
      operation: name,
      service: about.service ?? null,
      order: about.order ?? null,
      amount: about.amount === undefined ? null : formatAmount(about.amount),
      charge_id: about.charge ?? null,
      subscription_id: about.subscription ?? null,
      state: state === 'done' || state === 'failed' ? state : 'unknown',
      code: refusal && ('code' in refusal ? refusal.code : 'platform_refused'),
      refund_id: name === 'createRefund' ? ((result as ResultOf<'createRefund'> | null)?.id ?? null) : null,
      sent_at: formatInstantOrNull(sentAt),
    },
  };
}
