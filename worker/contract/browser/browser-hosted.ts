/**
 * What the Worker answers to pages about the platform's own: the hosted bank page, the payment notice, the common
 * payment page and the vendor form. What the address bar says on return is a hint: read `GET /v1/payment`.
 */

import * as z from 'zod';
import {Instant, Nonce} from '../fields.ts';

/** `200` of `POST /v1/hosted-payment`; the order's one code, and the page to go to. */
export const HostedPayment = z.strictObject({order_code: z.string(), url: z.string()});
export type HostedPayment = z.infer<typeof HostedPayment>;

/** `200` of `POST /v1/payment-notices`. The shopper submits the notice on the platform's page at `url`. */
export const CreatedPaymentNotice = z.strictObject({notice_code: z.string(), url: z.string()});
export type CreatedPaymentNotice = z.infer<typeof CreatedPaymentNotice>;

/** `GET /v1/payment-notices/prefill`: what a notice begins with, as the merchant's server said it of this shopper. A session that only reads is refused it. */
export const NoticePrefill = z.strictObject({
  /** What the order still lacks, or its whole amount where it lacks nothing. */
  amount: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  description: z.string().nullable(),
});
export type NoticePrefill = z.infer<typeof NoticePrefill>;

/** `200` of `POST /v1/payment-pages`. */
export const PaymentPage = z.strictObject({
  url: z.string(),
  /** Null where the platform does not say. */
  expires_at: Instant.nullable(),
});
export type PaymentPage = z.infer<typeof PaymentPage>;

/**
 * `200` of `POST /v1/vendor-forms`: the form, for a sandboxed frame (`allow-forms allow-scripts`), and what our page at
 * its end says again, so that no other page in the frame is taken for it.
 */
export const VendorForm = z.strictObject({url: z.string(), nonce: Nonce});
export type VendorForm = z.infer<typeof VendorForm>;

/**
 * What our page at `GET /return/vendor` posts to the window that frames or opened it, if that is of the session's origin.
 * From a sandboxed frame it comes with the origin `"null"`; what tells it from others' is `event.source` and the `nonce`,
 * which stands in the form's return addresses only. The platform knows those, so it stays a hint of the platform's:
 * `vendor.registered` tells the merchant's server.
 */
export const VendorReturn = z.strictObject({
  type: z.literal('vezne-vendor'),
  /** By which of the two addresses the form sent the vendor back. */
  outcome: z.enum(['success', 'failure']),
  /** As `POST /v1/vendor-forms` gave it. */
  nonce: Nonce,
});
export type VendorReturn = z.infer<typeof VendorReturn>;
