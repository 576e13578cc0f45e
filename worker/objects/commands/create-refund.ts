/** Refunds a bank transfer (`docs/spec/orders.md`, 4.5). */

import {MINUTE_MS} from '../../lib/durations.ts';
import {type Kurus, parseAmount} from '../../lib/money.ts';
import {failureOf, isBroken} from '../../platform/failure.ts';
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
   * The status with which the platform refused to list the refunds, which it may do when there are no refunds. Null if
   * the platform returned the list.
   */
  readonly refusedWith: string | null;
  /** When the list was requested, epoch milliseconds. Commands stored by earlier versions do not have it. */
  readonly readAt?: number;
}

/** How far the platform's clock may be behind the Worker's clock. */
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

  // Whether the order may be refunded, and how often, is for the platform to decide.
  async readBefore({order}, context) {
    const readAt = Date.now();
    const list = await listRefunds(order, context);
    return {
      before:
        'refusedWith' in list
          ? {seen: [], ...list, readAt}
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
   * absent before the request, is not another command's result, and has the request's amount, service and IBAN as far
   * as these are shown. While another refund of the order is unsettled, a refund without an amount proves nothing.
   */
  async verifyAfter(stored, before, context, {results, hasUnsettled}) {
    const list = await listRefunds(stored.order, context);
    if ('refusedWith' in list) return list.refusedWith === before.refusedWith ? 'notFound' : 'ambiguous';
    const known = new Set([...before.seen, ...results.map(({id}) => id)]);
    const matching = await Promise.all(
      list.refunds
        .filter((refund) => !known.has(refund.id) && !existedBefore(refund, before))
        .map(async (refund) => ((await mayBeRequested(refund, stored, context)) ? [refund] : [])),
    );
    const matches = matching.flat().sort(byAge);
    const match = matches.find((refund) => !hasUnsettled || amountOf(refund) !== null);
    if (match) return {done: {id: match.id}};
    return matches.length > 0 ? 'ambiguous' : 'notFound';
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
 * Whether a refund was made before the command, although the platform did not list the refunds at that time. The time is
 * the platform's, so a small difference of the clocks proves nothing.
 */
function existedBefore({create_time}: RefundRecord, {refusedWith, readAt}: Before): boolean {
  if (refusedWith === null || readAt === undefined) return false;
  return Date.parse(create_time ?? '') < readAt - MAX_CLOCK_DIFFERENCE_MS;
}

async function mayBeRequested(
  refund: RefundRecord,
  {service, amount, iban}: StoredRefund,
  {config}: CommandContext,
): Promise<boolean> {
  const actual = amountOf(refund);
  if (actual !== null && actual !== amount) return false;
  return isOfService(refund, service) && !(await contradictsIban(refund.refund_iban, iban, config.sessionSecrets));
}

/** Returns null when the record does not show the amount, or not in a readable form. */
function amountOf({amount}: RefundRecord): Kurus | null {
  return parseAmount(amount ?? '');
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
