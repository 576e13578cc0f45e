/** The endpoints that return what the Worker knows about one order, and about the orders of a day. */

import * as z from 'zod';
import type {PaymentState} from '../browser/answers.ts';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Cursor, Day, Order, Service} from './fields.ts';

/** The payment states. They are repeated here, because the Worker does not load the schemas of answers. */
const STATES = [
  'waiting',
  'partial',
  'paid',
  'overpaid',
  'completed',
  'refunded',
  'expired',
] as const satisfies readonly PaymentState[];

export const orders = {
  getOrder: endpoint({
    method: 'GET',
    path: '/merchant/v1/orders',
    operation: null,
    scope: 'read',
    write: false,
    service: 'code',
    status: 200,
    input: z
      .strictObject({service: Service, order: Order.optional(), code: text(64).optional()})
      .refine(({order, code}) => (order === undefined) !== (code === undefined), {
        path: ['order'],
        message: 'Expected either order or code.',
      }),
  }),
  listOrders: endpoint({
    method: 'GET',
    path: '/merchant/v1/orders/days/{day}',
    operation: null,
    scope: 'read',
    write: false,
    service: 'code',
    status: 200,
    input: z.strictObject({
      service: Service,
      day: Day,
      state: z.enum(STATES).optional(),
      cursor: Cursor.optional(),
    }),
  }),
};
