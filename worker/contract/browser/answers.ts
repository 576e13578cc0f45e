/**
 * The Worker's answers to pages; the requests are in `requests.ts`. Elements and Worker use only the types, and
 * `DESCRIBED` keeps the schemas out of the Worker's bundle. Amounts are decimal text with two places; times are ISO 8601
 * with `+03:00`.
 */

import * as z from 'zod/mini';
import {bank, bankListFields} from '../bank-list.ts';
import {BuyerForm} from '../buyer.ts';
import '../described.ts';
import {afterPayment, Amount, Instant, Localized, Nonce, PAYMENT_STATES, Seller} from '../fields.ts';
import {Campaign} from './page-facts.ts';

/** What a page asks the shopper for before it asks for the order code. */
const Form = DESCRIBED && BuyerForm().check(z.meta({id: 'BuyerForm'}));

/** What a page needs to show the human check. */
export const HumanCheck =
  DESCRIBED &&
  z.strictObject({
    /** Turnstile's site key. */
    sitekey: z.string(),
    /** The `action` with which the page must render Turnstile. The Worker refuses a token for a different action. */
    action: z.string(),
  });
export type HumanCheck = z.infer<typeof HumanCheck>;

/**
 * `201` of `POST /v1/sessions` for an offer of the kind `payment`. For the kind `subscription`, the answer is in
 * `subscription-answers.ts`.
 */
export const NewPaymentSession =
  DESCRIBED &&
  z.strictObject({
    /** The session, which later requests carry as `Authorization: Bearer`. */
    token: z.string(),
    kind: z.literal('payment'),
    /** The merchant's reference for this order. */
    order: z.string(),
    title: Localized(),
    amount: Amount(),
    currency: z.literal('TRY'),
    /** The time until which an order code may be created. */
    create_until: Instant(),
    /** The time until which the payment may be read. */
    read_until: Instant(),
    /** How many hours the shopper has to pay. */
    hours: z.number().check(z.positive()),
    /**
     * Null when no human check is configured. In that case, shoppers of an IP address with too many unpaid orders have to
     * wait.
     */
    human_check: z.nullable(HumanCheck),
    /** What the page asks the shopper for before it asks for the order code; left out if it asks for nothing. */
    buyer_form: z.optional(Form),
  });
export type NewPaymentSession = z.infer<typeof NewPaymentSession>;

/** One of the merchant's bank accounts that a shopper may pay into. */
export const Bank = DESCRIBED && bank();
export type Bank = z.infer<typeof Bank>;

/** `GET /v1/banks`. */
export const BankList = DESCRIBED && z.strictObject({banks: z.array(Bank), ...bankListFields()});
export type BankList = z.infer<typeof BankList>;

/** `POST /v1/order-code` with a session. */
export const OrderCode =
  DESCRIBED &&
  z.strictObject({
    /** The code that the shopper writes into the transfer's description. Some platforms use digits, others letters. */
    order_code: z.string(),
    order: z.string(),
    amount: Amount(),
    currency: z.literal('TRY'),
    /** The deadline for the payment. Money that arrives afterwards is late. */
    pay_until: Instant(),
    /**
     * The account of the bank in the request, from the current bank list. Null if the request names no bank, if the list
     * does not have the bank, and if there is no list.
     */
    account: z.nullable(Bank),
    /** Left out if neither the offer nor the merchant's server names the seller. */
    seller: z.optional(Seller()),
  });
export type OrderCode = z.infer<typeof OrderCode>;

/** `POST /v1/order-code` with an offer: the session and its order code. */
export const PlacedOrder =
  DESCRIBED && z.strictObject({...OrderCode.shape, ...z.omit(NewPaymentSession, {buyer_form: true}).shape});
export type PlacedOrder = z.infer<typeof PlacedOrder>;

export type PaymentState = (typeof PAYMENT_STATES)[number];

/** Money that arrived for the order. */
export const Transaction =
  DESCRIBED &&
  z.strictObject({
    /** Id of the transaction. When `bank` is null, the id of the mobile billing charge. */
    id: z.string(),
    amount: Amount(),
    currency: z.string(),
    /** Name of the bank that received the money; null for money that was charged to a phone bill. */
    bank: z.nullable(z.string()),
    /** The bank's time, or when the money was first seen if `time_unknown` is set. */
    at: Instant(),
    time_unknown: z.optional(z.literal(true)),
  });
export type Transaction = z.infer<typeof Transaction>;

/** The shopper's latest payment notice, which reports a transfer whose description had no order code. */
export const ShownPaymentNotice =
  DESCRIBED &&
  z.strictObject({
    at: Instant(),
    /** Code of the bank that the money was sent to. */
    bank: z.string(),
    /** The amount that the shopper says they sent. */
    amount: Amount(),
    /**
     * Whether the platform has received the notice. The shopper has to submit the notice on the platform's page, and may
     * have left that page without submitting it. Null if the platform does not show this.
     */
    sent: z.nullable(z.boolean()),
  });
export type ShownPaymentNotice = z.infer<typeof ShownPaymentNotice>;

/** What a shopper needs to ask the seller about an order. Every session of the order may read it. */
const OrderReference =
  DESCRIBED &&
  z.strictObject({
    /** The merchant's reference of the order. */
    order: z.string(),
    /** Null if the order has no code, for example because the shopper paid on the payment page. */
    order_code: z.nullable(z.string()),
    /** Left out if neither the offer nor the merchant's server names the seller. */
    seller: z.optional(Seller()),
    /** What the shopper buys, if the merchant's server says so. */
    title: z.optional(Localized()),
  });
export type OrderReference = z.infer<typeof OrderReference>;

/** `GET /v1/payment`, and each message of `GET /v1/payment/live`. */
export const Payment =
  DESCRIBED &&
  z.strictObject({
    ...OrderReference.shape,
    /** Grows with each change of the order. An answer with a lower revision than one before is older. */
    revision: z.int(),
    state: z.enum(PAYMENT_STATES),
    amount: Amount(),
    /** Of all amounts except those of `transactions`, which have their own. */
    currency: z.literal('TRY'),
    /** Money that arrived and was not refunded: a refund lowers it. */
    paid: Amount(),
    /** Money that arrived and was sent back. */
    refunded: Amount(),
    /** Money that the merchant's server is sending back, and of which the platform has no result yet. */
    refunding: Amount(),
    /** The amount that has not arrived yet; `"0.00"` when all has arrived. A refund never raises it. */
    remaining: Amount(),
    /** True when too little money had arrived by the payment deadline, and more arrived afterwards. */
    late: z.boolean(),
    /** True when the payment deadline has passed and too little money has arrived: a page must not ask for the rest. */
    overdue: z.boolean(),
    /**
     * True when some of the money does not count, because its currency is not `TRY`, its amount cannot be read, or its
     * status is not one with which money counts. The shopper may have paid more than the state says.
     */
    unclear: z.boolean(),
    /** The shopper's payment notice, if any. After the notice is `sent`, the platform looks for the transfer. */
    notice: z.nullable(ShownPaymentNotice),
    transactions: z.array(Transaction),
    /** When a hand-off of this order was last redeemed on another device; null if that never happened. */
    handed_over_at: z.nullable(Instant()),
    /** When the Worker last read the payment from the platform. */
    as_of: Instant(),
    /** What the page does once all money has arrived. Left out before, and if there is nothing to do. */
    purchase: z.optional(
      z.strictObject({
        ...afterPayment(),
        /** The campaign in the address of the page that ordered. A page with a bill's link does not get it. */
        campaign: z.optional(Campaign()),
      }),
    ),
  });
export type Payment = z.infer<typeof Payment>;

/** `GET /v1/payment`. */
export const ReadPayment =
  DESCRIBED &&
  z.strictObject({
    ...Payment.shape,
    /**
     * What the page asks the shopper for before it asks for the order code. It is there only while the session may create
     * the code, and the order has neither a code nor a buyer.
     */
    buyer_form: z.optional(Form),
  });
export type ReadPayment = z.infer<typeof ReadPayment>;

/** `201` of `POST /v1/handoffs`: a code that opens the same order on another device, once. */
export const Handoff = DESCRIBED && z.strictObject({code: z.string(), expires_at: Instant()});
export type Handoff = z.infer<typeof Handoff>;

/** `POST /v1/handoffs/preview`: the order that a hand-off opens. The hand-off can still be redeemed afterwards. */
export const HandoffPreview =
  DESCRIBED &&
  z.strictObject({
    /** Null when a merchant's server created the session and named no title. */
    title: z.nullable(Localized()),
    amount: Amount(),
    currency: z.literal('TRY'),
    /** Left out if neither the offer nor the merchant's server names the seller. */
    seller: z.optional(Seller()),
  });
export type HandoffPreview = z.infer<typeof HandoffPreview>;

/** `201` of `POST /v1/handoffs/redeem`: a read-only session. It may also send a payment notice. */
export const RedeemedSession =
  DESCRIBED &&
  z.strictObject({
    token: z.string(),
    kind: z.literal('payment'),
    order: z.string(),
    /** Null when a merchant's server created the session and named no title. */
    title: z.nullable(Localized()),
    amount: Amount(),
    currency: z.literal('TRY'),
    read_until: Instant(),
  });
export type RedeemedSession = z.infer<typeof RedeemedSession>;

/** `200` of `POST /v1/refund-links/preview` and `POST /v1/refund-contacts`: what comes back, and how far it is. */
export const ShownRefund =
  DESCRIBED &&
  z.strictObject({
    /**
     * - `open`: the page may ask for the shopper's name and IBAN.
     * - `sent`: the platform accepted the refund to these details. Only the page that sent them reads this.
     * - `checking`: details were sent, and the outcome is not known yet. The same details may be sent again, others not.
     * - `refused`: the platform refused these details. The shopper may correct them.
     * - `used`: the platform accepted a refund. `expired`, `withdrawn`: the link cannot be used any more.
     * - `unavailable`: the money can no longer be sent back with this link; the shopper asks the seller.
     */
    state: z.enum(['open', 'sent', 'checking', 'refused', 'used', 'expired', 'withdrawn', 'unavailable']),
    amount: Amount(),
    currency: z.literal('TRY'),
    expires_at: Instant(),
    /** Left out if the order names no seller. */
    seller: z.optional(Seller()),
    /** What the shopper bought, if the order says so. */
    title: z.optional(Localized()),
  });
export type ShownRefund = z.infer<typeof ShownRefund>;

/** The results of the deliveries to a webhook, without the webhook's URL, because anybody may read `/health`. */
const WebhookState =
  DESCRIBED &&
  z.strictObject({
    id: z.string(),
    enabled: z.boolean(),
    last_success_at: z.nullable(Instant()),
    last_failure_at: z.nullable(Instant()),
    /** HTTP status of the last answer that did not accept an event; null if no answer came. */
    last_status: z.nullable(z.int()),
    last_fault: z.nullable(z.enum(['timeout', 'connection', 'interrupted', 'secret_unreadable'])),
    /** How many events wait for delivery; 1000 for any larger number. */
    waiting: z.int(),
  });

/** `GET /health`. */
export const Health =
  DESCRIBED &&
  z.strictObject({
    /** `degraded`: because of trouble with the platform, pages cannot do everything. */
    status: z.enum(['ok', 'degraded', 'misconfigured']),
    version: z.string(),
    /** The settings that are missing or wrong, such as `LIMITS.address_pins_per_hour`; of a secret only its name. */
    bindings: z.array(z.string()),
    webhooks: z.array(WebhookState),
    /** For the operator: one sentence per problem, which says what is wrong and what to do. */
    problems: z.array(z.string()),
    /**
     * For the operator: one sentence for each limit that refused shoppers in the last five minutes, and one sentence that
     * names the offers without a human check. Notices do not change `status`, because anybody can cause refusals.
     */
    notices: z.array(z.string()),
  });
export type Health = z.infer<typeof Health>;

/** `202` of `POST /v1/activities`. */
export const AcceptedActivity = DESCRIBED && z.strictObject({});
export type AcceptedActivity = z.infer<typeof AcceptedActivity>;

/** `200` of `POST /v1/hosted-payment`: the order's only order code, and the URL of the platform's bank page. */
export const HostedPayment = DESCRIBED && z.strictObject({order_code: z.string(), url: z.string()});
export type HostedPayment = z.infer<typeof HostedPayment>;

/** `200` of `POST /v1/payment-notices`. The shopper submits the notice on the platform's page at `url`. */
export const CreatedPaymentNotice = DESCRIBED && z.strictObject({notice_code: z.string(), url: z.string()});
export type CreatedPaymentNotice = z.infer<typeof CreatedPaymentNotice>;

/**
 * `GET /v1/payment-notices/prefill`: values with which the page prefills a payment notice. The merchant's server gave
 * all values but the amount for this shopper, so a read-only session is refused.
 */
export const NoticePrefill =
  DESCRIBED &&
  z.strictObject({
    /** The order of the session. A page drops an answer for another order. */
    order: z.string(),
    /** The amount still to be paid; the order's whole amount when everything is paid. */
    amount: z.string(),
    name: z.nullable(z.string()),
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    description: z.nullable(z.string()),
  });
export type NoticePrefill = z.infer<typeof NoticePrefill>;

/** `200` of `POST /v1/payment-pages`. */
export const PaymentPage =
  DESCRIBED &&
  z.strictObject({
    url: z.string(),
    /** Null when the platform does not say. */
    expires_at: z.nullable(Instant()),
  });
export type PaymentPage = z.infer<typeof PaymentPage>;

/**
 * `200` of `POST /v1/vendor-forms`: the form's URL, for a sandboxed frame (`allow-forms allow-scripts`), and a nonce.
 * Our return page repeats the nonce, so that no other page in the frame can pretend to be the return page.
 */
export const VendorForm =
  DESCRIBED &&
  z.strictObject({
    url: z.string(),
    nonce: Nonce(),
    /** Value of the attribute `sandbox` of a frame that shows the form. */
    sandbox: z.string(),
  });
export type VendorForm = z.infer<typeof VendorForm>;

/**
 * The message that our return page, `GET /return/vendor`, posts to the window that frames it or opened it, if that
 * window has the session's origin. From a sandboxed frame the message may arrive with the origin `"null"`, so check
 * `event.source` and `nonce` to distinguish it from other messages. The nonce appears only in the form's return URLs.
 * Because the platform also knows these URLs, the message is only a hint. The event `vendor.registered` notifies the
 * merchant's server.
 */
export const VendorReturn =
  DESCRIBED &&
  z.strictObject({
    type: z.literal('vezne-vendor'),
    /** Whether the form sent the vendor to the return URL for success or to the return URL for failure. */
    outcome: z.enum(['success', 'failure']),
    /** The nonce that `POST /v1/vendor-forms` returned. */
    nonce: Nonce(),
  });
export type VendorReturn = z.infer<typeof VendorReturn>;
