/**
 * The platform's payment page (`docs/spec/subscriptions.md`, sections 2.6 and 4.B) and vendor form
 * (`docs/spec/orders.md`, section 4.6).
 */

import * as z from 'zod';
import {parseMsisdn} from '../../lib/msisdn.ts';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Amount, Iban, Id, Service, BillingService, Url} from './fields.ts';

export const paymentPages = {
  createPaymentPage: endpoint({
    method: 'POST',
    path: '/merchant/v1/payment-pages',
    operation: 'paymentPageToken',
    scope: 'sessions',
    write: true,
    service: 'billing',
    status: 201,
    input: z.strictObject({
      service: BillingService,
      reference: text(255),
      item: text(255),
      price: Amount,
      trial_days: z.int().positive().max(3650).optional(),
      success_url: Url,
      failure_url: Url,
    }),
  }),
};

/** Fields that describe a vendor. */
export const vendor = {
  vendor_code: text(255),
  name: text(255),
  phone: text(32).refine((phone) => parseMsisdn(phone) !== null, 'Expected a Turkish mobile number.'),
  iban: Iban,
  email: text(255).optional(),
  tc_no: Id.optional(),
};

export const vendorForms = {
  createVendorForm: endpoint({
    method: 'POST',
    path: '/merchant/v1/vendor-forms',
    operation: 'vendorForm',
    scope: 'sessions',
    write: true,
    service: 'code',
    status: 201,
    input: z.strictObject({service: Service, ...vendor, success_url: Url, failure_url: Url}),
  }),
};
