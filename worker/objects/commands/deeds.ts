/** The commands, a row each, under the names of their endpoints. */

import type {CommandName} from '../../contract/merchant/commands.ts';
import {cancelLandingSubscription} from './cancel-landing-subscription.ts';
import {cancelSubscription} from './cancel-subscription.ts';
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
