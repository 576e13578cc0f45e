/**
 * Charges and messages of mobile billing, and what they share with subscriptions: `docs/spec/subscriptions.md` 2.2 to
 * 2.5, 4.A.
 */

import * as z from 'zod';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Code, Money, NullableText, State, Status, Time, BillingService, Cursor, Limit, Id, pageOf} from './fields.ts';

/** Fields of charges and of subscriptions. */
const commonFields = {
  service: NullableText.meta({description: 'Service code; its numeric id if the service is not in `SERVICES`.'}),
  service_id: NullableText,
  msisdn: NullableText,
  operator: Code,
  reference: NullableText,
};

export const Charge = z
  .strictObject({
    id: z.string(),
    ...commonFields,
    status: Status,
    state: State,
    amount: Money,
    error: NullableText,
    error_detail: NullableText.meta({description: '`<code>|<text>`.'}),
    transaction_date: Time,
    subscription_id: NullableText,
  })
  .meta({id: 'Charge'});

/** A subscription without its charges. */
export const SimpleSubscription = z
  .strictObject({
    id: z.string(),
    ...commonFields,
    status: NullableText.meta({description: 'The platform’s own status.'}),
    state: State,
    subscription_fee: Money,
    period: NullableText,
    subscription_date: Time,
    renewal_date: Time,
    cancellation_date: Time,
    cancellation_source: NullableText,
    has_trial_period: z.boolean().nullable(),
    trial_days: z.int().nullable(),
  })
  .meta({id: 'SimpleSubscription'});

const commonExample = {service: 'DEMO', service_id: '1', msisdn: '532***4567', operator: 1, reference: null};

export const chargeExample = {
  id: '31001',
  ...commonExample,
  status: 3,
  state: 'successful',
  amount: '12.00',
  error: null,
  error_detail: null,
  transaction_date: '2026-11-21T15:42:00+03:00',
  subscription_id: '4001',
};

export const subscriptionExample = {
  id: '4001',
  ...commonExample,
  status: 'active',
  state: 'active',
  subscription_fee: '12.00',
  period: 'weekly',
  subscription_date: '2026-11-14T15:42:00+03:00',
  renewal_date: '2026-11-28T15:42:00+03:00',
  cancellation_date: null,
  cancellation_source: null,
  has_trial_period: false,
  trial_days: 0,
};

/** Input of the three searches of mobile billing (subscriptions 2.5). */
export const BillingSearch = z
  .strictObject({
    service: BillingService,
    search: z
      .array(z.strictObject({column: text(64), term: text(255), condition: text(16).optional()}))
      .max(3)
      .optional()
      .meta({description: 'Up to three criteria. Without `condition`, the column must equal the term.'}),
    sort: z
      .array(z.strictObject({column: text(64), asc: z.boolean()}))
      .max(3)
      .optional(),
    limit: Limit(100).optional(),
    cursor: Cursor.optional(),
  })
  .meta({id: 'BillingSearch'});

/** A charge with its details (subscriptions 2.3, where it is called a transaction). */
export const ChargeDetail = z
  .strictObject({
    ...Charge.shape,
    item: NullableText,
    refund_date: Time,
    subscription: SimpleSubscription.nullable(),
  })
  .meta({id: 'ChargeDetail'});

const ChargeRef = z.strictObject({service: BillingService, id: Id});

export const charges = {
  getCharge: endpoint({
    method: 'GET',
    path: '/merchant/v1/charges/{service}/{id}',
    group: 'Charges',
    operation: 'chargeGet',
    write: false,
    service: 'billing',
    status: 200,
    summary: 'Gets a charge.',
    input: ChargeRef,
    answer: ChargeDetail,
    codes: ['unknown_service', 'not_found', 'quota_exhausted', 'rate_limited'],
    example: {
      input: {service: 'DEMO', id: '31001'},
      answer: {...chargeExample, item: 'Club', refund_date: null, subscription: subscriptionExample},
    },
  }),
  refundCharge: endpoint({
    method: 'POST',
    path: '/merchant/v1/charges/{service}/{id}/refund',
    group: 'Charges',
    operation: 'chargeRefund',
    write: true,
    command: true,
    queues: true,
    service: 'billing',
    status: 200,
    summary: 'Refunds a charge.',
    description:
      'The platform allows 20 refunds a day. With `when_exhausted: "queue"`, a further refund is queued instead of ' +
      'refused, and sent automatically when the limit allows. Until then, a repeated request with the same key ' +
      'returns its queue position; afterwards it returns the charge.',
    input: ChargeRef.extend({when_exhausted: z.enum(['refuse', 'queue']).optional()}),
    answer: Charge,
    codes: ['unknown_service', 'not_found', 'already_refunded', 'egress_unsafe', 'quota_exhausted', 'rate_limited'],
    example: {input: {service: 'DEMO', id: '31001'}, answer: {...chargeExample, status: 6, state: 'refunded'}},
  }),
  searchCharges: endpoint({
    method: 'POST',
    path: '/merchant/v1/charges/search',
    group: 'Charges',
    operation: 'chargeSearch',
    write: false,
    service: 'billing',
    status: 200,
    summary: 'Searches charges.',
    input: BillingSearch,
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
  }),
};

/** A text message to a subscriber (subscriptions 2.4). */
export const Message = z
  .strictObject({
    id: z.string(),
    service: NullableText,
    service_id: NullableText,
    msisdn: NullableText,
    operator: Code,
    type: NullableText,
    message: NullableText,
    date: Time,
  })
  .meta({id: 'Message'});

export const messages = {
  searchMessages: endpoint({
    method: 'POST',
    path: '/merchant/v1/messages/search',
    group: 'Messages',
    operation: 'messageSearch',
    write: false,
    service: 'billing',
    status: 200,
    summary: 'Searches the messages sent to subscribers.',
    input: BillingSearch,
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
          },
        ],
        next_cursor: null,
        total: 1,
      },
    },
  }),
};
