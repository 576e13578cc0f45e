import * as z from 'zod';
import {formatAmount} from '../amounts.ts';
import type {Context} from '../context.ts';
import type {ControlInput} from './control-input.ts';
import {Limit} from './limit.ts';
import {readInput} from './read-input.ts';

const OrderQuery = z.object({limit: Limit});

/** GET /_sandbox/orders: what the merchant asked for and what arrived. */
export function listOrders({query}: ControlInput, {orders, transactions}: Context) {
  const {limit} = readInput(OrderQuery, Object.fromEntries(query));
  return {
    orders: orders.recent(limit).map((order) => ({
      order_code: order.orderCode,
      service: order.serviceCode,
      order: order.order,
      user_id: order.userId ?? null,
      amount: formatAmount(order.amountKurus),
      arrived: formatAmount(transactions.arrivedFor(order.orderCode)),
      created_at: order.createdAt,
      completed_at: order.completedAt ?? null,
    })),
  };
}
