/** Offers that the merchant's server makes, and their links. */

import * as z from 'zod/mini';
import {requireNoticeOfFields} from '../buyer.ts';
import {endpoint} from '../endpoint.ts';
import {OFFER_ID, paymentOffer, SubscriptionOffer} from '../offers.ts';
import {pageOf} from './answer-fields.ts';
import {Cursor, Order} from './fields.ts';

const Id = z.string().check(z.regex(OFFER_ID, 'Expected up to 40 letters, digits, "_" or "-".'));
const named = {id: Id};
const billFields = {uses: z.optional(z.enum(['one', 'many'])), order: z.optional(Order)};
const Name = z.strictObject(named);

const madeFields = DESCRIBED && {
  expires_at: z.optional(z.string()),
  id: z.string(),
  name: z
    .string()
    .check(z.describe('What a page names: the id, and for a bill also a dot and 30 characters that nobody can guess.')),
  url: z.string().check(z.describe('The offer’s own page.')),
  created_at: z.string(),
  changed_at: z.string(),
};
const kinds = DESCRIBED && {
  payment: {
    ...paymentOffer(),
    amount: z.string(),
    uses: z.enum(['one', 'many']),
    order: z.nullable(z.string()).check(z.describe('The reference of a bill’s order; null for many orders.')),
    ...madeFields,
  },
  subscription: {...SubscriptionOffer().shape, price: z.string(), ...madeFields},
};
const qr = DESCRIBED && {qr: z.string().check(z.describe('The link as a QR code: an SVG image.'))};

const ListedOffer =
  DESCRIBED && z.discriminatedUnion('kind', [z.strictObject(kinds.payment), z.strictObject(kinds.subscription)]);
export const MadeOffer =
  DESCRIBED &&
  z.discriminatedUnion('kind', [
    z.strictObject({...kinds.payment, ...qr}),
    z.strictObject({...kinds.subscription, ...qr}),
  ]);

const id = 'lamp';
const example = {
  id,
  kind: 'payment',
  service: 'DEMO',
  amount: '149.90',
  title: {tr: 'Seramik lamba', en: 'Ceramic lamp'},
  hours: 72,
  uses: 'many',
  order: null,
  name: id,
  url: 'https://pay.shop.example/p/lamp',
  created_at: '2026-11-21T15:42:00+03:00',
  changed_at: '2026-11-21T15:42:00+03:00',
} as const;
const withQr = DESCRIBED && {...example, qr: '<svg xmlns="http://www.w3.org/2000/svg" …></svg>'};

export const offers = {
  putOffer: endpoint({
    method: 'PUT',
    path: '/merchant/v1/offers/{id}',
    scope: 'offers',
    service: 'handler',
    write: true,
    input: z.discriminatedUnion('kind', [
      z.strictObject({...named, ...paymentOffer(), ...billFields}).check(requireNoticeOfFields),
      z.strictObject({...named, ...SubscriptionOffer().shape}),
    ]),
    docs: DESCRIBED && {
      client: 'offers.put',
      summary: 'Makes or replaces an offer.',
      description:
        'The fields are those of an offer in `OFFERS`. Pages see a change within five seconds; orders and sessions keep ' +
        'the terms with which they began. The same offer again changes nothing.\n\n' +
        'With `uses: "one"` or an `order`, the offer is a bill: one order on every device. Until it is deleted, it stays a ' +
        'bill, and keeps its link and its order. When somebody has ordered, ' +
        '`PATCH /merchant/v1/order-codes` changes its amount. To name an `order`, a key also needs the scope ' +
        '`sessions`; it learns the amount of the order only with `read`.',
      answer: MadeOffer,
      codes: [
        'sessions_scope_missing',
        'offer_configured',
        'order_exists',
        'return_url_not_allowed',
        'unknown_service',
        'unknown_offer',
        'all_services_required',
        'not_configured',
      ],
      example: {
        input: {
          id,
          kind: 'payment',
          service: 'DEMO',
          amount: '149.90',
          title: {tr: 'Seramik lamba', en: 'Ceramic lamp'},
        },
        answer: withQr,
      },
    },
  }),
  getOffer: endpoint({
    method: 'GET',
    path: '/merchant/v1/offers/{id}',
    scope: 'offers',
    service: 'handler',
    input: Name,
    docs: DESCRIBED && {
      client: 'offers.get',
      summary: 'Shows an offer.',
      answer: MadeOffer,
      codes: ['unknown_offer', 'offer_configured'],
      example: {input: {id}, answer: withQr},
    },
  }),
  listOffers: endpoint({
    method: 'GET',
    path: '/merchant/v1/offers',
    scope: 'offers',
    service: 'list',
    input: z.strictObject({cursor: z.optional(Cursor)}),
    docs: DESCRIBED && {
      client: 'offers.list',
      summary: 'Lists the offers of the merchant API, in the sequence of their ids.',
      description: 'An offer is listed until 400 days after its `expires_at`.',
      answer: pageOf(ListedOffer),
      codes: [],
      example: {input: {}, answer: {items: [example], next_cursor: null, total: null}},
    },
  }),
  deleteOffer: endpoint({
    method: 'DELETE',
    path: '/merchant/v1/offers/{id}',
    scope: 'offers',
    service: 'handler',
    write: true,
    input: Name,
    docs: DESCRIBED && {
      client: 'offers.delete',
      summary: 'Deletes an offer. Its orders and sessions go on with their terms.',
      answer: z.strictObject({id: z.string(), state: z.literal('deleted')}),
      codes: ['unknown_offer', 'offer_configured'],
      example: {input: {id}, answer: {id, state: 'deleted'}},
    },
  }),
};
