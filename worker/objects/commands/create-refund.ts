/** Refunds a bank transfer (`docs/spec/orders.md`, 4.5). */

import {type Kurus, parseAmount} from '../../lib/money.ts';
import {failureOf, isBroken} from '../../platform/failure.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {requireAllRows} from '../../platform/reply-json.ts';
import {stateOf} from '../../platform/statuses.ts';
import {defineCommand, type CommandContext} from './command.ts';
import {contradictsIban, fingerprintIban} from './iban-fingerprint.ts';

interface Request {
  readonly service: string;
  readonly order: string;
  readonly amount: string;
  readonly contact: {readonly name: string; readonly iban: string};
}

interface StoredRefund {
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
  /** Fingerprint of the IBAN (`iban-fingerprint.ts`). It is enough to recognize the IBAN. */
  readonly iban: string;
}

interface Before {
  /** Ids of the refunds that the order had before the command. */
  readonly seen: readonly string[];
  /**
   * The status with which the platform refused to list the refunds, which it may do when there are no refunds. Null if
   * the platform returned the list.
   */
  readonly refusedWith: string | null;
}

/** States of refunds that have sent no money back and never will. */
const VOID_STATES: ReadonlySet<string> = new Set(['failed', 'cancelled']);

export const createRefundCommand = defineCommand<Request, StoredRefund, Before, {readonly id: string}>({
  operation: 'refundCreate',

  async toStored({service, order, amount, contact}, {config}) {
    const iban = await fingerprintIban(contact.iban, config.sessionSecrets[0]);
    return {service, order, amount: parseAmount(amount) ?? 0, iban};
  },

  subjectOf: ({order}) => order,

  // A marketplace's order may have several refunds at once, but two refunds of the same amount could not be told apart.
  mayRunBeside: ({amount}, other) => amount !== other.amount,

  async readBefore(stored, context, hasUnsettled) {
    if ((await context.objects.order(stored.service, stored.order).snapshot()).completed)
      return {refused: 'order_completed'};
    // This is checked before the refunds are listed, because a refund that is being sent may not be on the list yet.
    if (hasUnsettled && !(await mayHaveSeveral(stored, context))) return 'pending';
    const list = await listRefunds(stored.order, context);
    if ('refusedWith' in list) return {before: {seen: [], ...list}};
    const active = list.refunds.filter(
      (refund) =>
        isOfService(refund, stored.service) &&
        !VOID_STATES.has(stateOf('refund', refund.status, context.config.statuses)),
    );
    if (active.length > 0 && !(await mayHaveSeveral(stored, context))) return {refused: 'already_refunded'};
    return {before: {seen: list.refunds.map(({id}) => id), refusedWith: null}};
  },

  async send({service, order, amount, contact}, {platform}, options) {
    const {refund_id: id} = await platform.call('refundCreate', {code: service, amount, order, contact}, options);
    return {id};
  },

  /**
   * The platform does not show which request made a refund. The result of our request is the oldest refund that is new
   * on the list, is not another command's result, and has the request's amount, service and IBAN as far as these are
   * shown.
   */
  async verifyAfter(stored, before, context, others) {
    const list = await listRefunds(stored.order, context);
    if ('refusedWith' in list) return list.refusedWith === before.refusedWith ? 'notFound' : 'ambiguous';
    const known = new Set([...before.seen, ...others.map(({id}) => id)]);
    const matching = await Promise.all(
      list.refunds
        .filter(({id}) => !known.has(id))
        .map(async (refund) => ((await mayBeRequested(refund, stored, context)) ? [refund] : [])),
    );
    const [match] = matching.flat().sort(byAge);
    return match ? {done: {id: match.id}} : 'notFound';
  },

  async onDone({service, order, amount}, {id}, {objects}) {
    await objects.refunds().recordRequested({id, service, order, amount});
  },
});

async function listRefunds(
  order: string,
  {platform}: CommandContext,
): Promise<{readonly refunds: readonly RefundRecord[]} | {readonly refusedWith: string}> {
  try {
    return {refunds: requireAllRows('refundGetByOrder', (await platform.call('refundGetByOrder', {order})).data)};
  } catch (error) {
    const failure = failureOf(error);
    // The spec does not say how the platform answers when there are no refunds. After any other error, refundCreate
    // fails, too.
    if (failure.outcome === 'refused' && !isBroken(failure)) return {refusedWith: failure.status};
    throw error;
  }
}

/**
 * Whether the order is a marketplace's order. Only such an order may have several refunds (`docs/spec/orders.md`, 1).
 * If the platform refuses to say, returns true, because the platform will then refuse the refund itself.
 */
async function mayHaveSeveral({service, order}: StoredRefund, {platform}: CommandContext): Promise<boolean> {
  try {
    const {payout, sub_merchant_id, fee} = await platform.call('orderCodeCheck', {code: service, order});
    return payout !== null || sub_merchant_id !== null || fee !== null;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.outcome === 'refused' && !isBroken(failure)) return true;
    throw error;
  }
}

async function mayBeRequested(
  refund: RefundRecord,
  {service, amount, iban}: StoredRefund,
  {config}: CommandContext,
): Promise<boolean> {
  const actual = parseAmount(refund.amount ?? '');
  if (actual !== null && actual !== amount) return false;
  return isOfService(refund, service) && !(await contradictsIban(refund.refund_iban, iban, config.sessionSecrets));
}

/**
 * The list is requested without a service, so it may contain refunds of another service's order with the same
 * reference.
 */
function isOfService({service_code}: RefundRecord, service: string): boolean {
  return service_code === null || service_code === service;
}

function byAge(a: RefundRecord, b: RefundRecord): number {
  return (a.create_time ?? '').localeCompare(b.create_time ?? '') || a.id.localeCompare(b.id, 'en', {numeric: true});
}
