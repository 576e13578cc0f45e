/**
 * What the Worker answers to pages; `requests.ts` has what they send. Elements import the types only, and so does the Worker.
 * Money is decimal text with two places, times are ISO 8601 with `+03:00`.
 */

import * as z from 'zod';
import {Amount, Instant, Localized, Nonce} from '../fields.ts';

/** What the human check needs to be shown. */
export const HumanCheck = z.strictObject({
  /** Turnstile's site key. */
  sitekey: z.string(),
  /** The `action` to render it with: a token made for another is refused. */
  action: z.string(),
});
export type HumanCheck = z.infer<typeof HumanCheck>;

/** `201` of `POST /v1/sessions` for an offer of the kind `payment`; `browser-subscriptions.ts` has the other kind. */
export const NewPaymentSession = z.strictObject({
  /** What later requests carry as `Authorization: Bearer`. */
  token: z.string(),
  kind: z.literal('payment'),
  /** The merchant's reference of this order. */
  order: z.string(),
  title: Localized,
  amount: Amount,
  currency: z.literal('TRY'),
  /** Until when an order code may be created. */
  create_until: Instant,
  /** Until when the payment may be read. */
  read_until: Instant,
  /** How many hours the shopper has to pay. */
  hours: z.number().positive(),
  /** Null where there is none: an address with too many unpaid orders then waits. */
  human_check: HumanCheck.nullable(),
});
export type NewPaymentSession = z.infer<typeof NewPaymentSession>;

/** One account of the merchant a shopper may pay into. */
export const Bank = z.strictObject({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  account_holder: z.string(),
  /** Without spaces. */
  iban: z.string(),
  branch_no: z.string(),
  account_no: z.string(),
  currency: z.string(),
  /** Address of the logo on the Worker, or null where the bank has none. */
  logo: z.string().nullable(),
  bank_no: z.string(),
  updated_at: Instant.nullable(),
});
export type Bank = z.infer<typeof Bank>;

/** `GET /v1/banks`. */
export const BankList = z.strictObject({
  banks: z.array(Bank),
  /** True when the platform is down and this is the last list it gave. */
  stale: z.boolean(),
  /** When money sent now arrives, in the merchant's words; null where nothing is said. */
  arrival: z.strictObject({same_bank: Localized.nullable(), other_bank: Localized.nullable()}),
});
export type BankList = z.infer<typeof BankList>;

/** `POST /v1/order-code`. */
export const OrderCode = z.strictObject({
  /** What the shopper writes in the description. Digits on some platforms, letters on others. */
  order_code: z.string(),
  order: z.string(),
  amount: Amount,
  currency: z.literal('TRY'),
  /** When the offer's hours are over: money that comes later is late. */
  pay_until: Instant,
});
export type OrderCode = z.infer<typeof OrderCode>;

export const PAYMENT_STATES = ['waiting', 'partial', 'paid', 'overpaid', 'completed', 'refunded', 'expired'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** Money that arrived for the order. */
export const Transaction = z.strictObject({
  /** Of a transaction; of a charge of mobile billing where there is no bank. */
  id: z.string(),
  amount: Amount,
  currency: z.string(),
  /** Name of the bank it arrived at; null for what was paid on a phone bill. */
  bank: z.string().nullable(),
  at: Instant,
});
export type Transaction = z.infer<typeof Transaction>;

/** What the shopper said of a transfer whose description had no code, the last time they did. */
export const ShownPaymentNotice = z.strictObject({
  at: Instant,
  /** Code of the bank it was sent to. */
  bank: z.string(),
  /** What the shopper says they sent. */
  amount: Amount,
  /** Whether the platform has it: the shopper submits it on the platform's page, and may have turned back there. */
  sent: z.boolean(),
});
export type ShownPaymentNotice = z.infer<typeof ShownPaymentNotice>;

/** `GET /v1/payment`, and each message of `GET /v1/payment/live`. */
export const Payment = z.strictObject({
  state: z.enum(PAYMENT_STATES),
  amount: Amount,
  /** What arrived and was not refunded. */
  paid: Amount,
  /** What is still to be paid, `"0.00"` when nothing is. */
  remaining: Amount,
  /** Whether what had arrived when the offer's hours were over did not suffice, and more came after. */
  late: z.boolean(),
  /**
   * Whether money arrived that does not count by itself: in another currency, or of an amount that cannot be read. The
   * order may be better paid than its state says.
   */
  unclear: z.boolean(),
  /** The shopper's payment notice, once there is one. Their payment is looked for once it is `sent`. */
  notice: ShownPaymentNotice.nullable(),
  transactions: z.array(Transaction),
  /** When a hand-off of this order was last redeemed on another device; null while none was. */
  handed_over_at: Instant.nullable(),
  /** When the platform was last asked. */
  as_of: Instant,
});
export type Payment = z.infer<typeof Payment>;

/** `201` of `POST /v1/handoffs`: opens the same order on another device, once. */
export const Handoff = z.strictObject({code: z.string(), expires_at: Instant});
export type Handoff = z.infer<typeof Handoff>;

/** `POST /v1/handoffs/preview`: what a hand-off brings. It stays good. */
export const HandoffPreview = z.strictObject({
  /** Null where a merchant's server made the session. */
  title: Localized.nullable(),
  amount: Amount,
  currency: z.literal('TRY'),
});
export type HandoffPreview = z.infer<typeof HandoffPreview>;

/** `201` of `POST /v1/handoffs/redeem`: a session that only reads. */
export const RedeemedSession = z.strictObject({
  token: z.string(),
  kind: z.literal('payment'),
  order: z.string(),
  /** Null where a merchant's server made the session. */
  title: Localized.nullable(),
  amount: Amount,
  currency: z.literal('TRY'),
  read_until: Instant,
});
export type RedeemedSession = z.infer<typeof RedeemedSession>;

/** `GET /health`. */
export const Health = z.strictObject({
  /** `degraded`: pages work as far as the platform lets them. */
  status: z.enum(['ok', 'degraded', 'misconfigured']),
  version: z.string(),
  /** Bindings that are missing or wrong, by name. */
  bindings: z.array(z.string()),
  /** What is wrong and what to do, a sentence each, for the operator. */
  problems: z.array(z.string()),
});
export type Health = z.infer<typeof Health>;

/** `202` of `POST /v1/activities`. */
export const AcceptedActivity = z.strictObject({});
export type AcceptedActivity = z.infer<typeof AcceptedActivity>;

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
