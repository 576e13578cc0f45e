/** The platform's payment page (`docs/spec/subscriptions.md`, sections 2.6 and 4.B). */

import * as z from 'zod/mini';
import {Id, Time, WebUrl} from '../fields.ts';
import {operation} from '../operation.ts';

export const paymentPageOperations = {
  paymentPageToken: operation({
    spec: 'subscriptions 4.B',
    interface: 'payment_page',
    path: '/token',
    effect: 'write',
    input: z.strictObject({
      serviceId: Id,
      referenceCode: z.string().check(z.minLength(1)),
      item: z.string().check(z.minLength(1)),
      /** The text is sent exactly as given, because the request's key covers it. */
      price: z.string().check(z.regex(/^\d{1,12}(\.\d{1,2})?$/)),
      successUrl: WebUrl,
      failureUrl: WebUrl,
      hasTrialPeriod: z.optional(z.boolean()),
      trialPeriodDay: z.optional(z.int().check(z.positive())),
    }),
    output: z.object({
      tokenData: z.object({token: z.string().check(z.minLength(1)), redirectUrl: WebUrl, expiryDate: Time}),
    }),
  }),
};
