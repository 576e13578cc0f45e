/**
 * The Worker's answers to pages; `requests.ts` has the requests. Both the elements and the Worker import only the
 * types. Money is decimal text with two places, times are ISO 8601 with `+03:00`.
 */

import * as z from 'zod';
import {Amount, Instant, Localized, Nonce} from '../fields.ts';

/** What a page needs to show the human check. */
export const HumanCheck = z.strictObject({
  /** Turnstile's site key. */
  sitekey: z.string(),
  /** The `action` to render it with: a token made for another action is refused. */
  action: z.string(),
});
export type HumanCheck = z.infer<typeof HumanCheck>;

/** `201` of `POST /v1/sessions` for an offer of the kind `payment`; `subscription-answers.ts` has the other kind. */
export const NewPaymentSession = z.strictObject({
  /** Later requests carry it as `Authorization: Bearer`. */
  token: z.string(),
  kind: z.literal('payment'),
  /** The merchant's reference of this order. */
  order: z.string(),
  title: Localized,
  amount: Amount,
  currency: z.literal('TRY'),
  /** An order code may be created until then. */
  create_until: Instant,
  /** The payment may be read until then. */
  read_until: Instant,
  /** How many hours the shopper has to pay. */
  hours: z.number().positive(),
  /** Null when no human check is configured: then an IP address with too many unpaid orders has to wait. */
  human_check: HumanCheck.nullable(),
});
export type NewPaymentSession = z.infer<typeof NewPaymentSession>;

/** One of the merchant's bank accounts that a shopper may pay into. */
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
  /** Path of the logo on the Worker; null when the bank has no logo. */
  logo: z.string().nullable(),
  bank_no: z.string(),
  updated_at: Instant.nullable(),
});
export type Bank = z.infer<typeof Bank>;

/** `GET /v1/banks`. */
export const BankList = z.strictObject({
  banks: z.array(Bank),
  /** True when the platform does not answer and this is its last known list. */
  stale: z.boolean(),
  /** When money sent now arrives, as the merchant configured it; null when not configured. */
  arrival: z.strictObject({same_bank: Localized.nullable(), other_bank: Localized.nullable()}),
});
export type BankList = z.infer<typeof BankList>;

/** `POST /v1/order-code`. */
export const OrderCode = z.strictObject({
  /** The shopper writes it into the transfer's description. Some platforms use digits, some letters. */
  order_code: z.string(),
  order: z.string(),
  amount: Amount,
  currency: z.literal('TRY'),
  /** When the offer's hours end. Money that arrives afterwards is late. */
  pay_until: Instant,
});
export type OrderCode = z.infer<typeof OrderCode>;

export const PAYMENT_STATES = ['waiting', 'partial', 'paid', 'overpaid', 'completed', 'refunded', 'expired'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** Money that arrived for the order. */
export const Transaction = z.strictObject({
  /** Id of the transaction; id of the mobile billing charge when `bank` is null. */
  id: z.string(),
  amount: Amount,
  currency: z.string(),
  /** Name of the bank that received it; null for money paid on a phone bill. */
  bank: z.string().nullable(),
  at: Instant,
});
export type Transaction = z.infer<typeof Transaction>;

/** The shopper's latest payment notice: a statement about a transfer whose description had no code. */
export const ShownPaymentNotice = z.strictObject({
  at: Instant,
  /** Code of the bank that the money was sent to. */
  bank: z.string(),
  /** The amount that the shopper says they sent. */
  amount: Amount,
  /**
   * Whether the platform has the notice. The shopper submits it on the platform's page, and may have left before that.
   */
  sent: z.boolean(),
});
export type ShownPaymentNotice = z.infer<typeof ShownPaymentNotice>;

/** `GET /v1/payment`, and each message of `GET /v1/payment/live`. */
export const Payment = z.strictObject({
  state: z.enum(PAYMENT_STATES),
  amount: Amount,
  /** Money that arrived and was not refunded. */
  paid: Amount,
  /** The amount still to be paid; `"0.00"` when all is paid. */
  remaining: Amount,
  /** True when too little money had arrived by the end of the offer's hours, and more arrived afterwards. */
  late: z.boolean(),
  /**
   * True when money arrived that could not be counted: it is in another currency, or its amount cannot be read. More
   * may have been paid than the state says.
   */
  unclear: z.boolean(),
  /** The shopper's payment notice, if any. Once it is `sent`, the platform looks for the transfer. */
  notice: ShownPaymentNotice.nullable(),
  transactions: z.array(Transaction),
  /** When a hand-off of this order was last redeemed on another device; null if never. */
  handed_over_at: Instant.nullable(),
  /** When the Worker last read the platform. */
  as_of: Instant,
});
export type Payment = z.infer<typeof Payment>;

/** `201` of `POST /v1/handoffs`: opens the same order on another device, once. */
export const Handoff = z.strictObject({code: z.string(), expires_at: Instant});
export type Handoff = z.infer<typeof Handoff>;

/** `POST /v1/handoffs/preview`: the order behind a hand-off. The preview does not use the hand-off up. */
export const HandoffPreview = z.strictObject({
  /** Null when a merchant's server made the session. */
  title: Localized.nullable(),
  amount: Amount,
  currency: z.literal('TRY'),
});
export type HandoffPreview = z.infer<typeof HandoffPreview>;

/** `201` of `POST /v1/handoffs/redeem`: a read-only session. */
export const RedeemedSession = z.strictObject({
  token: z.string(),
  kind: z.literal('payment'),
  order: z.string(),
  /** Null when a merchant's server made the session. */
  title: Localized.nullable(),
  amount: Amount,
  currency: z.literal('TRY'),
  read_until: Instant,
});
export type RedeemedSession = z.infer<typeof RedeemedSession>;

/** `GET /health`. */
export const Health = z.strictObject({
  /** `degraded`: trouble with the platform limits what pages can do. */
  status: z.enum(['ok', 'degraded', 'misconfigured']),
  version: z.string(),
  /** Names of the bindings that are missing or wrong. */
  bindings: z.array(z.string()),
  /** For the operator: what is wrong and what to do, one sentence per problem. */
  problems: z.array(z.string()),
});
export type Health = z.infer<typeof Health>;

/** `202` of `POST /v1/activities`. */
export const AcceptedActivity = z.strictObject({});
export type AcceptedActivity = z.infer<typeof AcceptedActivity>;

/** `200` of `POST /v1/hosted-payment`: the order's only code, and the URL of the platform's bank page. */
export const HostedPayment = z.strictObject({order_code: z.string(), url: z.string()});
export type HostedPayment = z.infer<typeof HostedPayment>;

/** `200` of `POST /v1/payment-notices`. The shopper submits the notice on the platform's page at `url`. */
export const CreatedPaymentNotice = z.strictObject({notice_code: z.string(), url: z.string()});
export type CreatedPaymentNotice = z.infer<typeof CreatedPaymentNotice>;

/**
 * `GET /v1/payment-notices/prefill`: values to prefill a payment notice with, as the merchant's server gave them for
 * this shopper. A read-only session is refused.
 */
export const NoticePrefill = z.strictObject({
  /** The amount still to be paid, or the whole amount when all is paid. */
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
  /** Null when the platform does not say. */
  expires_at: Instant.nullable(),
});
export type PaymentPage = z.infer<typeof PaymentPage>;

/**
 * `200` of `POST /v1/vendor-forms`: the form's URL, for a sandboxed frame (`allow-forms allow-scripts`), and a nonce
 * that our return page repeats, so that no other page in the frame can pass for it.
 */
export const VendorForm = z.strictObject({url: z.string(), nonce: Nonce});
export type VendorForm = z.infer<typeof VendorForm>;

/**
 * The message that our return page, `GET /return/vendor`, posts to the window that frames or opened it, if that window
 * has the session's origin. From a sandboxed frame the message arrives with the origin `"null"`. Check `event.source`
 * and `nonce` to tell it from other messages: the nonce appears only in the form's return URLs. The platform knows
 * these URLs too, so the message is only a hint; the event `vendor.registered` notifies the merchant's server.
 */
export const VendorReturn = z.strictObject({
  type: z.literal('vezne-vendor'),
  /** Which of its two return URLs the form used. */
  outcome: z.enum(['success', 'failure']),
  /** As returned by `POST /v1/vendor-forms`. */
  nonce: Nonce,
});
export type VendorReturn = z.infer<typeof VendorReturn>;
