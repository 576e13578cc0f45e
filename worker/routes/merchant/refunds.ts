/** Refunds of transfers. */

import type {Config} from '../../config/config.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {formatAmount, formatAmountOrNull, parseAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import {findRefundable} from '../../objects/refunds/find-refundable.ts';
import type {RefundRow} from '../../objects/refunds/refund-store.ts';
import {timeFields} from '../../platform/habits.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {countRows} from '../../platform/reply-json.ts';
import {stateOf, numberOrText} from '../../platform/statuses.ts';
import type {Caller} from '../route.ts';
import {runCommand} from '../run-command.ts';
import {requireServiceCode} from '../services.ts';
import {commandOf, type Handlers, type WriteContext} from './handler.ts';
import {requireAgreed, requireIbanCountry} from './input.ts';
import {readableRows} from './records.ts';

const GIVEN_TWICE = 'The request already has the field sub_merchant_id.';

export const refundHandlers = {
  async getRefund({id}, {platform, config, objects, caller}) {
    const {data} = await platform.call('refundGet', {id});
    return withService(toRefund(data, config), caller, () => objects.refunds().find(id));
  },

  async listRefunds({order, service}, {platform, config, objects, caller}) {
    if (service !== undefined) requireServiceCode(config, service);
    const {data} = await platform.call('refundGetByOrder', {order});
    const records = readableRows('refundGetByOrder', data).map((record) => toRefund(record, config));
    const all = await Promise.all(
      records.map((refund) => withService(refund, caller, () => objects.refunds().find(String(refund.id)))),
    );
    if (service === undefined) return {items: all, next_cursor: null, total: countRows(data)};
    // A record that does not name one of our services is returned, because it may belong to this service.
    const items = all.filter((refund) => refund.service === service || !config.services.has(refund.service ?? ''));
    return {items, next_cursor: null, total: items.length};
  },

  async createRefund({sub_merchant_id: part, ...input}, context) {
    const {config, objects} = context;
    const {service, order} = input;
    requireAgreed(input.extra, 'refundCreate', config);
    requireIbanCountry(input.contact.iban, 'contact.iban', config);
    const agreed = input.extra?.['sub_merchant_id'];
    if (part !== undefined && agreed !== undefined)
      throw fieldError('invalid_request', 'extra.sub_merchant_id', GIVEN_TWICE);
    const subMerchantId = part ?? agreed;
    // Without the agreement, the platform does not know the parameter, and only the Worker's record names the part.
    const isSent = subMerchantId !== undefined && config.extraParameters.has('sub_merchant_id');
    const isDue = input.amount === undefined;
    const amount = input.amount ?? (await dueAmount(input, context));
    const request = {
      ...input,
      amount,
      isDue,
      subMerchantId,
      extra: isSent ? {...input.extra, sub_merchant_id: subMerchantId} : input.extra,
    };
    const {id} = await runCommand(objects, 'createRefund', request, commandOf(context));
    return {id, service, order, amount: formatAmount(parseAmount(amount) ?? 0)};
  },
} satisfies Partial<Handlers>;

/**
 * What is due back of the order's money. A command that is known keeps its amount, although less is due since it was sent.
 * @throws {ApiError} `unknown_order`, `already_refunded`, `refund_too_large`
 */
async function dueAmount(
  {service, order}: {readonly service: string; readonly order: string},
  {objects, writeId, isReplay}: WriteContext,
): Promise<string> {
  const known = await objects.commands(service).refundAmountOf(writeId);
  // Nothing is sent for a replay of an unknown command.
  if (known !== null || isReplay) return formatAmount(known ?? 0);
  const found = await findRefundable(objects, service, order);
  if (!found) throw new ApiError('unknown_order');
  const {refundable} = found;
  if (refundable.amount > 0) return formatAmount(refundable.amount);
  if (refundable.isRefunded) throw new ApiError('already_refunded');
  const message = `Nothing is due back. Name an amount: at most ${formatAmount(refundable.left)} is left.`;
  throw fieldError('refund_too_large', 'amount', message);
}

/**
 * The platform's record may name a service by its code, by its name, or not at all. What the Worker knows of the refund
 * decides what a caller sees whose key is limited to services.
 */
async function withService<T extends {readonly service: string | null}>(
  refund: T,
  {services}: Pick<Caller, 'services'>,
  find: () => Promise<RefundRow | null>,
): Promise<T> {
  const known = services === null ? null : await find();
  return known ? {...refund, service: known.service} : refund;
}

/** Converts a refund that the Worker has stored. */
export function toStoredRefund({amount, status, state, refund_time, known_at, ...refund}: RefundRow) {
  const {id, sub_merchant_id, refund_link_id, transaction_id, bank_receipt_no} = refund;
  return {
    id,
    sub_merchant_id,
    refund_link_id,
    amount: formatAmountOrNull(amount),
    status: numberOrText(status),
    // A refund that the Worker has requested and not read yet is `waiting`, as in the refund's event.
    state: state === 'unread' ? 'waiting' : state,
    transaction_id,
    ...timeFields('refund_time', refund_time),
    bank_receipt_no,
    requested_at: formatInstant(known_at),
  };
}

/**
 * Converts a refund record. The platform uses two sets of field names; the merchant API always uses the same names. If
 * a record has a `service_code`, its `service` is the service's name. Otherwise `service` may be the name or the code.
 */
function toRefund(
  {refund_contact: name, refund_iban: iban, service, service_code, service_name, status, ...others}: RefundRecord,
  {statuses}: Config,
) {
  const {create_time, update_time, refund_time, ...rest} = others;
  return {
    ...rest,
    ...timeFields('create_time', create_time),
    ...timeFields('update_time', update_time),
    ...timeFields('refund_time', refund_time),
    service: service_code ?? service,
    service_name: service_name ?? (service_code === null ? null : service),
    contact: {name, iban},
    status: numberOrText(status),
    state: stateOf('refund', status, statuses),
  };
}
