/** `GET /merchant/v1/quotas`: how much of the platform's limits is left. */

import * as z from 'zod/mini';
import {QUOTA_NAMES} from '../../platform/quota-limits.ts';
import {endpoint} from '../endpoint.ts';

const NullableInstant = DESCRIBED && z.nullable(z.string());

export const QuotaUse =
  DESCRIBED &&
  z
    .strictObject({
      name: z.enum(QUOTA_NAMES).check(z.describe('Name of the limit, as in `QUOTAS`.')),
      per_day: z
        .nullable(z.int())
        .check(
          z.describe(
            'How many calls this Worker may make in any 24 hours: its `share` of the limit. Null without a limit.',
          ),
        ),
      per_second: z
        .nullable(z.number())
        .check(z.describe('How many calls this Worker may make in any second; 0.5 means one call in two seconds.')),
      used: z
        .int()
        .check(
          z.describe('Number of calls that count towards the daily limit, including those with an unknown outcome.'),
        ),
      left: z
        .nullable(z.int())
        .check(
          z.describe(
            'Number of calls left for new requests, without the share that is kept for commands and ' +
              'sweeps. Null without a daily limit.',
          ),
        ),
      waiting: z.int().check(z.describe('Number of commands that are queued for a later day.')),
      resets_at: NullableInstant.check(
        z.describe(
          'When the oldest call stops counting towards the daily limit. A call counts for a day and about ten ' +
            'minutes. Null when no call counts.',
        ),
      ),
      backoff_until: NullableInstant.check(
        z.describe(
          'The time until which the Worker makes no such calls, because the platform reported too many calls. ' +
            'Otherwise null.',
        ),
      ),
    })
    .check(z.meta({id: 'QuotaUse'}));

export const QuotaList =
  DESCRIBED &&
  z
    .strictObject({
      share: z.number().check(z.describe('`QUOTA_SHARE`: the part of the platform’s limits that this Worker may use.')),
      items: z.array(QuotaUse),
      phs_calls_per_minute: z
        .nullable(z.number())
        .check(z.describe('How many calls of `/phs` a minute may have (`phs_calls`). Null without a limit.')),
      as_of: z.string(),
    })
    .check(z.meta({id: 'QuotaList'}));

const quota = {
  name: 'refund_charge',
  per_day: 20,
  per_second: 5,
  used: 20,
  left: 0,
  waiting: 3,
  resets_at: '2026-11-22T15:52:20+03:00',
  backoff_until: null,
} as const;

export const quotas = {
  showQuotas: endpoint({
    method: 'GET',
    path: '/merchant/v1/quotas',
    scope: 'read',
    service: 'all',
    input: z.strictObject({}),
    docs: DESCRIBED && {
      client: 'quotas.show',
      summary: 'Shows how much of the platform’s limits is left.',
      description:
        'The Worker counts calls before it sends them. Each operation has one limit for any 24 hours and one for any ' +
        'second. When the limit per second is used up, a read waits for at most two seconds. If the limit allows no ' +
        'call in this time, the read is refused with `rate_limited`. When the daily limit is used up, a call is ' +
        'refused with `quota_exhausted`. Both errors say when to retry. The events `quota.low` and `quota.queued` ' +
        'report that four fifths of a daily limit are used, and that a command waits for a later day.',
      answer: QuotaList,
      codes: [],
      example: {
        input: {},
        answer: {
          share: 1,
          items: [quota],
          phs_calls_per_minute: 300,
          as_of: '2026-11-21T15:42:00+03:00',
        },
      },
    },
  }),
};
