/** Refunds a bank transfer (`docs/spec/orders.md`, 4.5). */

import {MINUTE_MS} from '../../lib/durations.ts';
import {formatAmount, type Kurus, parseAmount} from '../../lib/money.ts';
import type {Objects} from '../../objects.ts';
import {areValuesRefused, failureOf, isBroken, isRateLimited} from '../../platform/failure.ts';
import {readTime} from '../../platform/habits.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {requireAllRows} from '../../platform/reply-json.ts';
import {stateOf} from '../../platform/statuses.ts';
import {balanceOf} from '../archive/booking.ts';
import {findRows} from '../archive/find-in-archive.ts';
import {findRefundable, notDue} from '../refunds/find-refundable.ts';
import {SENDS_NOTHING} from '../refunds/refund-checks.ts';
import {defineCommand, type CommandContext, type OtherCommands, type Precheck} from './command.ts';
import {contradictsIban, fingerprintIban} from './iban-fingerprint.ts';

interface Request {
  readonly service: string;
  readonly order: string;
  readonly amount: string;
  readonly contact: {readonly name: string; readonly iban: string};
  /** Parameters that are agreed with the platform. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
  /** The sub-merchant whose part of a marketplace's order is refunded. */
  readonly subMerchantId?: string | undefined;
  /** Whether to refund more than what is left of the order's money, as far as the Worker knows. */
  readonly force?: boolean | undefined;
  /** Whether the amount is what is due back of the order's money, which is sent once. */
  readonly isDue?: boolean | undefined;
  /** The refund link with which the shopper asks for the refund. */
  readonly linkId?: string | undefined;
}

interface StoredRefund {
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
  /** Fingerprint of the IBAN (`iban-fingerprint.ts`). It is enough to recognize the IBAN. */
  readonly iban: string;
  readonly subMerchantId?: string | undefined;
  readonly force?: boolean | undefined;
  readonly isDue?: boolean | undefined;
  readonly linkId?: string | undefined;
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

  async toStored({service, order, amount, contact, subMerchantId, force, isDue, linkId}, {config}) {
    const iban = await fingerprintIban(contact.iban, config.sessionSecrets[0]);
    return {service, order, amount: parseAmount(amount) ?? 0, iban, subMerchantId, force, isDue, linkId};
  },

  subjectOf: ({order}) => order,

  // Two refunds of the same amount could be mistaken for each other after a lost answer.
  mayRunBeside: ({amount}, other) => amount !== other.amount,

  // The platform decides whether the order may be refunded, and how often. Only more than its money is refused here.
  async readBefore(stored, context, {results, unsettled}) {
    const readAt = Date.now();
    const list = await listRefunds(stored.order, context);
    const left = 'refunds' in list ? await moneyLeft(stored, list.refunds, context) : null;
    const undue = stored.isDue ? await explainUndue(stored, left, context, {results, unsettled}) : null;
    if (undue) return undue;
    const refusal = left === null || stored.force ? null : refusalOf(stored.amount, left, unsettled);
    if (refusal) return refusal;
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
  async verifyAfter(stored, before, context, {results, unsettled}) {
    const list = await listRefunds(stored.order, context);
    if ('refusedWith' in list)
      return list.refusedWith === before.refusedWith && list.mayBeEmpty ? 'notFound' : 'ambiguous';
    const known = new Set([...before.seen, ...results.map(({id}) => id)]);
    let isUnclear = false;
    for (const refund of list.refunds.filter(({id}) => !known.has(id)).sort(byAge)) {
      const match = await matchRefund(refund, stored, before, context);
      if (match === 'no') continue;
      if (match === 'yes' && !(unsettled.length > 0 && amountOf(refund) === null)) return {done: {id: refund.id}};
      isUnclear = true;
    }
    return isUnclear ? 'ambiguous' : 'notFound';
  },

  async onDone({service, order, amount, subMerchantId, linkId}, {id}, {objects}, askedBy) {
    await objects.refunds().recordRequested({id, service, order, amount, subMerchantId, linkId, askedBy});
  },
});

/**
 * What is left of the money that arrived at banks for the order: what no refund has sent back or may send back. Null
 * unless the Worker's record of the order is complete: it can read all money and refunds.
 */
async function moneyLeft(
  {service, order}: StoredRefund,
  listed: readonly RefundRecord[],
  {objects, config}: CommandContext,
): Promise<Kurus | null> {
  const [transfers, known] = await Promise.all([
    transfersOf(service, order, objects),
    objects.refunds().ofOrder(service, order),
  ]);
  if (transfers.length === 0) return null;
  const ids = new Set([...transfers, ...known].map(({id}) => id));
  const isOurs = ({id, service_code, transaction_id}: RefundRecord) =>
    service_code === service || ids.has(id) || ids.has(transaction_id ?? '');
  const [ours, others] = [listed.filter(isOurs), listed.filter((refund) => !isOurs(refund))];
  // A refund that names neither its service nor a known transaction may be this order's.
  if (others.some(({service_code}) => service_code === null)) return null;
  const shown = new Set(ours.map(({id}) => id));
  const refunds = [
    ...ours.map((refund) => ({amount: amountOf(refund), state: stateOf('refund', refund.status, config.statuses)})),
    ...known.filter(({id}) => !shown.has(id)),
  ].filter(({state}) => !SENDS_NOTHING.has(state));
  const arrived = transfers.reduce((sum, {amount}) => sum + (amount ?? 0), 0);
  return refunds.reduce<Kurus | null>(
    (left, {amount}) => (left === null || amount === null ? null : left - amount),
    arrived,
  );
}

/**
 * The transfers that arrived for the order, as the order knows them, or the books if it was deleted. None if the Worker
 * had not made the order's code, or cannot read all money.
 */
async function transfersOf(service: string, order: string, objects: Objects) {
  const details = await objects.order(service, order).details();
  const isKnown = details?.madeBy !== 'unknown' && !details?.payment.unclear;
  if (details) return isKnown ? details.money.filter(({bank}) => bank !== null) : [];
  // Money that came after the order was deleted is its money at the platform, too.
  const rows = await findRows(objects, service, order);
  const money = rows.filter(({type, method}) => type.startsWith('money.') && method === 'transfer');
  const readable = money.filter(({amount, currency}) => amount !== null && currency === 'TRY');
  const ids = new Set(readable.map(({transaction}) => transaction));
  if (money.some(({transaction}) => !ids.has(transaction))) return [];
  return readable.map((row) => ({id: row.transaction ?? '', amount: balanceOf(row)}));
}

type Refusal = Exclude<Precheck<never, never>, {readonly before: never} | {readonly done: never}>;

/**
 * What speaks against a refund of this amount; null if nothing does. While other refunds of the order have no outcome,
 * a refund that may not fit beside them waits.
 */
function refusalOf(amount: Kurus, left: Kurus, unsettled: readonly Pick<StoredRefund, 'amount'>[]): Refusal | null {
  if (amount > left) {
    const message = `${formatAmount(Math.max(0, left))} of the order’s money is left. \`force\` refunds more.`;
    return {refused: 'refund_too_large', fields: [{path: 'amount', message}]};
  }
  return amount > unsettled.reduce((rest, other) => rest - other.amount, left) ? {mustWait: true} : null;
}

/**
 * What speaks against sending back what is due: an earlier refund, also of another request at the same time, has sent it,
 * or it was made elsewhere.
 * @param left - What is left by the platform's list of refunds; null if this is not known.
 */
async function explainUndue(
  {service, order, amount}: StoredRefund,
  left: Kurus | null,
  {objects}: CommandContext,
  {results, unsettled}: OtherCommands<StoredRefund, {readonly id: string}>,
): Promise<Refusal | null> {
  const reported = new Set((await objects.refunds().ofOrder(service, order)).map(({id}) => id));
  // The amount of this refund counts once `Refunds` knows it.
  if (results.some(({id}) => !reported.has(id))) return {mustWait: true};
  const unknown = unsettled.reduce((sum, other) => sum + other.amount, 0);
  const found = await findRefundable(objects, service, order, () => unknown);
  if (!found) return {refused: 'unknown_order'};
  const {refundable, payment} = found;
  const kept = refundable.reason === 'overpaid' ? (parseAmount(payment.amount) ?? 0) : 0;
  if (amount > refundable.amount) return {refused: notDue(refundable)};
  return left !== null && amount > left - unknown - kept ? {refused: 'already_refunded'} : null;
}

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
  const at = readTime(create_time);
  return at !== null && at >= readAt - MAX_CLOCK_DIFFERENCE_MS && at <= Date.now() + MAX_CLOCK_DIFFERENCE_MS;
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
