/** Who bought: the search for a buyer's orders, and the receipt of what a buyer was shown and ticked. */

import * as z from 'zod/mini';
import {buyerFields} from '../buyer.ts';
import {describeFields} from '../described.ts';
import {endpoint} from '../endpoint.ts';
import {Email, Localized, readable} from '../fields.ts';
import {readPhone} from '../readers/mobile-number.ts';
import {NullableText, pageOf} from './answer-fields.ts';
import {Order, Service} from './fields.ts';

/** By what a buyer is found. */
export const buyerNames = {
  email: z.optional(Email()),
  phone: z.optional(readable(readPhone, 'Expected a phone number, such as 0532 123 45 67 or +49 151 12345678.')),
};

if (DESCRIBED)
  describeFields(buyerNames, {
    email: {
      description: 'An e-mail address that a buyer typed, without regard to capital letters.',
      examples: ['deniz@shop.example'],
    },
    phone: {description: 'A phone that a buyer typed, in any usual spelling.', examples: ['0532 123 45 67']},
  });

const Instant = DESCRIBED && z.string().check(z.meta({examples: ['2026-11-21T15:42:00+03:00']}));

/** The buyer as the merchant gets it. */
export const OrderBuyer =
  DESCRIBED &&
  z
    .strictObject({
      ...buyerFields(),
      at: Instant.check(z.describe('When the shopper sent it.')),
    })
    .check(z.meta({id: 'Buyer'}));

export const buyerExample = {
  name: 'Deniz Örnek',
  email: 'deniz@shop.example',
  phone: '5321234567',
  address: {line: 'Çiçek Sokak 7/3', district: 'Kadıköy', province: 'İstanbul', postal_code: '34710'},
  own: {color: 'red', contract: true},
  marketing: false,
  at: '2026-11-21T15:42:00+03:00',
};

const Receipt =
  DESCRIBED &&
  z
    .strictObject({
      id: z.string(),
      service: z.string(),
      order: z.string(),
      offer: NullableText,
      origin: z.string().check(z.describe('The origin of the page.')),
      language: z
        .nullable(z.enum(['tr', 'en']))
        .check(z.describe('The language in which the page showed the form; null if the page did not say it.')),
      seller: z.string().check(z.describe('The name that stood before the first field.')),
      privacy_url: z.string(),
      terms_url: NullableText,
      ticks: z.array(
        z.strictObject({
          id: z.string(),
          label: Localized(),
          links: z.array(z.strictObject({text: Localized(), url: z.string()})),
          required: z.boolean(),
          ticked: z.boolean(),
        }),
      ),
      marketing: z
        .nullable(z.strictObject({label: Localized(), ticked: z.boolean()}))
        .check(z.describe('The consent to marketing; null if the form did not ask for it.')),
      texts_digest: z.string().check(z.describe('SHA-256 of what was shown, as the Worker stores it.')),
      sent_at: Instant,
      network: z.string().check(z.describe('HMAC of the shopper’s network, as in the receipt of a subscription.')),
    })
    .check(z.meta({id: 'BuyerReceipt'}));

const label = {tr: 'Mesafeli satış sözleşmesini okudum.', en: 'I have read the distance sales contract.'};

export const buyers = {
  searchOrders: endpoint({
    method: 'POST',
    path: '/merchant/v1/orders/search',
    scope: 'read',
    service: 'code',
    input: z.strictObject({service: Service, ...buyerNames}).check(
      z.refine(({email, phone}) => (email === undefined) !== (phone === undefined), {
        path: ['email'],
        message: 'Expected either email or phone.',
      }),
    ),
    docs: DESCRIBED && {
      client: 'orders.search',
      summary: 'Lists the orders of a buyer, the newest first.',
      description:
        'Finds the whole e-mail address or phone that a buyer typed, at most 100 orders, as long as the Worker has the ' +
        'buyer. The body names the person, so that no address and no log does. An order whose code nobody requested is not ' +
        'found.',
      answer: pageOf(z.strictObject({order: z.string(), buyer: OrderBuyer})),
      codes: ['unknown_service'],
      example: {
        input: {service: 'DEMO', email: 'deniz@shop.example'},
        answer: {items: [{order: 'S-1009', buyer: buyerExample}], next_cursor: null, total: 1},
      },
    },
  }),
  getOrderConsent: endpoint({
    method: 'GET',
    path: '/merchant/v1/orders/consent',
    scope: 'read',
    service: 'code',
    input: z.strictObject({service: Service, order: Order}),
    docs: DESCRIBED && {
      client: 'orders.getConsent',
      summary: 'Gets the receipt of what a buyer was shown and ticked.',
      description:
        'The receipt names no person and is kept for 400 days, also after an erasure. The platform is not called.',
      answer: Receipt,
      codes: ['unknown_service', 'not_found'],
      example: {
        input: {service: 'DEMO', order: 'S-1009'},
        answer: {
          id: 'con_3f0c9a6be2d44f6a8b5a9c1d7e20f314',
          service: 'DEMO',
          order: 'S-1009',
          offer: 'lamp',
          origin: 'https://shop.example',
          language: 'tr',
          seller: 'Fener Atölyesi',
          privacy_url: 'https://shop.example/privacy',
          terms_url: null,
          ticks: [{id: 'contract', label, links: [], required: true, ticked: true}],
          marketing: null,
          texts_digest: '6b1f5d3c2a90e8f74d15c3b2a1908f7e6d5c4b3a29180f7e6d5c4b3a29180f7e',
          sent_at: '2026-11-21T15:42:00+03:00',
          network: '9d0c1b2a3f4e5d6c7b8a99887766554433221100ffeeddccbbaa998877665544',
        },
      },
    },
  }),
};
