/** Refund links: the shopper opens one, enters a name and an IBAN, and the Worker requests the refund. */

import * as z from 'zod/mini';
import {endpoint} from '../endpoint.ts';
import {NullableText} from './answer-fields.ts';
import {Amount, Instant, Order, Service} from './fields.ts';

export const REFUND_LINK_STATES = ['open', 'sending', 'used', 'expired', 'withdrawn'] as const;
export type RefundLinkState = (typeof REFUND_LINK_STATES)[number];

const RefundLinkId = z.string().check(z.regex(/^rfl_\w{1,60}$/, 'Expected the id of a refund link.'));

export const RefundLink =
  DESCRIBED &&
  z
    .strictObject({
      id: z.string(),
      service: z.string(),
      order: z.string(),
      amount: z.string().check(z.meta({description: 'Decimal text with two places.', examples: ['50.00']})),
      reason: z
        .nullable(z.enum(['overpaid', 'late', 'cancelled']))
        .check(
          z.describe('Why the order’s `refundable.amount` was the amount; null if the request named another amount.'),
        ),
      state: z
        .enum(REFUND_LINK_STATES)
        .check(
          z.describe(
            '`open`: the shopper may use it. `sending`: the shopper’s details were sent, and the outcome is unknown. ' +
              '`used`: the platform accepted the refund `refund_id`. A link whose refund the platform refused is `open` again, up to 20 times; then it is `withdrawn`.',
          ),
        ),
      refund_id: NullableText,
      created_at: z.string(),
      expires_at: z.string(),
    })
    .check(z.meta({id: 'RefundLink'}));

export const NewRefundLink =
  DESCRIBED &&
  z
    .strictObject({
      ...RefundLink.shape,
      url: z
        .string()
        .check(
          z.describe(
            'For the shopper alone: whoever has it names the account. The Worker cannot show it a second time.',
          ),
        ),
    })
    .check(z.meta({id: 'NewRefundLink'}));

const id = 'rfl_8d1f0c6e5b7a4d2f9c3e1a0b7d6f5e4c';
const link = {
  id,
  service: 'DEMO',
  order: 'S-1009',
  amount: '50.00',
  reason: 'overpaid',
  state: 'open',
  refund_id: null,
  created_at: '2026-11-21T15:45:00+03:00',
  expires_at: '2026-12-05T15:45:00+03:00',
} as const;

export const refundLinks = {
  createRefundLink: endpoint({
    method: 'POST',
    path: '/merchant/v1/refund-links',
    scope: 'money',
    write: true,
    command: true,
    service: 'code',
    status: 201,
    input: z
      .strictObject({
        service: Service,
        order: Order,
        amount: z.optional(Amount),
        hours: z.optional(z.number().check(z.positive(), z.maximum(24 * 90))),
        expires_at: z.optional(Instant),
      })
      .check(
        z.refine(({hours, expires_at: at}) => hours === undefined || at === undefined, {
          path: ['expires_at'],
          message: 'Expected either hours or expires_at.',
        }),
      ),
    docs: DESCRIBED && {
      client: 'refundLinks.create',
      summary: 'Makes a link with which the shopper gets money back.',
      description:
        'Send `url` to the shopper. Its page asks for the name and the IBAN, and requests one refund of this order and ' +
        'amount; `vezne-refund-contact` does the same on a page of yours. Open links count: together with the refunds, ' +
        'they never exceed what is left of the order’s money, or its excess. This is checked again when the link is used.',
      fields: {
        amount: {description: 'By default the order’s `refundable.amount`. Required if that is `0.00`.'},
        hours: {description: 'How long the link can be used: 336 hours by default, at most 90 days.', examples: [336]},
        expires_at: {description: 'Until when the link can be used, in place of `hours`.'},
      },
      answer: NewRefundLink,
      codes: ['unknown_service', 'unknown_order', 'refund_too_large', 'already_refunded'],
      example: {
        input: {service: 'DEMO', order: 'S-1009'},
        answer: {...link, url: 'https://vezne.shop.example/r/Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N'},
      },
    },
  }),
  getRefundLink: endpoint({
    method: 'GET',
    path: '/merchant/v1/refund-links/{id}',
    scope: 'read',
    service: 'answer',
    input: z.strictObject({id: RefundLinkId}),
    docs: DESCRIBED && {
      client: 'refundLinks.get',
      summary: 'Gets a refund link.',
      description: 'A link is kept for 30 days after it has expired.',
      fields: {id: {examples: [id]}},
      answer: RefundLink,
      codes: ['not_found'],
      example: {input: {id}, answer: link},
    },
  }),
  withdrawRefundLink: endpoint({
    method: 'DELETE',
    path: '/merchant/v1/refund-links/{id}',
    scope: 'money',
    write: true,
    service: 'handler',
    input: z.strictObject({id: RefundLinkId}),
    docs: DESCRIBED && {
      client: 'refundLinks.withdraw',
      summary: 'Withdraws a refund link, so that nobody can use it any more.',
      description:
        'A `used` link stays so. A link that is still `sending` in the answer becomes `used` or, if nothing was sent, `withdrawn`.',
      answer: RefundLink,
      codes: ['not_found'],
      example: {input: {id}, answer: {...link, state: 'withdrawn'}},
    },
  }),
};
