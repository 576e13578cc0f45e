/** The body of every error: RFC 9457, on the merchant API with the platform's own words. */

import * as z from 'zod';
import {ERROR_CODES} from './codes.ts';

/** RFC 9457 problem, the body of every error. */
export const Problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(ERROR_CODES),
  request_id: z.string(),
  retryable: z.boolean(),
  /** What is wrong with the request, by dotted path. */
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
        'What the platform answered. Absent where it was not asked, gave no answer, or what was read of it before sufficed: `already_cancelled` and `already_refunded` may come without.',
    }),
    command: z.string().optional().meta({
      description:
        'With `outcome_unknown`: the command in `GET /merchant/v1/commands`, which is looked after until it is known.',
    }),
  })
  .meta({id: 'Problem'});
export type MerchantProblem = z.infer<typeof MerchantProblem>;
