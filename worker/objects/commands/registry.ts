/** Commands as events tell of them: those that the merchant was told are open, and how they ended. */

import {formatAmount} from '../../lib/money.ts';
import {formatInstantOrNull} from '../../lib/time.ts';
import type {NewEvent} from '../events/event.ts';
import type {CommandRow} from './command-store.ts';
import type {KeptOf, ResultOf} from './deeds.ts';

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
