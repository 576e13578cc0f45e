/** The body of every error (RFC 9457). In the merchant API it also contains the platform's status and message. */

import * as z from 'zod/mini';
import {ERROR_CODES} from './codes.ts';
import {Seller} from './fields.ts';

/** The body of every error of the browser API. */
export const Problem = z.strictObject({
  type: z.string().check(
    z.meta({
      description: 'Path of a page of this Worker about the code: `/problems/` and the code. Compare `code` instead.',
      examples: ['/problems/unknown_service'],
    }),
  ),
  title: z.string(),
  status: z.int(),
  code: z.enum(ERROR_CODES),
  request_id: z.string(),
  retryable: z.boolean(),
  /** What is wrong with the request, one entry per field. A path joins the names of nested fields with dots. */
  fields: z.optional(z.array(z.strictObject({path: z.string(), message: z.string()}))),
  /** Only with `pin_wrong`: how many more PINs the shopper may try. Absent if there is no limit. */
  attempts_left: z.optional(z.int().check(z.nonnegative())),
  /** Only about the subscription of a `management` session: the seller whom the subscriber can ask. */
  seller: z.optional(Seller()),
});

export type Problem = z.infer<typeof Problem>;

export const PlatformWords = z
  .strictObject({
    status: z.string().check(z.meta({description: 'The platform’s own status.', examples: ['ERR_005']})),
    message: z.string().check(z.meta({examples: ['Invalid Service']})),
    subscription: z
      .optional(z.strictObject({id: z.string(), state: z.string()}))
      .check(z.describe('The subscription as it is now, if mobile billing repeats it in its refusal.')),
  })
  .check(z.meta({id: 'PlatformWords'}));
export type PlatformWords = z.infer<typeof PlatformWords>;

export const MerchantProblem = z
  .strictObject({
    ...Problem.shape,
    platform: z
      .optional(PlatformWords)
      .check(
        z.describe(
          'The platform’s answer. Absent when the platform was not called or did not answer. Also absent with ' +
            '`already_cancelled` and `already_refunded` if the Worker found the reason when it read the record before ' +
            'the write.',
        ),
      ),
    command_id: z
      .optional(z.string())
      .check(
        z.describe(
          'Only with `outcome_unknown`: the id of the command. `GET /merchant/v1/commands` shows the outcome of this ' +
            'command as soon as it is known.',
        ),
      ),
  })
  .check(z.meta({id: 'Problem'}));
export type MerchantProblem = z.infer<typeof MerchantProblem>;
