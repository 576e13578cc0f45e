/** Order codes and the bank list (`docs/spec/orders.md`, sections 2.6, 4.2, 4.3 and 4.7). */

import * as z from 'zod';
import {requireCompleteSplit, requireUserId} from '../../platform/fields.ts';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Amount, AmountOrZero, Id, NewOrder, Service, Order, Url} from './fields.ts';
import {Notice} from './payment-notices.ts';

/**
 * How an order's amount is split: required for marketplaces, optional for other merchants. `requireCompleteSplit`
 * checks that a new order has all three fields or none of them.
 */
export const split = {
  payout: text(255).optional(),
  sub_merchant_id: Id.optional(),
  fee: AmountOrZero.optional(),
};

/** A user id has at most 32 characters, which may be 64 UTF-16 units. */
export const UserId = text(64).check(requireUserId);

/** Parameters that the platform and the merchant agree outside the contract; `EXTRA_PARAMETERS` lists their names. */
export const Extra = z.record(text(255), text(255));

const terms = {service: Service, order: Order, amount: Amount, ...split, extra: Extra.optional()};
const newTerms = {...terms, order: NewOrder};

export const orderCodes = {
  findOrderCode: endpoint({
    method: 'GET',
    path: '/merchant/v1/order-codes',
    operation: 'orderCodeCheck',
    scope: 'read',
    write: false,
    service: 'code',
    status: 200,
    input: z.strictObject({service: Service, order: Order}),
  }),
  createOrderCode: endpoint({
    method: 'POST',
    path: '/merchant/v1/order-codes',
    operation: 'orderCodeCreate',
    scope: 'sessions',
    write: true,
    service: 'code',
    status: 201,
    input: z.strictObject({...newTerms, user_id: UserId.optional()}).check(requireCompleteSplit),
  }),
  createHostedOrderCode: endpoint({
    method: 'POST',
    path: '/merchant/v1/order-codes/hosted',
    operation: 'orderCodeDirect',
    scope: 'sessions',
    write: true,
    service: 'code',
    status: 201,
    input: z
      .strictObject({
        ...newTerms,
        user_id: UserId.optional(),
        notice: Notice.optional(),
        redirect_url: Url.optional(),
        back_url: Url.optional(),
      })
      .check(requireCompleteSplit),
  }),
  updateOrderCode: endpoint({
    method: 'PATCH',
    path: '/merchant/v1/order-codes',
    operation: 'orderCodeUpdate',
    scope: 'money',
    write: true,
    service: 'code',
    status: 200,
    input: z.strictObject(terms),
  }),
  completeOrder: endpoint({
    method: 'POST',
    path: '/merchant/v1/orders/complete',
    operation: 'orderComplete',
    scope: 'money',
    write: true,
    command: true,
    service: 'code',
    status: 200,
    input: z.strictObject({service: Service, order: Order}),
  }),
};

export const banks = {
  listBanks: endpoint({
    method: 'GET',
    path: '/merchant/v1/banks',
    operation: 'bankGetAll',
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({}),
  }),
};
