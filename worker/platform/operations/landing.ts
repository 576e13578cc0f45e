/** The landing interface, which starts and cancels subscriptions: `docs/spec/subscriptions.md` 2.7 and 4.C. */

import * as z from 'zod';
import {Id, Msisdn, OptionalText, Text, Time} from '../fields.ts';
import {operation} from '../operation.ts';

const Product = z.int().nonnegative();
/** Subscriptions 4.C rule 6. */
const Operator = z.int().min(1).max(7);
const TrackingId = z.string().min(1);
const UserIp = z.string().min(1);

/** Subscriptions 2.7. */
const LandingSubscription = z.object({
  id: Text,
  product: OptionalText,
  status: OptionalText,
  subscription_date: Time,
  renewal_date: Time,
  cancellation_date: Time,
  cancellation_source: OptionalText,
});
export type LandingSubscriptionRecord = z.infer<typeof LandingSubscription>;

/** Rule 5: a visit must name the page, the visitor and the referrer; a click may. */
const Activity = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('visit'),
    product: Product,
    tracking_id: TrackingId,
    url: z.string().min(1),
    userip: UserIp,
    browser: z.string().min(1),
    referer: z.string().min(1),
  }),
  z.strictObject({
    type: z.enum(['subscribe_clicked', 'confirm_clicked']),
    product: Product,
    tracking_id: TrackingId,
    url: z.string().optional(),
    userip: z.string().optional(),
    browser: z.string().optional(),
    referer: z.string().optional(),
  }),
]);

export const landingOperations = {
  generatePin: operation({
    spec: 'subscriptions 4.C',
    interface: 'landing',
    path: '/generate-pin',
    effect: 'write',
    input: z.strictObject({
      product: Product,
      operator: Operator,
      msisdn: Msisdn,
      userip: UserIp,
      tracking_id: TrackingId,
    }),
    output: z.object({}),
  }),
  subscriptionRequest: operation({
    spec: 'subscriptions 4.C',
    interface: 'landing',
    path: '/subscription-request',
    effect: 'money',
    // Rule 2: number, operator and PIN in the Wi-Fi flow, a number token in the one-click flow.
    input: z.union([
      z.strictObject({
        product: Product,
        userip: UserIp,
        tracking_id: TrackingId,
        operator: Operator,
        msisdn: Msisdn,
        pin: z.string().min(1),
      }),
      z.strictObject({product: Product, userip: UserIp, tracking_id: TrackingId, token: Id}),
    ]),
    output: z.object({}),
  }),
  landingSubscriptionCancel: operation({
    spec: 'subscriptions 4.C',
    interface: 'landing',
    path: '/cancel-subscription',
    effect: 'money',
    input: z.strictObject({subscription: Id}),
    // A success may come without the record.
    output: z.object({subscription: LandingSubscription.nullish().transform((subscription) => subscription ?? null)}),
  }),
  numberGet: operation({
    spec: 'subscriptions 4.C',
    interface: 'landing',
    path: '/get-msisdn',
    effect: 'read',
    // The token is text here, but an integer in `subscriptionRequest`.
    input: z.strictObject({token: z.string().min(1)}),
    output: z.object({msisdn: Text, operator: OptionalText}),
  }),
  userActivity: operation({
    spec: 'subscriptions 4.C',
    interface: 'landing',
    path: '/user-activity',
    effect: 'write',
    input: Activity,
    output: z.object({}),
  }),
};
