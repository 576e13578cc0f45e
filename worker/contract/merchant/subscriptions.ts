/** Subscriptions and test numbers (`docs/spec/subscriptions.md`, sections 2.2 and 4.A). */

import * as z from 'zod/mini';
import {ipAddress} from '../../lib/formats.ts';
import {endpoint} from '../endpoint.ts';
import {text} from '../fields.ts';
import {NullableText, pageOf} from './answer-fields.ts';
import {BillingSearch} from './billing.ts';
import {Charge, chargeExample, SimpleSubscription, subscriptionExample} from './billing.ts';
import {Id, BillingService} from './fields.ts';

const Address = ipAddress();
/** The tracking id that the page sent, or that the event of the subscription names. */
const ConsentTrackingId = text(255);

const SubscriptionRef = z.strictObject({service: BillingService, id: Id});

export const Subscription =
  DESCRIBED &&
  z
    .strictObject({
      ...SimpleSubscription.shape,
      last_charge: z.nullable(Charge),
      last_successful_charge: z.nullable(Charge),
    })
    .check(z.meta({id: 'Subscription'}));

const LocalizedText = DESCRIBED && z.strictObject({tr: z.string(), en: z.string()});

/** A receipt of a shopper's consent to a subscription. */
export const Consent =
  DESCRIBED &&
  z
    .strictObject({
      id: z.string(),
      tracking_id: z.string(),
      service: NullableText.check(z.describe('Service code; null while `subscription_id` is null.')),
      subscription_id: NullableText.check(z.describe('Id in mobile billing; null while no event has named it.')),
      product: z.int(),
      offer: NullableText.check(z.describe('Null when your server set the terms of the session.')),
      origin: z.string().check(z.describe('The origin of the page.')),
      title: z.nullable(LocalizedText).check(z.describe('Null when only the digest of the texts is known.')),
      terms: z.nullable(LocalizedText).check(z.describe('The terms in both languages. The page showed one of them.')),
      texts_digest: z
        .string()
        .check(
          z.describe(
            'SHA-256 of a JSON list of four texts from the signed session: the title in Turkish, the title in English, the ' +
              'terms in Turkish, the terms in English.',
          ),
        ),
      language: z
        .nullable(z.enum(['tr', 'en']))
        .check(
          z.describe(
            'The language in which the page showed the texts. Only this value comes from the page; null if the ' +
              'page did not send it.',
          ),
        ),
      price: z.string().check(z.meta({description: 'The price of one period in lira.', examples: ['12.00']})),
      currency: z.literal('TRY'),
      period: z.string(),
      trial_days: z.nullable(z.int()).check(z.describe('Free days before the first charge; null if there are none.')),
      confirmed_by: z
        .enum(['pin', 'click'])
        .check(
          z.describe(
            '`pin`: the shopper entered the PIN that was sent to the number. `click`: the shopper clicked, and the ' +
              'mobile network named the number.',
          ),
        ),
      confirmed_at: z.string().check(z.meta({examples: ['2026-11-21T15:42:00+03:00']})),
      outcome: z
        .enum(['subscribed', 'unknown'])
        .check(
          z.describe('`unknown`: the platform’s answer was lost, so it is unknown whether the subscription started.'),
        ),
      network: z
        .string()
        .check(
          z.describe(
            'HMAC of the shopper’s network: of the IPv4 address, or of the IPv6 /64. Equal within one month for equal ' +
              'networks.',
          ),
        ),
      network_matches: z
        .nullable(z.boolean())
        .check(z.describe('Whether `address` belongs to the network; null if the request names no address.')),
    })
    .check(z.meta({id: 'Consent'}));

const consentExample: z.output<typeof Consent> = {
  id: 'con_3f0c9a6be2d44f6a8b5a9c1d7e20f314',
  tracking_id: 't-81c4',
  service: 'DEMO',
  subscription_id: '4001',
  product: 77,
  offer: 'club',
  origin: 'https://shop.example',
  title: {tr: 'Kulüp üyeliği', en: 'Club membership'},
  terms: {tr: 'Her hafta faturanıza yansıtılır.', en: 'Billed every week.'},
  texts_digest: '6b1f5d3c2a90e8f74d15c3b2a1908f7e6d5c4b3a29180f7e6d5c4b3a29180f7e',
  language: 'tr',
  price: '12.00',
  currency: 'TRY',
  period: 'weekly',
  trial_days: null,
  confirmed_by: 'pin',
  confirmed_at: '2026-11-21T15:42:00+03:00',
  outcome: 'subscribed',
  network: '9d0c1b2a3f4e5d6c7b8a99887766554433221100ffeeddccbbaa998877665544',
  network_matches: true,
};

export const subscriptions = {
  getSubscription: endpoint({
    method: 'GET',
    path: '/merchant/v1/subscriptions/{service}/{id}',
    operation: 'subscriptionGet',
    scope: 'read',
    service: 'billing',
    input: SubscriptionRef,
    docs: DESCRIBED && {
      client: 'subscriptions.get',
      summary: 'Gets a subscription with its last charges.',
      answer: Subscription,
      codes: ['unknown_service', 'subscription_not_found', 'quota_exhausted', 'rate_limited'],
      example: {
        input: {service: 'DEMO', id: '4001'},
        answer: {...subscriptionExample, last_charge: chargeExample, last_successful_charge: chargeExample},
      },
    },
  }),
  getConsent: endpoint({
    method: 'GET',
    path: '/merchant/v1/subscriptions/{service}/{id}/consent',
    scope: 'read',
    service: 'billing',
    input: z.strictObject({service: BillingService, id: Id, address: z.optional(Address)}),
    docs: DESCRIBED && {
      client: 'subscriptions.getConsent',
      summary: 'Gets the receipt of the consent to a subscription.',
      description:
        'The receipt says what was shown and how the shopper confirmed it, for disputes with a mobile operator. The ' +
        'receipt is kept for 400 days and names no person. The Worker records a receipt for each subscription that a ' +
        'page with a session of the Worker starts, and adds the id of the subscription as soon as an event has it. ' +
        'Until then, only `GET /merchant/v1/consents` finds the receipt. The platform is not called.',
      fields: {
        address: {
          description:
            'An IP address. `network_matches` then says whether the consent came from the network of this address.',
          examples: ['192.0.2.7'],
        },
      },
      answer: Consent,
      codes: ['unknown_service', 'not_found'],
      example: {input: {service: 'DEMO', id: '4001', address: '192.0.2.7'}, answer: consentExample},
    },
  }),
  listConsents: endpoint({
    method: 'GET',
    path: '/merchant/v1/consents',
    scope: 'read',
    service: 'answer',
    input: z.strictObject({tracking_id: ConsentTrackingId, address: z.optional(Address)}),
    docs: DESCRIBED && {
      client: 'subscriptions.listConsents',
      summary: 'Lists the receipts of consents with a tracking id, newest first.',
      description: 'The list has the receipts of 400 days, at most 20 of each month. The platform is not called.',
      fields: {
        tracking_id: {
          description: 'As the page sent it, and as the subscription’s events name it.',
          examples: ['t-81c4'],
        },
      },
      answer: pageOf(Consent),
      codes: [],
      example: {
        input: {tracking_id: 't-81c4', address: '192.0.2.7'},
        answer: {items: [consentExample], next_cursor: null, total: 1},
      },
    },
  }),
  cancelSubscription: endpoint({
    method: 'POST',
    path: '/merchant/v1/subscriptions/{service}/{id}/cancel',
    operation: 'subscriptionCancel',
    scope: 'money',
    write: true,
    command: true,
    service: 'billing',
    input: SubscriptionRef,
    docs: DESCRIBED && {
      client: 'subscriptions.cancel',
      summary: 'Cancels a subscription.',
      description:
        'An id of ten digits that begins with 5 is refused: the platform would take it for a test number, and would ' +
        'reset that number instead of cancelling a subscription.',
      answer: SimpleSubscription,
      codes: [
        'unknown_service',
        'subscription_not_found',
        'already_cancelled',
        'cannot_cancel',
        'test_number_refused',
        'egress_unsafe',
        'quota_exhausted',
        'rate_limited',
      ],
      example: {
        input: {service: 'DEMO', id: '4001'},
        answer: {
          ...subscriptionExample,
          status: 'cancelled',
          state: 'cancelled',
          cancellation_date: '2026-11-21T15:42:00+03:00',
          cancellation_source: 'mi',
        },
      },
    },
  }),
  searchSubscriptions: endpoint({
    method: 'POST',
    path: '/merchant/v1/subscriptions/search',
    operation: 'subscriptionSearch',
    scope: 'read',
    service: 'billing',
    input: BillingSearch,
    docs: DESCRIBED && {
      client: 'subscriptions.search',
      summary: 'Searches subscriptions.',
      answer: pageOf(SimpleSubscription),
      codes: ['unknown_service', 'quota_exhausted', 'rate_limited'],
      example: {
        input: {service: 'DEMO', search: [{column: 'modifiedDate', term: '2026-11-01', condition: '>='}], limit: 50},
        answer: {items: [subscriptionExample], next_cursor: null, total: 1},
      },
    },
  }),
  resetTestNumber: endpoint({
    method: 'POST',
    path: '/merchant/v1/test-numbers/{service}/{msisdn}/reset',
    operation: 'testNumberReset',
    scope: 'money',
    write: true,
    command: true,
    service: 'billing',
    input: z.strictObject({
      service: BillingService,
      msisdn: text(32),
    }),
    docs: DESCRIBED && {
      client: 'testNumbers.reset',
      summary: 'Resets a test number, so that it can subscribe again.',
      fields: {
        msisdn: {description: 'Ten digits beginning with 5.', examples: ['5321234567']},
      },
      answer: z.strictObject({service: z.string(), msisdn: z.string(), state: z.literal('reset')}),
      codes: ['unknown_service', 'number_invalid', 'not_found', 'egress_unsafe', 'quota_exhausted', 'rate_limited'],
      example: {
        input: {service: 'DEMO', msisdn: '5321234567'},
        answer: {service: 'DEMO', msisdn: '5321234567', state: 'reset'},
      },
    },
  }),
};
