/**
 * The platform's payment page (`docs/spec/subscriptions.md` 2.6 and 4.B) and vendor form (`docs/spec/orders.md` 4.6).
 */

import * as z from 'zod';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Amount, BillingService, Time, Url, Id, Service} from './fields.ts';

export const PaymentPage = z
  .strictObject({
    token: z.string(),
    url: z.string().meta({description: 'The page to send the shopper to.'}),
    expires_at: Time,
  })
  .meta({id: 'PaymentPage'});

export const paymentPages = {
  createPaymentPage: endpoint({
    method: 'POST',
    path: '/merchant/v1/payment-pages',
    group: 'Payment page',
    operation: 'paymentPageToken',
    write: true,
    service: 'billing',
    status: 201,
    summary: 'Creates a payment page for one item.',
    input: z.strictObject({
      service: BillingService,
      reference: text(255).meta({examples: ['R-7']}),
      item: text(255).meta({examples: ['Aylık üyelik']}),
      price: Amount,
      trial_days: z.int().positive().max(3650).optional().meta({description: 'Days before the first charge.'}),
      success_url: Url,
      failure_url: Url,
    }),
    answer: PaymentPage,
    codes: ['unknown_service', 'return_url_not_allowed'],
    example: {
      input: {
        service: 'DEMO',
        reference: 'R-7',
        item: 'Aylık üyelik',
        price: '30.00',
        success_url: 'https://shop.example/ok',
        failure_url: 'https://shop.example/fail',
      },
      answer: {token: '0f3a', url: 'https://pay.platform.example/0f3a', expires_at: '2026-11-21T16:12:00+03:00'},
    },
  }),
};

/** Fields that describe a vendor. */
export const vendor = {
  vendor_code: text(255).meta({description: 'The merchant’s own id of the vendor, used once.', examples: ['V-7']}),
  name: text(255).meta({examples: ['Örnek Ticaret']}),
  phone: text(32).meta({examples: ['5321234567']}),
  iban: text(64).meta({examples: ['TR330006100519786457841326']}),
  email: text(255).optional(),
  tc_no: Id.optional().meta({description: 'National identity number.'}),
};

export const VendorForm = z
  .strictObject({url: z.string().meta({description: 'The form, which may be shown in a frame.'})})
  .meta({id: 'VendorForm'});

export const vendorForms = {
  createVendorForm: endpoint({
    method: 'POST',
    path: '/merchant/v1/vendor-forms',
    group: 'Vendors',
    operation: 'vendorForm',
    write: true,
    service: 'code',
    status: 201,
    summary: 'Creates the form on which a vendor registers.',
    input: z.strictObject({service: Service, ...vendor, success_url: Url, failure_url: Url}),
    answer: VendorForm,
    codes: ['unknown_service', 'return_url_not_allowed'],
    example: {
      input: {
        service: 'DEMO',
        vendor_code: 'V-7',
        name: 'Örnek Ticaret',
        phone: '5321234567',
        iban: 'TR330006100519786457841326',
        success_url: 'https://shop.example/registered',
        failure_url: 'https://shop.example/not-registered',
      },
      answer: {url: 'https://pay.platform.example/vendor/0f3a'},
    },
  }),
};
