/**
 * The platform's payment page (`docs/spec/subscriptions.md`, sections 2.6 and 4.B) and vendor form
 * (`docs/spec/orders.md`, section 4.6).
 */

import * as z from 'zod/mini';
import {describeFields} from '../described.ts';
import {endpoint} from '../endpoint.ts';
import {personText, text, TrialDays} from '../fields.ts';
import {readPhone} from '../readers/mobile-number.ts';
import {platformTime} from './answer-fields.ts';
import {Amount, Iban, Id, Service, BillingService, Url} from './fields.ts';

export const PaymentPage =
  DESCRIBED &&
  z
    .strictObject({
      token: z.string(),
      url: z.string().check(z.describe('The page to which you send the shopper.')),
      ...platformTime('expires_at'),
    })
    .check(z.meta({id: 'PaymentPage'}));

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
      trial_days: z.optional(TrialDays()),
      success_url: Url,
      failure_url: Url,
    }),
    docs: DESCRIBED && {
      client: 'paymentPages.create',
      summary: 'Creates a payment page for one item.',
      description:
        'The reference is the order: `GET /merchant/v1/orders` and events report a charge on the page, or that none came ' +
        'until the page had closed. With `trial_days`, nothing is charged, so no order is made.',
      fields: {
        reference: {examples: ['R-7']},
        item: {examples: ['Aylık üyelik']},
        trial_days: {description: 'Days before the first charge.'},
      },
      answer: PaymentPage,
      codes: ['unknown_service', 'return_url_not_allowed', 'order_cancelled'],
      example: {
        input: {
          service: 'DEMO',
          reference: 'R-7',
          item: 'Aylık üyelik',
          price: '30.00',
          success_url: 'https://shop.example/ok',
          failure_url: 'https://shop.example/fail',
        },
        answer: {
          token: '0f3a',
          url: 'https://pay.platform.example/0f3a',
          expires_at: '2026-11-21T16:12:00+03:00',
          expires_at_text: null,
        },
      },
    },
  }),
};

/** Fields that describe a vendor. */
export const vendor = {
  vendor_code: text(255),
  name: personText(255),
  phone: z.pipe(
    personText(32).check(
      z.refine(
        (phone) => readPhone(phone) !== undefined,
        'Expected a Turkish mobile number, or + and a foreign number.',
      ),
    ),
    z.transform((phone) => readPhone(phone) ?? phone),
  ),
  iban: Iban,
  email: z.optional(personText(255)),
  tc_no: z.optional(Id),
};

if (DESCRIBED)
  describeFields(vendor, {
    vendor_code: {
      description: 'The merchant’s own id for the vendor. Two vendors must not have the same id.',
      examples: ['V-7'],
    },
    name: {examples: ['Örnek Ticaret']},
    phone: {
      description: 'A Turkish mobile number in any usual spelling, or `+` and the number in another country.',
      examples: ['5321234567'],
    },
    tc_no: {description: 'National identity number.'},
  });

export const VendorForm =
  DESCRIBED &&
  z
    .strictObject({url: z.string().check(z.describe('The form. You may show it in a frame.'))})
    .check(z.meta({id: 'VendorForm'}));

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
    docs: DESCRIBED && {
      client: 'vendorForms.create',
      summary: 'Creates the form on which a vendor registers.',
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
    },
  }),
};
