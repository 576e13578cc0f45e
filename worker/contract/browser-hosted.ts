/**
 * What pages and the Worker say about the platform's own pages: the hosted bank page, the payment notice, the common
 * payment page and the vendor form. What the address bar says on return is a hint: read `GET /v1/payment`.
 */
import * as z from 'zod';
import {Amount, Instant, isOfOurTime} from './browser.ts';

/**
 * Where the shopper returns to. A public session returns to its own origin only, a merchant's also below `RETURN_URLS`;
 * anything else is refused with `return_url_not_allowed`.
 */
const ReturnUrl = z.url({protocol: /^https?$/}).max(2000);

/** Text that survives every encoding on the way to the platform. */
const text = (max: number) =>
  z.string().min(1).max(max).refine((value) => value.isWellFormed() && !value.includes('\0'), 'Not well-formed text');

/** `POST /v1/hosted-payment`: the platform's bank page shows the code instead of ours. */
export const HostedPaymentRequest = z.strictObject({
  /** Where the page sends the shopper when they are done. */
  redirect_url: ReturnUrl.optional(),
  /** Where its "back" leads. */
  back_url: ReturnUrl.optional(),
});
export type HostedPaymentRequest = z.infer<typeof HostedPaymentRequest>;

/** `200` of `POST /v1/hosted-payment`; the order's one code, and the page to go to. */
export const HostedPayment = z.strictObject({order_code: z.string(), url: z.string()});
export type HostedPayment = z.infer<typeof HostedPayment>;

/** `POST /v1/payment-notices`: a transfer whose description had no code. Who reads only (a hand-off) writes none. */
export const PaymentNoticeRequest = z.strictObject({
  /** The code of the bank the money was sent to. */
  bank: text(64),
  /** What the shopper says they sent; what the order still lacks unless said. */
  amount: Amount.optional(),
  notice: z.strictObject({
    name: text(255).optional(),
    email: text(255).optional(),
    phone: text(32).optional(),
    /** National identity number; it goes to the platform and is kept nowhere. */
    tc_no: text(32).optional(),
    /** When the money was sent; to the second, no fraction. */
    apply_time: z.iso.datetime({offset: true, precision: 0}).refine(isOfOurTime, 'Between the years 2000 and 2099').optional(),
    description: text(1000).optional(),
  }),
  redirect_url: ReturnUrl.optional(),
  back_url: ReturnUrl.optional(),
});
export type PaymentNoticeRequest = z.infer<typeof PaymentNoticeRequest>;

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

/**
 * `POST /v1/payment-pages`: the common payment page, for what is still to be paid. An order has one at a time: who asks while one is
 * open is given its address, whatever return addresses they name. The session's own count where none is named, then the page's origin.
 */
export const PaymentPageRequest = z.strictObject({
  success_url: ReturnUrl.optional(),
  failure_url: ReturnUrl.optional(),
  /** The shopper comes back from the page and could not pay there: another one is opened. Both may be paid if that is not so. */
  anew: z.boolean().optional(),
});
export type PaymentPageRequest = z.infer<typeof PaymentPageRequest>;

/** `200` of `POST /v1/payment-pages`. */
export const PaymentPage = z.strictObject({
  url: z.string(),
  /** Null where the platform does not say. */
  expires_at: Instant.nullable(),
});
export type PaymentPage = z.infer<typeof PaymentPage>;

/** `200` of `POST /v1/vendor-forms`: the form, for a sandboxed frame (`allow-forms allow-scripts`). */
export const VendorForm = z.strictObject({url: z.string()});
export type VendorForm = z.infer<typeof VendorForm>;

/**
 * What our page at `GET /return/vendor` posts to the window that frames or opened it, if that is of the session's origin.
 * A hint: the form's own page could say the same. From a sandboxed frame it comes with the origin `"null"`; what tells
 * it from a stranger's is `event.source`.
 */
export const VendorReturn = z.strictObject({
  type: z.literal('vezne-vendor'),
  /** By which of the two addresses the form sent the vendor back. */
  outcome: z.enum(['success', 'failure']),
});
export type VendorReturn = z.infer<typeof VendorReturn>;
