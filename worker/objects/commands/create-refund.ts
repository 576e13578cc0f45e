/** Refunds a bank transfer (`docs/spec/orders.md`, 4.5). */

import {MINUTE_MS} from '../../lib/durations.ts';
import {type Kurus, parseAmount} from '../../lib/money.ts';
import {areValuesRefused, failureOf, isBroken, isRateLimited} from '../../platform/failure.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {requireAllRows} from '../../platform/reply-json.ts';
import {defineCommand, type CommandContext} from './command.ts';
import {contradictsIban, fingerprintIban} from './iban-fingerprint.ts';

interface Request {
  readonly service: string;
  readonly order: string;
  readonly amount: string;
  readonly contact: {readonly name: string; readonly iban: string};
  /** Parameters that are agreed with the platform. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
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
   * The status with which the platform refused to list the refunds; null if the platform returned the list. A platform
   * may refuse the list because the order has no refunds.
   */
  readonly refusedWith: string | null;
  /** When the list was requested, epoch milliseconds. */
  readonly readAt: number;
}

/**
 * Whether a refund in the list is the command's result. `unclear`: the refund may be the result, but nothing proves
 * this.
 */
type Match = 'yes' | 'no' | 'unclear';

/** How far the platform's clock and the Worker's clock may differ. */
const MAX_CLOCK_DIFFERENCE_MS = 10 * MINUTE_MS;

export const createRefundCommand = defineCommand<Request, StoredRefund, Before, {readonly id: string}>({
  operation: 'refundCreate',

  async toStored({service, order, amount, contact}, {config}) {
    const iban = await fingerprintIban(contact.iban, config.sessionSecrets[0]);
    return {service, order, amount: parseAmount(amount) ?? 0, iban};
  },

  subjectOf: ({order}) => order,

  // Two refunds of the same amount could be mistaken for each other after a lost answer.
  mayRunBeside: ({amount}, other) => amount !== other.amount,

  // The platform decides whether the order may be refunded, and how often.
  async readBefore({order}, context) {
    const readAt = Date.now();
    const list = await listRefunds(order, context);
    return {
      before:
        'refusedWith' in list
          ? {seen: [], refusedWith: list.refusedWith, readAt}
          : {seen: list.refunds.map(({id}) => id), refusedWith: null, readAt},
    };
  },

  async send({service, order, amount, contact, extra}, {platform}, options) {
    const input = {code: service, amount, order, contact, extra};
    const {refund_id: id} = await platform.call('refundCreate', input, options);
    return {id};
  },

  /**
   * The platform does not show which request made a refund. The result of our request is the oldest refund that was
   * absent before the request and is not the result of another command. The refund's amount, service and IBAN must be
   * the same as in the request, as far as the platform shows them. If a refund may be the result, but nothing proves
   * this, the outcome stays unknown: a merchant who read "not done" could pay a second time.
   */
  async verifyAfter(stored, before, context, {results, hasUnsettled}) {
    const list = await listRefunds(stored.order, context);
    if ('refusedWith' in list)
      return list.refusedWith === before.refusedWith && list.mayBeEmpty ? 'notFound' : 'ambiguous';
    const known = new Set([...before.seen, ...results.map(({id}) => id)]);
    let isUnclear = false;
    for (const refund of list.refunds.filter(({id}) => !known.has(id)).sort(byAge)) {
      const match = await matchRefund(refund, stored, before, context);
      if (match === 'no') continue;
      if (match === 'yes' && !(hasUnsettled && amountOf(refund) === null)) return {done: {id: refund.id}};
      isUnclear = true;
    }
    return isUnclear ? 'ambiguous' : 'notFound';
  },

  async onDone({service, order, amount}, {id}, {objects}) {
    await objects.refunds().recordRequested({id, service, order, amount});
  },
});

/** The refunds of an order, or how the platform refused to list them. */
type RefundList =
  | {readonly refunds: readonly RefundRecord[]}
  /** @property mayBeEmpty whether the refusal may mean that the order has no refunds. */
  | {readonly refusedWith: string; readonly mayBeEmpty: boolean};

async function listRefunds(order: string, {platform}: CommandContext): Promise<RefundList> {
  try {
    return {refunds: requireAllRows('refundGetByOrder', (await platform.call('refundGetByOrder', {order})).data)};
  } catch (error) {
    const failure = failureOf(error);
    // The spec does not say how the platform answers for an order without refunds, so a refusal may mean that the order
    // has no refunds. All other errors are thrown.
    if (failure.outcome === 'refused' && !isBroken(failure) && !isRateLimited(failure))
      return {refusedWith: failure.status, mayBeEmpty: areValuesRefused(failure)};
    throw error;
  }
}

async function matchRefund(
  refund: RefundRecord,
  stored: StoredRefund,
  before: Before,
  context: CommandContext,
): Promise<Match> {
  const actual = amountOf(refund);
  if (actual !== null && actual !== stored.amount) return 'no';
  if (await contradictsIban(refund.refund_iban, stored.iban, context.config.sessionSecrets)) return 'no';
  const ofService = await isOfService(refund, stored, before, context);
  return ofService === 'yes' && !isProvenNew(refund, before) ? 'unclear' : ofService;
}

/**
 * Whether a refund was certainly made after the command began. If the platform refused to list the refunds before the
 * command was sent, only the refund's time can show this. The contract does not name the zone of this time, so a time
 * before the command does not prove that the refund is older.
 */
function isProvenNew({create_time}: RefundRecord, {refusedWith, readAt}: Before): boolean {
  if (refusedWith === null) return true;
  const at = Date.parse(create_time ?? '');
  return at >= readAt - MAX_CLOCK_DIFFERENCE_MS && at <= Date.now() + MAX_CLOCK_DIFFERENCE_MS;
}

/**
 * Whether a refund belongs to the command's service. The list is requested without a service, so it may contain refunds
 * of another service's order with the same reference. If a refund's record does not name the service, `Refunds` may
 * know it, or the refund's transaction may name it.
 */
async function isOfService(
  {id, service_code, transaction_id}: RefundRecord,
  {service, order}: StoredRefund,
  {readAt}: Before,
  {platform, objects, config}: CommandContext,
): Promise<Match> {
  if (service_code !== null && service_code !== service) return 'no';
  const known = await objects.refunds().find(id);
  // If the Worker knew the refund before this command began, another command made it, or a notification reported it.
  if (known && (known.service !== service || known.order !== order || known.known_at < readAt)) return 'no';
  if (known || service_code !== null || config.services.size < 2) return 'yes';
  if (transaction_id === null) return 'unclear';
  const {transaction} = await platform.call('transactionGet', {id: transaction_id});
  if (transaction.service_code === null) return 'unclear';
  return transaction.service_code === service ? 'yes' : 'no';
}

/** Returns null when the record has no readable amount. */
function amountOf({amount}: RefundRecord): Kurus | null {
  return parseAmount(amount ?? '');
}

function byAge(a: RefundRecord, b: RefundRecord): number {
  return (a.create_time ?? '').localeCompare(b.create_time ?? '') || a.id.localeCompare(b.id, 'en', {numeric: true});
}
