/**
 * Counts the money of an order: what arrived, what was sent back, and what counts towards the amount. The functions are
 * pure.
 */

import type {Kurus} from '../../lib/money.ts';
import type {Arrival} from '../../platform/to-payment.ts';

/** Money that a refund sent back. */
export interface SentRefund {
  readonly amount: Kurus;
  /** Id of the refunded transaction; null if the platform does not name it. */
  readonly transactionId: string | null;
}

/**
 * Money of an earlier payment: all of this money was sent back, and then other money arrived. The earlier money does
 * not count towards the amount, except for the part whose refund failed in the end.
 */
export interface EarlierMoney {
  readonly ids: readonly string[];
  /**
   * How much of this money counts again, because its refund failed. This sum never falls; otherwise a later refund
   * could raise the amount that is still to pay.
   */
  readonly restored: Kurus;
  /**
   * If all money has been sent back, the ids of all this money; otherwise empty. When other money arrives, this money
   * becomes the earlier money.
   */
  readonly returned: readonly string[];
}

export const NO_EARLIER_MONEY: EarlierMoney = {ids: [], restored: 0, returned: []};

/** What determines the amounts. */
export interface ArrivedMoney {
  readonly arrivals: readonly Arrival[];
  readonly refunds: readonly SentRefund[];
  readonly earlier: EarlierMoney;
}

/** Money whose amount is known; see `isReadable`. */
interface CountedArrival extends Arrival {
  readonly amount: Kurus;
}

/** How much of the arrived money belongs to an earlier payment, and does not count. Never more than was refunded. */
export function earlierAmount(money: ArrivedMoney): Kurus {
  const {ids, restored} = currentEarlier(money);
  const total = sum(money.arrivals.filter(isReadable).filter(({id}) => ids.includes(id)));
  return Math.max(0, Math.min(total - restored, amountRefunded(money)));
}

/**
 * What must be stored of the earlier money after a change.
 * @param isAllReturned - Whether all money is sent back now.
 */
export function nextEarlier(money: ArrivedMoney, isAllReturned: boolean): EarlierMoney {
  const {ids} = currentEarlier(money);
  const total = sum(money.arrivals.filter(isReadable).filter(({id}) => ids.includes(id)));
  return {
    ids,
    restored: total - earlierAmount(money),
    returned: isAllReturned ? money.arrivals.map(({id}) => id) : [],
  };
}

/**
 * The earlier money as it is now. If a new payment has begun since the last change was stored, the money in `returned`
 * is the earlier money.
 */
function currentEarlier({arrivals, earlier}: ArrivedMoney): Pick<EarlierMoney, 'ids' | 'restored'> {
  const {returned} = earlier;
  const isNew = returned.length > 0 && arrivals.filter(isReadable).some(({id}) => !returned.includes(id));
  return isNew ? {ids: returned, restored: 0} : earlier;
}

/**
 * How much of the arrived money was sent back. The platform shows this in two ways: a transaction has the status
 * `refunded` if all its money was sent back, and each refund is a record, which may name its transaction. Money that
 * appears in both ways counts once. A refund does not count if the order does not have its transaction, or if the
 * amount of its transaction is unknown.
 */
export function amountRefunded({arrivals, refunds}: Pick<ArrivedMoney, 'arrivals' | 'refunds'>): Kurus {
  const readable = arrivals.filter(isReadable);
  const known = new Set(readable.map(({id}) => id));
  const counted = refunds.filter(({transactionId}) => transactionId === null || known.has(transactionId));
  let unassigned = totalOf(counted);
  let refunded = 0;
  let withoutRecord = 0;
  for (const arrival of readable) {
    const named = counted.filter(({transactionId}) => transactionId === arrival.id);
    const recorded = Math.min(arrival.amount, totalOf(named));
    unassigned -= recorded;
    refunded += isRefunded(arrival) ? arrival.amount : recorded;
    if (isRefunded(arrival)) withoutRecord += arrival.amount - recorded;
  }
  return Math.max(0, Math.min(sum(readable), refunded + Math.max(0, unassigned - withoutRecord)));
}

function totalOf(refunds: readonly SentRefund[]): Kurus {
  return refunds.reduce((amount, refund) => amount + refund.amount, 0);
}

export function sum(arrivals: readonly CountedArrival[]): Kurus {
  return arrivals.reduce((total, {amount}) => total + amount, 0);
}

/** Whether the money can be counted: the amount is known and in lira. */
export function isReadable(arrival: Arrival): arrival is CountedArrival {
  return arrival.amount !== null && arrival.currency === 'TRY';
}

export function isRefunded({state}: Arrival): boolean {
  return state === 'refunded';
}
