/** `GET /merchant/v1/quotas`: what is left of the platform's limits. */

import * as z from 'zod';
import {QUOTA_NAMES} from '../../platform/quotas.ts';
import {endpoint} from './endpoint.ts';

const NullableInstant = z.string().nullable();

export const QuotaUse = z
  .strictObject({
    name: z.enum(QUOTA_NAMES).meta({description: 'As in `QUOTAS`.'}),
    per_day: z
      .int()
      .nullable()
      .meta({description: 'What we may use in any 24 hours, our share; null without a limit.'}),
    per_second: z.number().nullable().meta({description: 'What we may use in any second; 0.5 is one in two seconds.'}),
    used: z.int().meta({description: 'Calls that count, those whose outcome is not known among them.'}),
    left: z.int().nullable().meta({description: 'What new calls may use; null without a limit of the day.'}),
    waiting: z.int().meta({description: 'Commands that wait for another day.'}),
    resets_at: NullableInstant.meta({
      description:
        'When the oldest call counts no more; each comes back by itself, some ten minutes more than a day later. Null where none counts.',
    }),
    paused_until: NullableInstant.meta({
      description: 'Until when the platform, which said that it is asked too often, is left alone.',
    }),
  })
  .meta({id: 'QuotaUse'});

export const QuotaList = z
  .strictObject({
    share: z.number().meta({description: '`QUOTA_SHARE`: the part of the platform’s limits that is ours.'}),
    quotas: z.array(QuotaUse),
    as_of: z.string(),
  })
  .meta({id: 'QuotaList'});

export const quotas = {
  showQuotas: endpoint({
    method: 'GET',
    path: '/merchant/v1/quotas',
    group: 'Operation',
    operation: null,
    write: false,
    status: 200,
    summary: 'What is left of the platform’s limits.',
    description:
      'Counted before anything is sent, over any 24 hours and any second. A read waits up to two seconds for its turn, then it is `rate_limited`; what the day has no more of is `quota_exhausted`. Both say when to come back.',
    input: z.strictObject({}),
    answer: QuotaList,
    codes: [],
    example: {
      input: {},
      answer: {
        share: 1,
        quotas: [
          {
            name: 'refund_charge',
            per_day: 20,
            per_second: 5,
            used: 20,
            left: 0,
            waiting: 3,
            resets_at: '2026-11-22T15:52:20+03:00',
            paused_until: null,
          },
        ],
        as_of: '2026-11-21T15:42:00+03:00',
      },
    },
  }),
};
