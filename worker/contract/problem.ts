/** The body of every error (RFC 9457). In the merchant API it also has the platform's own status and message. */

import * as z from 'zod';
import {ERROR_CODES} from './codes.ts';

/** The body of every error of the browser API. */
export const Problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(ERROR_CODES),
  request_id: z.string(),
  retryable: z.boolean(),
  /** What is wrong with the request, per field; paths are dotted. */
  fields: z.array(z.strictObject({path: z.string(), message: z.string()})).optional(),
});

export type Problem = z.infer<typeof Problem>;

export const PlatformWords = z
  .strictObject({
    status: z.string().meta({description: 'The platform’s own status.', examples: ['ERR_005']}),
    message: z.string().meta({examples: ['Invalid Service']}),
  })
  .meta({id: 'PlatformWords'});
export type PlatformWords = z.infer<typeof PlatformWords>;

export const MerchantProblem = z
  .strictObject({
    ...Problem.shape,
    platform: PlatformWords.optional().meta({
      description:
        'The platform’s answer. Absent when the platform was not called or did not answer. Also absent when an ' +
        'earlier read was enough: `already_cancelled` and `already_refunded` may come without it.',
    }),
    command: z
      .string()
      .optional()
      .meta({
        description:
          'With `outcome_unknown`: id of the command in `GET /merchant/v1/commands`, which shows the outcome once it ' +
          'is known.',
      }),
  })
  .meta({id: 'Problem'});
export type MerchantProblem = z.infer<typeof MerchantProblem>;
