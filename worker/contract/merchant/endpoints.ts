/**
 * The merchant API, one row per endpoint: the operations of `docs/spec/` in our own terms.
 */

import type * as z from 'zod/mini';
import {charges, messages} from './billing.ts';
import {bookWork} from './books-work.ts';
import {books} from './books.ts';
import {buyers} from './buyers.ts';
import {commands} from './commands.ts';
import {doctor} from './doctor.ts';
import {events} from './event-feed.ts';
import {funnel} from './funnel.ts';
import {vendorForms, paymentPages} from './hosted-pages.ts';
import {keys} from './keys.ts';
import {landing} from './landing.ts';
import {offers} from './offers.ts';
import {orders} from './order-details.ts';
import {banks, orderCodes} from './orders.ts';
import {paymentNotices} from './payment-notices.ts';
import {quotas} from './quotas.ts';
import {refundLinks} from './refund-links.ts';
import {refunds} from './refunds.ts';
import {sessions} from './sessions.ts';
import {subscriptions} from './subscriptions.ts';
import {timeline} from './timeline.ts';
import {transactions} from './transactions.ts';
import {webhooks} from './webhooks.ts';

export const endpoints = {
  ...sessions,
  ...offers,
  ...orderCodes,
  ...orders,
  ...buyers,
  ...transactions,
  ...paymentNotices,
  ...refunds,
  ...refundLinks,
  ...vendorForms,
  ...banks,
  ...subscriptions,
  ...charges,
  ...messages,
  ...paymentPages,
  ...landing,
  ...events,
  ...webhooks,
  ...funnel,
  ...quotas,
  ...commands,
  ...keys,
  ...books,
  ...bookWork,
  ...timeline,
  ...doctor,
};

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
/** The input as a caller writes it. */
export type EndpointInput<N extends EndpointName> = z.input<Endpoints[N]['input']>;
/** The input as a handler receives it. */
export type ParsedInput<N extends EndpointName> = z.output<Endpoints[N]['input']>;
/** An endpoint's answer. */
export type EndpointAnswer<N extends EndpointName> = z.output<Endpoints[N]['docs']['answer']>;
