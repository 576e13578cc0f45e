/** `GET /merchant/v1/funnel`: visits, clicks and sales of each day. */

import * as z from 'zod/mini';
import {endpoint} from '../endpoint.ts';
import {NullableText} from './answer-fields.ts';
import {Day} from './fields.ts';

const FunnelRow =
  DESCRIBED &&
  z
    .strictObject({
      day: z.string().check(z.describe('A day in Turkey.')),
      offer: NullableText.check(z.describe('Null for orders whose terms your server set.')),
      campaign: NullableText.check(
        z.describe('`utm_campaign` of the page’s address; null without one, and for all others together.'),
      ),
      others: z.boolean().check(z.describe('Whether the row has the other campaigns together.')),
      visits: z.int(),
      clicks: z.int(),
      sales: z.int().check(z.describe('Orders that were paid for the first time on this day.')),
      amount: z.string().check(z.meta({description: 'The sum of their amounts, in lira.', examples: ['449.70']})),
    })
    .check(z.meta({id: 'FunnelRow'}));

export const funnel = {
  showFunnel: endpoint({
    method: 'GET',
    path: '/merchant/v1/funnel',
    scope: 'read',
    service: 'all',
    input: z.strictObject({from: Day, to: z.optional(Day)}),
    docs: DESCRIBED && {
      client: 'books.funnel',
      summary: 'Shows visits, clicks and sales by day, offer and campaign.',
      description:
        'Visits and clicks are counted where a page has `vezne-activity`, and are as unproven as any visit. A day names ' +
        'at most 50 campaigns. The others of an offer are one row, with the visits and clicks of rows that have ' +
        'fewer than five of both together, also of those without a campaign. Sales are exact; what was sent back later is not taken off. At most 31 days at once, of the last 400.',
      fields: {to: {description: 'The last day; today by default.'}},
      answer: z.strictObject({items: z.array(FunnelRow)}),
      codes: [],
      example: {
        input: {from: '2026-11-21', to: '2026-11-21'},
        answer: {
          items: [
            {
              day: '2026-11-21',
              offer: 'lamp',
              campaign: 'bayram',
              others: false,
              visits: 320,
              clicks: 41,
              sales: 3,
              amount: '449.70',
            },
          ],
        },
      },
    },
  }),
};
