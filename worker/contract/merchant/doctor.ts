/** `GET /merchant/v1/doctor`: checks the configuration and explains in sentences what is wrong. */

import * as z from 'zod/mini';
import {CHECKS} from '../checks.ts';
import {endpoint} from '../endpoint.ts';

export const Check =
  DESCRIBED &&
  z
    .strictObject({
      name: z.enum(CHECKS),
      state: z.enum(['ok', 'warning', 'failed', 'skipped']),
      message: z.string().check(z.describe('A sentence that says what the check found.')),
      action: z.nullable(z.string()).check(z.describe('What to do; null when there is nothing to do.')),
    })
    .check(z.meta({id: 'Check'}));
export type Check = z.infer<typeof Check>;

export const Limit =
  DESCRIBED &&
  z
    .strictObject({
      name: z.string(),
      value: z.nullable(z.number()).check(z.describe('Null means no limit.')),
      counts: z.string().check(z.describe('What is counted, or what the number is.')),
      per: z.string().check(z.describe('For whom or for what it is counted.')),
      window: z.string(),
      above: z.string().check(z.describe('What happens above the limit.')),
    })
    .check(z.meta({id: 'Limit'}));
export type Limit = z.infer<typeof Limit>;

export const Diagnosis =
  DESCRIBED &&
  z
    .strictObject({
      healthy: z.boolean().check(z.describe('True when no check failed.')),
      checks: z.array(Check),
      limits: z.array(Limit).check(z.describe('The limits that `LIMITS` sets; empty if the configuration is invalid.')),
      as_of: z.string(),
    })
    .check(z.meta({id: 'Diagnosis'}));
export type Diagnosis = z.infer<typeof Diagnosis>;

export const doctor = {
  examine: endpoint({
    method: 'GET',
    path: '/merchant/v1/doctor',
    scope: 'read',
    service: 'all',
    input: z.strictObject({}),
    docs: DESCRIBED && {
      client: 'doctor.examine',
      summary: 'Checks the configuration, and says what to do about each problem.',
      description:
        'The Worker requests a token and the bank list from the platform, sends an invalid number token to the landing ' +
        'interface, makes up to eight searches for transactions, five for subscriptions and two for charges, and opens a ' +
        'payment page of 1.00 that no shopper gets, so no money moves. These calls count towards the platform’s limits.',
      answer: Diagnosis,
      codes: [],
      example: {
        input: {},
        answer: {
          healthy: true,
          checks: [{name: 'token', state: 'ok', message: 'The platform issues a token and accepts it.', action: null}],
          limits: [
            {
              name: 'number_pins_per_day',
              value: 5,
              counts: 'PINs',
              per: 'number',
              window: 'day',
              above: 'refused',
            },
          ],
          as_of: '2026-11-21T15:42:00+03:00',
        },
      },
    },
  }),
};
