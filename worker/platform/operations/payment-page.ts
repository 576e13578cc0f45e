/** The platform's payment page (`docs/spec/subscriptions.md`, sections 2.6 and 4.B). */

import * as z from 'zod';
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
      referenceCode: z.string().min(1),
      item: z.string().min(1),
      /** The text is sent exactly as given, because the request's key covers it. */
      price: z.string().regex(/^\d{1,12}(\.\d{1,2})?$/),
      successUrl: z.url(),
      failureUrl: z.url(),
      hasTrialPeriod: z.boolean().optional(),
      trialPeriodDay: z.int().positive().optional(),
    }),
    output: z.object({tokenData: z.object({token: z.string().min(1), redirectUrl: WebUrl, expiryDate: Time})}),
  }),
};
