/** Sessions that the merchant's server makes for its pages. */

import * as z from 'zod';
import {requireCompleteSplit} from '../../platform/fields.ts';
import {Localized, text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Amount, BillingService, Id, Order, Product, Service, Url} from './fields.ts';
import {vendor} from './hosted-pages.ts';
import {split, UserId} from './orders.ts';
import {Notice} from './payment-notices.ts';

const Origin = z
  .url({protocol: /^https?$/})
  .max(255)
  .refine(
    (origin) => URL.canParse(origin) && new URL(origin).origin === origin,
    'An origin is expected, such as https://shop.example.',
  )
  .meta({
    description: 'The origin of the page that will use the session; one of `ALLOWED_ORIGINS`.',
    examples: ['https://shop.example'],
  });

const PaymentRequest = z
  .strictObject({
    kind: z.literal('payment'),
    origin: Origin,
    service: Service,
    order: Order,
    amount: Amount,
    ...split,
    user_id: UserId.optional(),
    prefill: Notice.omit({user_ip: true, apply_time: true, tc_no: true})
      .optional()
      .meta({
        description:
          'Values to prefill the shopper’s payment notice with. Identity numbers are not accepted, because the ' +
          'Worker would have to store them.',
      }),
    success_url: Url.optional(),
    failure_url: Url.optional(),
    hours: z
      .number()
      .positive()
      .max(24 * 90)
      .optional()
      .meta({
        description:
          'How many hours the shopper has to pay; 72 by default. An order that already has a code keeps its hours.',
      }),
  })
  .check(requireCompleteSplit);

const SubscriptionRequest = z.strictObject({
  kind: z.literal('subscription'),
  origin: Origin,
  product: Product,
  price: Amount,
  period: text(32).meta({examples: ['weekly']}),
  title: Localized,
  terms: Localized,
  operators: z
    .array(z.strictObject({id: z.int().min(1).max(7), name: text(64)}))
    .min(1)
    .max(7),
});

const ManagementRequest = z.strictObject({
  kind: z.literal('management'),
  origin: Origin,
  via: z.enum(['landing', 'micropayment']),
  service: BillingService,
  subscription: Id,
});

const VendorRequest = z.strictObject({kind: z.literal('vendor'), origin: Origin, service: Service, ...vendor});

export const MerchantSessionRequest = z.discriminatedUnion('kind', [
  PaymentRequest,
  SubscriptionRequest,
  ManagementRequest,
  VendorRequest,
]);
export type MerchantSessionRequest = z.output<typeof MerchantSessionRequest>;

const Instant = z.string().meta({examples: ['2026-11-21T16:12:00+03:00']});
const base = {
  token: z.string().meta({description: 'For the page: the value of the attribute `session` of an element.'}),
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

export const sessions = {
  createSession: endpoint({
    method: 'POST',
    path: '/merchant/v1/sessions',
    group: 'Sessions',
    operation: null,
    write: true,
    status: 201,
    summary: 'Creates a session for a page.',
    description:
      'A payment session allows writes for 30 minutes and reads for 7 days. A subscription session is valid for 30 ' +
      'minutes, the other kinds for 10. Tokens contain no personal data.',
    input: MerchantSessionRequest,
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
  }),
};
