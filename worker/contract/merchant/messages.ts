/** Text messages sent to subscribers: `docs/spec/subscriptions.md` 2.4 and 4.A. */

import * as z from 'zod';
import {BillingSearch} from './billing-search.ts';
import {endpoint} from './endpoint.ts';
import {Code, page, Said, Time} from './fields.ts';

export const Message = z
  .strictObject({
    id: z.string(),
    service: Said,
    service_id: Said,
    msisdn: Said,
    operator: Code,
    type: Said,
    message: Said,
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
    answer: page(Message),
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
