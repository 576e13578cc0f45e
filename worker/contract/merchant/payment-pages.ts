/** The common payment page: `docs/spec/subscriptions.md` 2.6 and 4.B. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';
import {Amount, BillingService, text, Time, Url} from './fields.ts';

export const PaymentPage = z
  .strictObject({
    token: z.string(),
    url: z.string().meta({description: 'The page to send the customer to.'}),
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
    summary: 'Makes a payment page for one item.',
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
