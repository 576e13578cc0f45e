/** Answers of the endpoints that create a payment page or a vendor form, with examples and descriptions. */

import * as z from 'zod';
import {paymentPages, vendor, vendorForms} from '../hosted-pages.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {Time} from './fields.ts';
import {describeFields} from './input-fields.ts';

describeFields(paymentPages.createPaymentPage.input.shape, {
  reference: {examples: ['R-7']},
  item: {examples: ['Aylık üyelik']},
  trial_days: {description: 'Days before the first charge.'},
});
describeFields(vendor, {
  vendor_code: {
    description: 'The merchant’s own id for the vendor. Two vendors must not have the same id.',
    examples: ['V-7'],
  },
  name: {examples: ['Örnek Ticaret']},
  phone: {description: 'A Turkish mobile number, in any usual spelling.', examples: ['5321234567']},
  tc_no: {description: 'National identity number.'},
});

export const PaymentPage = z
  .strictObject({
    token: z.string(),
    url: z.string().meta({description: 'The page to which you send the shopper.'}),
    expires_at: Time,
  })
  .meta({id: 'PaymentPage'});

export const paymentPageDescriptions = describeEndpoints('Payment page', paymentPages, {
  createPaymentPage: {
    summary: 'Creates a payment page for one item.',
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
  },
});

export const VendorForm = z
  .strictObject({url: z.string().meta({description: 'The form. You may show it in a frame.'})})
  .meta({id: 'VendorForm'});

export const vendorFormDescriptions = describeEndpoints('Vendors', vendorForms, {
  createVendorForm: {
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
});
