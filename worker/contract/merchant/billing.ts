/**
 * Charges and messages of mobile billing, and the search input that they share with subscriptions
 * (`docs/spec/subscriptions.md`, sections 2.2 to 2.5 and 4.A).
 */

import * as z from 'zod/mini';
import {describeFields, describeLimit} from '../described.ts';
import {endpoint} from '../endpoint.ts';
import {text} from '../fields.ts';
import {NullableText, Money, Code, Status, State, pageOf, platformTime} from './answer-fields.ts';
import {Id, BillingService, Limit, Cursor} from './fields.ts';

/** Input of the three searches of mobile billing (`docs/spec/subscriptions.md`, section 2.5). */
export const BillingSearch = z.strictObject({
  service: BillingService,
  search: z.optional(
    z.array(z.strictObject({column: text(64), term: text(255), condition: z.optional(text(16))})).check(z.maxLength(3)),
  ),
  sort: z.optional(z.array(z.strictObject({column: text(64), asc: z.boolean()})).check(z.maxLength(3))),
  limit: z.optional(Limit(100)),
  cursor: z.optional(Cursor),
});

const ChargeRef = z.strictObject({service: BillingService, id: Id});

if (DESCRIBED) z.globalRegistry.add(BillingSearch, {id: 'BillingSearch'});
if (DESCRIBED)
  describeFields(BillingSearch.shape, {
    search: {description: 'Up to three criteria. If `condition` is omitted, the column must equal the term.'},
  });
if (DESCRIBED) describeLimit(BillingSearch.shape.limit, 100);

/** Fields of charges and of subscriptions. */
const commonFields = DESCRIBED && {
  service: NullableText.check(
    z.describe('Service code; the service’s numeric id if the service is not in `SERVICES`.'),
  ),
  service_id: NullableText,
  msisdn: NullableText,
  operator: Code,
  reference: NullableText,
};

export const Charge =
  DESCRIBED &&
  z
    .strictObject({
      id: z.string(),
      ...commonFields,
      status: Status,
      state: State,
      amount: Money,
      error: NullableText,
      error_detail: NullableText.check(z.describe('`<code>|<text>`.')),
      ...platformTime('transaction_date'),
      subscription_id: NullableText,
    })
    .check(z.meta({id: 'Charge'}));

/** A subscription without its charges. */
export const SimpleSubscription =
  DESCRIBED &&
  z
    .strictObject({
      id: z.string(),
      ...commonFields,
      status: NullableText.check(z.describe('The platform’s own status.')),
      state: State,
      subscription_fee: Money,
      period: NullableText,
      ...platformTime('subscription_date'),
      ...platformTime('renewal_date'),
      ...platformTime('cancellation_date'),
      cancellation_source: NullableText,
      has_trial_period: z.nullable(z.boolean()),
      trial_days: z.nullable(z.int()),
    })
    .check(z.meta({id: 'SimpleSubscription'}));

const commonExample = {service: 'DEMO', service_id: '1', msisdn: '532***4567', operator: 1, reference: null};

export const chargeExample = DESCRIBED && {
  id: '31001',
  ...commonExample,
  status: 3,
  state: 'successful',
  amount: '12.00',
  error: null,
  error_detail: null,
  transaction_date: '2026-11-21T15:42:00+03:00',
  transaction_date_text: null,
  subscription_id: '4001',
};

export const subscriptionExample = DESCRIBED && {
  id: '4001',
  ...commonExample,
  status: 'active',
  state: 'active',
  subscription_fee: '12.00',
  period: 'weekly',
  subscription_date: '2026-11-14T15:42:00+03:00',
  subscription_date_text: null,
  renewal_date: '2026-11-28T15:42:00+03:00',
  renewal_date_text: null,
  cancellation_date: null,
  cancellation_date_text: null,
  cancellation_source: null,
  has_trial_period: false,
  trial_days: 0,
};

/** A charge with its details. The spec calls a charge a transaction (`docs/spec/subscriptions.md`, section 2.3). */
export const ChargeDetail =
  DESCRIBED &&
  z
    .strictObject({
      ...Charge.shape,
      item: NullableText,
      ...platformTime('refund_date'),
      subscription: z.nullable(SimpleSubscription),
    })
    .check(z.meta({id: 'ChargeDetail'}));

/** A text message to a subscriber (`docs/spec/subscriptions.md`, section 2.4). */
export const Message =
  DESCRIBED &&
  z
    .strictObject({
      id: z.string(),
      service: NullableText,
      service_id: NullableText,
      msisdn: NullableText,
      operator: Code,
      type: NullableText,
      message: NullableText,
      ...platformTime('date'),
    })
    .check(z.meta({id: 'Message'}));

export const charges = {
  getCharge: endpoint({
    method: 'GET',
    path: '/merchant/v1/charges/{service}/{id}',
    operation: 'chargeGet',
    scope: 'read',
    service: 'billing',
    input: ChargeRef,
    docs: DESCRIBED && {
      client: 'charges.get',
      summary: 'Gets a charge.',
      answer: ChargeDetail,
      codes: ['unknown_service', 'not_found', 'quota_exhausted', 'rate_limited'],
      example: {
        input: {service: 'DEMO', id: '31001'},
        answer: {
          ...chargeExample,
          item: 'Club',
          refund_date: null,
          refund_date_text: null,
          subscription: subscriptionExample,
        },
      },
    },
  }),
  refundCharge: endpoint({
    method: 'POST',
    path: '/merchant/v1/charges/{service}/{id}/refund',
    operation: 'chargeRefund',
    scope: 'money',
    write: true,
    command: true,
    queues: true,
    service: 'billing',
    input: z.strictObject({...ChargeRef.shape, when_exhausted: z.optional(z.enum(['refuse', 'queue']))}),
    docs: DESCRIBED && {
      client: 'charges.refund',
      summary: 'Refunds a charge.',
      description:
        'The platform allows 20 refunds a day. With `when_exhausted: "queue"`, the Worker queues a further refund ' +
        'instead of refusing it, and sends it automatically when the limit allows. A repeated request with the same ' +
        'key returns the queue position while the refund is queued, and the charge when the refund is done. If the ' +
        'platform has only begun the refund, `state` is `refund_in_progress`, and `command.settled` reports the end.',
      answer: Charge,
      codes: [
        'unknown_service',
        'not_found',
        'already_refunded',
        'action_invalid',
        'egress_unsafe',
        'quota_exhausted',
        'rate_limited',
      ],
      example: {input: {service: 'DEMO', id: '31001'}, answer: {...chargeExample, status: 6, state: 'refunded'}},
    },
  }),
  searchCharges: endpoint({
    method: 'POST',
    path: '/merchant/v1/charges/search',
    operation: 'chargeSearch',
    scope: 'read',
    service: 'billing',
    input: BillingSearch,
    docs: DESCRIBED && {
      client: 'charges.search',
      summary: 'Searches charges.',
      answer: pageOf(Charge),
      codes: ['unknown_service', 'quota_exhausted', 'rate_limited'],
      example: {
        input: {
          service: 'DEMO',
          search: [{column: 'msisdn', term: '5321234567'}],
          sort: [{column: 'id', asc: false}],
          limit: 50,
        },
        answer: {items: [chargeExample], next_cursor: null, total: 1},
      },
    },
  }),
};

export const messages = {
  searchMessages: endpoint({
    method: 'POST',
    path: '/merchant/v1/messages/search',
    operation: 'messageSearch',
    scope: 'read',
    service: 'billing',
    input: BillingSearch,
    docs: DESCRIBED && {
      client: 'messages.search',
      summary: 'Searches the messages sent to subscribers.',
      answer: pageOf(Message),
      codes: ['unknown_service', 'quota_exhausted', 'rate_limited'],
      example: {
        input: {service: 'DEMO', search: [{column: 'msisdn', term: '5321234567'}]},
        answer: {
          items: [
            {
              id: '61',
              service: 'DEMO',
              service_id: '1',
              msisdn: '532***4567',
              operator: 1,
              type: 'MT',
              message: 'Üyeliğiniz başladı.',
              date: '2026-11-21T15:42:00+03:00',
              date_text: null,
            },
          ],
          next_cursor: null,
          total: 1,
        },
      },
    },
  }),
};
