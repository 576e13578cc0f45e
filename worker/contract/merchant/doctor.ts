/** `GET /merchant/v1/doctor`: whether the set-up is right, in words. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';

export const CHECKS = [
  'configuration',
  'egress',
  'token',
  'services',
  'banks',
  'landing',
  'micropayment',
  'clock',
] as const;
export type CheckName = (typeof CHECKS)[number];

export const Check = z
  .strictObject({
    name: z.enum(CHECKS),
    state: z.enum(['ok', 'warning', 'failed', 'skipped']),
    message: z.string().meta({description: 'What was found, in a sentence.'}),
    action: z.string().nullable().meta({description: 'What to do; null where nothing needs doing.'}),
  })
  .meta({id: 'Check'});
export type Check = z.infer<typeof Check>;

export const Diagnosis = z
  .strictObject({
    healthy: z.boolean().meta({description: 'Whether no check failed.'}),
    checks: z.array(Check),
    as_of: z.string(),
  })
  .meta({id: 'Diagnosis'});
export type Diagnosis = z.infer<typeof Diagnosis>;

export const doctor = {
  examine: endpoint({
    method: 'GET',
    path: '/merchant/v1/doctor',
    group: 'Operation',
    operation: null,
    write: false,
    status: 200,
    summary: 'Whether the set-up is right, and what to do where it is not.',
    description:
      'Asks the platform for a token, the bank list and a number, and up to five searches each of transactions and of subscriptions, which count towards its limits.',
    input: z.strictObject({}),
    answer: Diagnosis,
    codes: [],
    example: {
      input: {},
      answer: {
        healthy: true,
        checks: [
          {name: 'token', state: 'ok', message: 'The platform gives us a token and takes it back.', action: null},
        ],
        as_of: '2026-11-21T15:42:00+03:00',
      },
    },
  }),
};
