/** Charges, the transactions of mobile billing: `docs/spec/subscriptions.md` 2.3 and 4.A. */

import * as z from 'zod';
import {Charge, chargeExample, SimpleSubscription, subscriptionExample} from './billing-records.ts';
import {BillingSearch} from './billing-search.ts';
import {endpoint} from './endpoint.ts';
import {BillingService, Id, page, Said, Time} from './fields.ts';

export const ChargeDetail = z
  .strictObject({
    ...Charge.shape,
    item: Said,
    refund_date: Time,
    subscription: SimpleSubscription.nullable(),
  })
  .meta({id: 'ChargeDetail'});

const ofCharge = z.strictObject({service: BillingService, id: Id});

export const charges = {
  getCharge: endpoint({
    method: 'GET',
    path: '/merchant/v1/charges/{service}/{id}',
    group: 'Charges',
    operation: 'chargeGet',
    write: false,
    service: 'billing',
    status: 200,
    summary: 'A charge.',
    input: ofCharge,
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
    summary: 'Gives a charge back.',
    description:
      'The platform takes 20 a day. With `when_exhausted: "queue"` one more is not refused but put in line, and carried out by itself when its turn comes; asked again under its key it tells its place, and in the end the charge.',
    input: ofCharge.extend({when_exhausted: z.enum(['refuse', 'queue']).optional()}),
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
    answer: page(Charge),
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
