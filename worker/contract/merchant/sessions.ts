/** Sessions that the merchant's server creates for its pages. */

import * as z from 'zod';
import {requireCompleteSplit} from '../../platform/fields.ts';
import {text, Localized, Seller, subscriptionLinks} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Amount, Id, Service, BillingService, NewOrder, Product, Url} from './fields.ts';
import {vendor} from './hosted-pages.ts';
import {split, UserId} from './orders.ts';
import {Notice} from './payment-notices.ts';

export const Origin = z
  .url({protocol: /^https?$/})
  .max(255)
  .refine(
    (origin) => URL.canParse(origin) && new URL(origin).origin === origin,
    'Expected an origin, such as https://shop.example.',
  );

const PaymentRequest = z
  .strictObject({
    kind: z.literal('payment'),
    origin: Origin,
    service: Service,
    order: NewOrder,
    amount: Amount,
    ...split,
    user_id: UserId.optional(),
    prefill: Notice.omit({user_ip: true, apply_time: true, tc_no: true}).optional(),
    success_url: Url.optional(),
    failure_url: Url.optional(),
    seller: Seller().optional(),
    hours: z
      .number()
      .positive()
      .max(24 * 90)
      .optional(),
  })
  .check(requireCompleteSplit);

const SubscriptionRequest = z.strictObject({
  kind: z.literal('subscription'),
  origin: Origin,
  product: Product,
  price: Amount,
  period: text(32),
  title: Localized(),
  terms: Localized(),
  ...subscriptionLinks(),
  operators: z
    .array(z.strictObject({id: z.int().min(1).max(7), name: text(64)}))
    .min(1)
    .max(7),
  seller: Seller().optional(),
});

const ManagementRequest = z.strictObject({
  kind: z.literal('management'),
  origin: Origin,
  via: z.enum(['landing', 'micropayment']),
  service: BillingService,
  subscription: Id,
  seller: Seller().optional(),
});

const VendorRequest = z.strictObject({kind: z.literal('vendor'), origin: Origin, service: Service, ...vendor});

export const MerchantSessionRequest = z.discriminatedUnion('kind', [
  PaymentRequest,
  SubscriptionRequest,
  ManagementRequest,
  VendorRequest,
]);
export type MerchantSessionRequest = z.output<typeof MerchantSessionRequest>;

export const sessions = {
  createSession: endpoint({
    method: 'POST',
    path: '/merchant/v1/sessions',
    operation: null,
    scope: 'sessions',
    write: true,
    status: 201,
    input: MerchantSessionRequest,
  }),
};
