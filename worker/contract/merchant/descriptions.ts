/**
 * The merchant API with its descriptions: the rows of `endpoints.ts`, with the answers, examples and descriptions of
 * the endpoints. The Worker imports only the types.
 */

import type * as z from 'zod';
import {chargeDescriptions, messageDescriptions} from './descriptions/billing.ts';
import {commandDescriptions} from './descriptions/commands.ts';
import {doctorDescriptions} from './descriptions/doctor.ts';
import {eventDescriptions} from './descriptions/event-feed.ts';
import {vendorFormDescriptions, paymentPageDescriptions} from './descriptions/hosted-pages.ts';
import {keyDescriptions} from './descriptions/keys.ts';
import {landingDescriptions} from './descriptions/landing.ts';
import {orderDescriptions} from './descriptions/order-details.ts';
import {bankDescriptions, orderCodeDescriptions} from './descriptions/orders.ts';
import {paymentNoticeDescriptions} from './descriptions/payment-notices.ts';
import {quotaDescriptions} from './descriptions/quotas.ts';
import {refundDescriptions} from './descriptions/refunds.ts';
import {sessionDescriptions} from './descriptions/sessions.ts';
import {subscriptionDescriptions} from './descriptions/subscriptions.ts';
import {transactionDescriptions} from './descriptions/transactions.ts';
import {webhookDescriptions} from './descriptions/webhooks.ts';
import type {EndpointName} from './endpoints.ts';

export const describedEndpoints = {
  ...sessionDescriptions,
  ...orderCodeDescriptions,
  ...orderDescriptions,
  ...transactionDescriptions,
  ...paymentNoticeDescriptions,
  ...refundDescriptions,
  ...vendorFormDescriptions,
  ...bankDescriptions,
  ...subscriptionDescriptions,
  ...chargeDescriptions,
  ...messageDescriptions,
  ...paymentPageDescriptions,
  ...landingDescriptions,
  ...eventDescriptions,
  ...webhookDescriptions,
  ...quotaDescriptions,
  ...commandDescriptions,
  ...keyDescriptions,
  ...doctorDescriptions,
} satisfies Readonly<Record<EndpointName, unknown>>;

/** An endpoint's answer. */
export type EndpointAnswer<N extends EndpointName> = z.output<(typeof describedEndpoints)[N]['answer']>;
