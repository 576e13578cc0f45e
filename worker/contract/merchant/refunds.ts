/** Refunds of bank transfers (`docs/spec/orders.md`, sections 2.5 and 4.5). */

import * as z from 'zod';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Amount, Cursor, Day, Iban, Id, Order, Service} from './fields.ts';
import {Extra} from './orders.ts';

export const refunds = {
  getRefund: endpoint({
    method: 'GET',
    path: '/merchant/v1/refunds/{id}',
    operation: 'refundGet',
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({id: Id}),
  }),
  listRefunds: endpoint({
    method: 'GET',
    path: '/merchant/v1/refunds',
    operation: 'refundGetByOrder',
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({service: Service.optional(), order: Order}),
  }),
  listDayRefunds: endpoint({
    method: 'GET',
    path: '/merchant/v1/refunds/days/{day}',
    operation: null,
    scope: 'read',
    write: false,
    service: 'code',
    status: 200,
    input: z.strictObject({service: Service, day: Day, cursor: Cursor.optional()}),
  }),
  createRefund: endpoint({
    method: 'POST',
    path: '/merchant/v1/refunds',
    operation: 'refundCreate',
    scope: 'money',
    write: true,
    command: true,
    service: 'code',
    status: 201,
    input: z.strictObject({
      service: Service,
      order: Order,
      amount: Amount,
      contact: z.strictObject({name: text(255), iban: Iban}),
      extra: Extra.optional(),
    }),
  }),
};
