/** Payment notices (`docs/spec/orders.md`, sections 2.4 and 4.4). */

import * as z from 'zod';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Amount, Id, Service, Order, Instant, Url} from './fields.ts';

/** What the shopper says about the transfer. The schema accepts everything that the platform accepts. */
export const Notice = z
  .strictObject({
    tc_no: text(32),
    name: text(255),
    email: text(255),
    phone: text(32),
    user_ip: z.union([z.ipv4(), z.ipv6()]),
    apply_time: Instant,
    description: text(1000),
  })
  .partial();

export const paymentNotices = {
  getPaymentNotice: endpoint({
    method: 'GET',
    path: '/merchant/v1/payment-notices/{id}',
    operation: 'paymentNotificationGet',
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({id: Id}),
  }),
  createPaymentNotice: endpoint({
    method: 'POST',
    path: '/merchant/v1/payment-notices',
    operation: 'paymentNotificationCreate',
    scope: 'sessions',
    write: true,
    service: 'code',
    status: 201,
    input: z.strictObject({
      service: Service,
      order: Order,
      amount: Amount,
      bank: text(64),
      notice: Notice.optional(),
      redirect_url: Url.optional(),
      back_url: Url.optional(),
    }),
  }),
};
