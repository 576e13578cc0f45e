/** The answer of `POST /merchant/v1/sessions`, with examples and descriptions. */

import * as z from 'zod';
import {MerchantSessionRequest, Origin, sessions} from '../sessions.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {describeFields} from './input-fields.ts';

const [paymentRequest, subscriptionRequest, managementRequest] = MerchantSessionRequest.options;

const sellerExamples = [{name: 'Fener Atölyesi', support_email: 'destek@shop.example'}];

describeFields(
  {Origin},
  {
    Origin: {
      description: 'The origin of the page that will use the session. It must be one of `ALLOWED_ORIGINS`.',
      examples: ['https://shop.example'],
    },
  },
);
describeFields(paymentRequest.shape, {
  seller: {
    description:
      'The seller as shoppers know it. The elements explain with it whose payment provider receives the money, and ' +
      'show the contact where a shopper has to ask the seller.',
    examples: sellerExamples,
  },
  prefill: {
    description:
      'Values with which a page prefills the shopper’s payment notice. Identity numbers are not accepted, because ' +
      'the Worker would have to store them.',
  },
  hours: {
    description:
      'How many hours the shopper has to pay; 72 by default. If the order already has an order code, its ' +
      'deadline does not change.',
  },
});
describeFields(subscriptionRequest.shape, {
  period: {examples: ['weekly']},
  terms_url: {description: 'A page with the full terms.', examples: ['https://shop.example/terms']},
  privacy_url: {
    description: 'A page that says how the merchant uses the shopper’s data.',
    examples: ['https://shop.example/privacy'],
  },
  manage_url: {
    description: 'A page on which subscribers see and cancel their subscription.',
    examples: ['https://shop.example/account'],
  },
  seller: {
    description: 'The seller as shoppers know it. The elements show the contact where a shopper has to ask the seller.',
    examples: sellerExamples,
  },
});
describeFields(managementRequest.shape, {
  seller: {
    description:
      'The seller as subscribers know it. `vezne-subscription` shows the contact where a subscriber has to ask the ' +
      'seller.',
    examples: sellerExamples,
  },
});

const Instant = z.string().meta({examples: ['2026-11-21T16:12:00+03:00']});
const base = {
  token: z.string().meta({description: 'The session. The page passes it to an element as the attribute `session`.'}),
};

export const MerchantSession = z.discriminatedUnion('kind', [
  z.strictObject({
    ...base,
    kind: z.literal('payment'),
    service: z.string(),
    order: z.string(),
    amount: z.string(),
    currency: z.literal('TRY'),
    hours: z.number(),
    create_until: Instant,
    read_until: Instant,
  }),
  z.strictObject({...base, kind: z.literal('subscription'), product: z.int(), price: z.string(), expires_at: Instant}),
  z.strictObject({...base, kind: z.literal('management'), subscription: z.string(), expires_at: Instant}),
  z.strictObject({...base, kind: z.literal('vendor'), vendor_code: z.string(), expires_at: Instant}),
]);
export type MerchantSession = z.output<typeof MerchantSession>;

export const sessionDescriptions = describeEndpoints('Sessions', sessions, {
  createSession: {
    summary: 'Creates a session for a page.',
    description:
      'A payment session allows writes for 30 minutes and reads for 7 days. A subscription session is valid for 30 ' +
      'minutes; sessions of the other kinds are valid for 10 minutes. Tokens contain no personal data.',
    answer: MerchantSession,
    codes: ['unknown_service', 'origin_not_allowed', 'return_url_not_allowed', 'order_exists'],
    example: {
      input: {kind: 'payment', origin: 'https://shop.example', service: 'DEMO', order: 'S-1009', amount: '149.90'},
      answer: {
        token: 'eyJhbGciOiJIUzI1NiJ9…',
        kind: 'payment',
        service: 'DEMO',
        order: 'S-1009',
        amount: '149.90',
        currency: 'TRY',
        hours: 72,
        create_until: '2026-11-21T16:12:00+03:00',
        read_until: '2026-11-28T15:42:00+03:00',
      },
    },
  },
});
