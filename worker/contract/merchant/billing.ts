/**
 * Charges and messages of mobile billing, and the search input that they share with subscriptions
 * (`docs/spec/subscriptions.md`, sections 2.2 to 2.5 and 4.A).
 */

import * as z from 'zod';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Id, BillingService, Limit, Cursor} from './fields.ts';

/** Input of the three searches of mobile billing (`docs/spec/subscriptions.md`, section 2.5). */
export const BillingSearch = z.strictObject({
  service: BillingService,
  search: z
    .array(z.strictObject({column: text(64), term: text(255), condition: text(16).optional()}))
    .max(3)
    .optional(),
  sort: z
    .array(z.strictObject({column: text(64), asc: z.boolean()}))
    .max(3)
    .optional(),
  limit: Limit(100).optional(),
  cursor: Cursor.optional(),
});

const ChargeRef = z.strictObject({service: BillingService, id: Id});

export const charges = {
  getCharge: endpoint({
    method: 'GET',
    path: '/merchant/v1/charges/{service}/{id}',
    operation: 'chargeGet',
    scope: 'read',
    write: false,
    service: 'billing',
    status: 200,
    input: ChargeRef,
  }),
  refundCharge: endpoint({
    method: 'POST',
    path: '/merchant/v1/charges/{service}/{id}/refund',
    operation: 'chargeRefund',
    scope: 'money',
    write: true,
    command: true,
    queues: true,
    service: 'billing',
    status: 200,
    input: ChargeRef.extend({when_exhausted: z.enum(['refuse', 'queue']).optional()}),
  }),
  searchCharges: endpoint({
    method: 'POST',
    path: '/merchant/v1/charges/search',
    operation: 'chargeSearch',
    scope: 'read',
    write: false,
    service: 'billing',
    status: 200,
    input: BillingSearch,
  }),
};

export const messages = {
  searchMessages: endpoint({
    method: 'POST',
    path: '/merchant/v1/messages/search',
    operation: 'messageSearch',
    scope: 'read',
    write: false,
    service: 'billing',
    status: 200,
    input: BillingSearch,
  }),
};
