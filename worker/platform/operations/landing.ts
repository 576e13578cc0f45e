/**
 * The landing interface, which starts and cancels subscriptions (`docs/spec/subscriptions.md`, sections 2.7 and 4.C).
 * The comments below name rules of section 4.C.
 */

import * as z from 'zod/mini';
import {Id, Msisdn, OptionalText, optionalRecord, Text, Time} from '../fields.ts';
import {operation} from '../operation.ts';

const Product = z.int().check(z.nonnegative());
/** Id of a mobile operator (rule 6). */
const Operator = z.int().check(z.minimum(1), z.maximum(7));
const TrackingId = z.string().check(z.minLength(1));
const UserIp = z.string().check(z.minLength(1));
const NumberToken = z.string().check(z.minLength(1));

/** A subscription, as section 2.7 defines it. */
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

/** A visit or a click. Page, visitor and referrer are required for a visit, and optional for a click (rule 5). */
const Activity = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('visit'),
    product: Product,
    tracking_id: TrackingId,
    url: z.string().check(z.minLength(1)),
    userip: UserIp,
    browser: z.string().check(z.minLength(1)),
    referer: z.string().check(z.minLength(1)),
  }),
  z.strictObject({
    type: z.enum(['subscribe_clicked', 'confirm_clicked']),
    product: Product,
    tracking_id: TrackingId,
    url: z.optional(z.string()),
    userip: z.optional(z.string()),
    browser: z.optional(z.string()),
    referer: z.optional(z.string()),
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
    // The Wi-Fi flow needs number, operator and PIN; the one-click flow needs a number token (rule 2). The spec says in
    // one place that the token is an integer and in another that it is text, so it is sent as given.
    input: z.union([
      z.strictObject({
        product: Product,
        userip: UserIp,
        tracking_id: TrackingId,
        operator: Operator,
        msisdn: Msisdn,
        pin: z.string().check(z.minLength(1)),
        token: z.optional(NumberToken),
      }),
      z.strictObject({
        product: Product,
        userip: UserIp,
        tracking_id: TrackingId,
        token: NumberToken,
        operator: z.optional(Operator),
        msisdn: z.optional(Msisdn),
      }),
    ]),
    output: z.object({}),
  }),
  landingSubscriptionCancel: operation({
    spec: 'subscriptions 4.C',
    interface: 'landing',
    path: '/cancel-subscription',
    effect: 'money',
    input: z.strictObject({subscription: Id}),
    // A successful reply may lack the subscription, or have an id of this interface for one of mobile billing.
    output: z.object({subscription: optionalRecord(LandingSubscription)}),
  }),
  numberGet: operation({
    spec: 'subscriptions 4.C',
    interface: 'landing',
    path: '/get-msisdn',
    effect: 'read',
    input: z.strictObject({token: NumberToken}),
    output: z.object({msisdn: Text, operator: OptionalText}),
  }),
  userActivity: operation({
    spec: 'subscriptions 4.C',
    interface: 'landing',
    path: '/user-activity',
    effect: 'write',
    ownCircuit: true,
    input: Activity,
    output: z.object({}),
  }),
};
