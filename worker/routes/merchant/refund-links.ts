/** Refund links. */

import {isWithin} from '../../config/service-limit.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {digest, hmacBytes, toBase64Url} from '../../lib/crypto.ts';
import {DAY_MS, HOUR_MS} from '../../lib/durations.ts';
import {RANDOM_BYTES, sealName} from '../../lib/link-name.ts';
import {formatAmount, type Kurus, parseAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import {findRefundable} from '../../objects/refunds/find-refundable.ts';
import type {RefundLink} from '../../objects/refunds/refund-links.ts';
import {linkKey} from '../kept-reads.ts';
import {settledLink} from '../refund-command.ts';
import type {Handlers} from './handler.ts';

const DEFAULT_HOURS = 336;
const MAX_LIFETIME_MS = 90 * DAY_MS;

export const refundLinkHandlers = {
  async createRefundLink({service, order, amount, hours = DEFAULT_HOURS, expires_at}, {objects, writeId, url, caller}) {
    const now = Date.now();
    const expiresAt = expires_at === undefined ? now + hours * HOUR_MS : Date.parse(expires_at);
    if (expiresAt <= now || expiresAt > now + MAX_LIFETIME_MS)
      throw fieldError('invalid_request', 'expires_at', 'Expected a time in the next 90 days.');
    const found = await findRefundable(objects, service, order);
    if (!found) throw new ApiError('unknown_order');
    const {refundable, shown} = found;
    if (amount === undefined && refundable.amount === 0)
      throw refundable.isRefunded ? new ApiError('already_refunded') : tooLarge(refundable.left);
    // The same write has the same token, so that a request that is repeated because its answer was lost gets the link.
    const key = await linkKey(objects);
    const secret = await hmacBytes('SHA-256', key, `refund link\n${writeId}`);
    const token = await sealName(key, toBase64Url(secret.slice(0, RANDOM_BYTES)));
    const link = {
      id: `rfl_${writeId.replaceAll('-', '')}`,
      digest: await digest('SHA-256', token),
      service,
      order,
      amount: amount === undefined ? refundable.amount : (parseAmount(amount) ?? 0),
      reason: amount === undefined ? refundable.reason : null,
      shown,
      createdBy: caller.id,
      createdAt: now,
      expiresAt,
    };
    const created = await objects.refunds().createLink(link, refundable);
    if ('possible' in created) throw tooLarge(created.possible);
    return {...toLink(created), url: `${url.origin}/r/${token}`};
  },

  async getRefundLink({id}, {objects}) {
    const link = await objects.refunds().findLink(id);
    if (!link) throw new ApiError('not_found');
    return toLink(await settledLink(link, objects));
  },

  async withdrawRefundLink({id}, {objects, caller}) {
    const link = await objects.refunds().findLink(id);
    if (!link || !isWithin(caller.services, link)) throw new ApiError('not_found');
    return toLink(await settledLink((await objects.refunds().withdrawLink(id)) ?? link, objects, 0));
  },
} satisfies Partial<Handlers>;

function tooLarge(possible: Kurus): ApiError {
  const message = `Name an amount. At most ${formatAmount(possible)} is left beside refunds and open links.`;
  return fieldError('refund_too_large', 'amount', message);
}

function toLink({id, service, order, amount, reason, state, refundId, createdAt, expiresAt}: RefundLink) {
  return {
    id,
    service,
    order,
    amount: formatAmount(amount),
    reason,
    state,
    refund_id: refundId,
    created_at: formatInstant(createdAt),
    expires_at: formatInstant(expiresAt),
  };
}
