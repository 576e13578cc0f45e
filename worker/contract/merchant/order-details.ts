/** The endpoint that returns all that the Worker knows about one order. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';
import {Service, Order} from './fields.ts';

export const orders = {
  getOrder: endpoint({
    method: 'GET',
    path: '/merchant/v1/orders',
    operation: null,
    scope: 'read',
    write: false,
    service: 'code',
    status: 200,
    input: z.strictObject({service: Service, order: Order}),
  }),
};
