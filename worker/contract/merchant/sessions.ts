/** Sessions that the merchant's server creates for its pages. */

import * as z from 'zod/mini';
import {webUrl} from '../../lib/formats.ts';
import {requireCompleteSplit} from '../../platform/fields.ts';
import {buyerSettings, requireNoticeOfFields} from '../buyer.ts';
import {describeFields} from '../described.ts';
import {endpoint} from '../endpoint.ts';
import {afterPayment, text, Localized, Seller, subscriptionLinks, Title, TrialDays} from '../fields.ts';
import {readOrigin} from '../readers/origin.ts';
import {Amount, AmountOrZero, Id, Service, BillingService, Product, Url} from './fields.ts';
import {vendor} from './hosted-pages.ts';
import {NewOrder, orderSettings, Payout, requireWholeParts, split, UserId} from './orders.ts';

/** A host in Unicode becomes what browsers send. */
export const Origin = z.pipe(
  webUrl().check(
    z.maxLength(255),
    z.refine((origin) => readOrigin(origin) !== undefined, 'Expected an origin, such as https://shop.example.'),
  ),
  z.transform((origin) => readOrigin(origin) ?? origin),
);

/** The platform is called for each part while the shopper waits. */
const MAX_PARTS = 10;

/** The part of one sub-merchant in a marketplace's order. */
const Part = z.strictObject({
  sub_merchant_id: Id,
  amount: Amount,
  payout: Payout,
  fee: AmountOrZero,
});

const PaymentRequest = z
  .strictObject({
    kind: z.literal('payment'),
    origin: Origin,
    service: Service,
    order: NewOrder,
    amount: Amount,
    ...split,
    parts: z.optional(z.array(Part).check(z.minLength(1), z.maxLength(MAX_PARTS))),
    user_id: z.optional(UserId),
    success_url: z.optional(Url),
    failure_url: z.optional(Url),
    ...afterPayment(),
    ...orderSettings,
    ...buyerSettings(),
  })
  .check(requireCompleteSplit, requireWholeParts, requireNoticeOfFields);

const SubscriptionRequest = z.strictObject({
  kind: z.literal('subscription'),
  origin: Origin,
  product: Product,
  price: Amount,
  period: text(32),
  trial_days: z.optional(TrialDays()),
  title: Title(),
  terms: Localized(),
  ...subscriptionLinks(),
  operators: z
    .array(z.strictObject({id: z.int().check(z.minimum(1), z.maximum(7)), name: text(64)}))
    .check(z.minLength(1), z.maxLength(7)),
  seller: z.optional(Seller()),
});

const ManagementRequest = z.strictObject({
  kind: z.literal('management'),
  origin: Origin,
  via: z.enum(['landing', 'micropayment']),
  service: BillingService,
  subscription: Id,
  seller: z.optional(Seller()),
});

const VendorRequest = z.strictObject({kind: z.literal('vendor'), origin: Origin, service: Service, ...vendor});

export const MerchantSessionRequest = z.discriminatedUnion('kind', [
  PaymentRequest,
  SubscriptionRequest,
  ManagementRequest,
  VendorRequest,
]);
export type MerchantSessionRequest = z.output<typeof MerchantSessionRequest>;

const sellerExamples = [{name: 'Fener Atölyesi', support_email: 'destek@shop.example'}];

if (DESCRIBED) {
  describeFields(buyerSettings(), {
    fields: {
      description:
        'What a shopper fills in before the order code: who buys, at most three fields of yours, and consent to marketing. ' +
        'It needs `privacy_url` and a `seller`. `keep_days` keeps the buyer longer than the order.',
      examples: [{email: 'required', phone: 'optional'}],
    },
    privacy_url: {
      description: 'A page that says how you use the shopper’s data. It stands before the first field.',
      examples: ['https://shop.example/privacy'],
    },
    terms_url: {description: 'A page with your terms.', examples: ['https://shop.example/terms']},
  });
  describeFields(
    {Origin},
    {
      Origin: {
        description: 'The origin of the page that will use the session. It must be one of `ALLOWED_ORIGINS`.',
        examples: ['https://shop.example'],
      },
    },
  );
  describeFields(PaymentRequest.shape, {
    parts: {
      description:
        'For marketplaces, in place of `payout`, `sub_merchant_id` and `fee`: the parts of several sub-merchants, whose ' +
        'amounts add up to `amount`. The page shows one order code and the sum.',
      examples: [
        [
          {sub_merchant_id: '31', amount: '100.00', payout: '90.00', fee: '10.00'},
          {sub_merchant_id: '32', amount: '49.90', payout: '45.00', fee: '4.90'},
        ],
      ],
    },
  });
  describeFields(SubscriptionRequest.shape, {
    period: {examples: ['weekly']},
    trial_days: {
      description:
        'Free days before the first charge, if the platform’s product has them. The elements show them, and the receipt of ' +
        'the consent names them.',
    },
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
      description:
        'The seller as shoppers know it. The elements show the contact where a shopper has to ask the seller.',
      examples: sellerExamples,
    },
  });
  describeFields(ManagementRequest.shape, {
    seller: {
      description:
        'The seller as subscribers know it. `vezne-subscription` shows the contact where a subscriber has to ask the ' +
        'seller.',
      examples: sellerExamples,
    },
  });
}

const Instant = DESCRIBED && z.string().check(z.meta({examples: ['2026-11-21T16:12:00+03:00']}));
const base = DESCRIBED && {
  token: z.string().check(z.describe('The session. The page passes it to an element as the attribute `session`.')),
};

export const MerchantSession =
  DESCRIBED &&
  z.discriminatedUnion('kind', [
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
    z.strictObject({
      ...base,
      kind: z.literal('subscription'),
      product: z.int(),
      price: z.string(),
      expires_at: Instant,
    }),
    z.strictObject({...base, kind: z.literal('management'), subscription: z.string(), expires_at: Instant}),
    z.strictObject({...base, kind: z.literal('vendor'), vendor_code: z.string(), expires_at: Instant}),
  ]);
export type MerchantSession = z.output<typeof MerchantSession>;

export const sessions = {
  createSession: endpoint({
    method: 'POST',
    path: '/merchant/v1/sessions',
    scope: 'sessions',
    service: 'handler',
    write: true,
    status: 201,
    input: MerchantSessionRequest,
    docs: DESCRIBED && {
      client: 'sessions.create',
      summary: 'Creates a session for a page.',
      description:
        'A payment session allows writes for 30 minutes and reads for 7 days. A subscription session is valid for 30 ' +
        'minutes; sessions of the other kinds are valid for 10 minutes. Tokens contain no personal data.',
      answer: MerchantSession,
      codes: [
        'unknown_service',
        'all_services_required',
        'origin_not_allowed',
        'return_url_not_allowed',
        'order_exists',
        'order_cancelled',
      ],
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
  }),
};
