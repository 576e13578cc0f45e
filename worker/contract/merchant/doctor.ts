/** `GET /merchant/v1/doctor`: checks the configuration and explains in sentences what is wrong. */

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
  'webhooks',
  'clock',
  'limits',
  'keys',
] as const;
export type CheckName = (typeof CHECKS)[number];

export const doctor = {
  examine: endpoint({
    method: 'GET',
    path: '/merchant/v1/doctor',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({}),
  }),
};
