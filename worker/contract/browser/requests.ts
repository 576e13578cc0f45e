/** The requests of pages, which the Worker parses with these schemas. An isolate builds each at the first request. */

import * as z from 'zod/mini';
import {webUrl} from '../../lib/formats.ts';
import {lazily} from '../../lib/lazily.ts';
import {Buyer} from '../buyer.ts';
import {Amount, personText, text, typedText, WrittenInstant} from '../fields.ts';
import {parseTurkishIban} from '../readers/iban.ts';
import {readPhone} from '../readers/mobile-number.ts';
import {PageFactsInput} from './page-facts.ts';

/** The name of an offer. That of a bill has up to 71 characters. */
const OfferName = lazily(() => typedText(80));

/** Connects a visit, its clicks and a subscription: the campaign's click id, or an id that the page created. */
export const TrackingId = lazily(() =>
  z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/, 'Expected up to 255 visible ASCII characters.')),
);

/**
 * A Turkish mobile number in any usual spelling: `"0532 123 45 67"`, `"+90 532…"`, `"5321234567"`. Any other text is
 * refused with `number_invalid`.
 */
const Msisdn = lazily(() => typedText(32));

/** Id of one of the session's `operators`; other ids are refused with `operator_invalid`. */
const Operator = lazily(() => z.int().check(z.minimum(1), z.maximum(7)));

/** The number token that the mobile network put into the page's URL: any visible text, as the network gave it. */
const NumberToken = lazily(() => typedText(1000));

/**
 * The URL to which the shopper returns. Its origin must be the session's. If a merchant's server created the session,
 * any URL below one of `RETURN_URLS` is allowed too. Other URLs are refused with `return_url_not_allowed`.
 */
const ReturnUrl = lazily(() => webUrl().check(z.maxLength(2000)));

/** `POST /v1/sessions`: the page names an offer and never an amount. */
export const SessionRequest = lazily(() => z.strictObject({offer: OfferName()}));
export type SessionRequest = z.infer<ReturnType<typeof SessionRequest>>;

/** `POST /v1/handoffs/preview`. */
export const HandoffRequest = lazily(() =>
  z.strictObject({
    /** The code contains the order's reference of up to 255 characters, which is much longer when encoded for a URL. */
    code: typedText(4096),
    /**
     * The page's offer; omitted when the merchant's server creates the page's sessions. A hand-off of a different offer
     * is refused.
     */
    offer: z.optional(OfferName()),
  }),
);
export type HandoffRequest = z.infer<ReturnType<typeof HandoffRequest>>;

/** `POST /v1/handoffs/redeem`. */
export const RedeemRequest = lazily(() =>
  z.strictObject({
    ...HandoffRequest().shape,
    /**
     * Unguessable text that the page chooses. If the answer is lost, the page can repeat the request with the same
     * text, and gets the answer again.
     */
    attempt: z.optional(typedText(64)),
  }),
);
export type RedeemRequest = z.infer<ReturnType<typeof RedeemRequest>>;

/** Turnstile's token, required after the error `human_check_required`. A token is valid for one request. */
const Human = lazily(() => z.optional(typedText(2048)));

/** Id of the account that the shopper chose, or code of a bank. The answer contains this account. */
const ChosenBank = lazily(() => z.optional(typedText(64)));

/**
 * Who buys, if the order asks for it: pages get `buyer_form`. It is asked once per order; what a later request sends is
 * ignored.
 */
const SentBuyer = lazily(() => z.optional(Buyer()));

/**
 * A page that has no session names an offer: the Worker opens the session and creates the order code. The page names no
 * price: `shown_amount` is only compared with the offer's amount. For a human check, the page needs a session.
 */
const NewOrderRequest = lazily(() =>
  z.strictObject({
    /** An offer of the kind `payment`. */
    offer: OfferName(),
    /**
     * Unguessable text that the page chooses for this purchase and keeps. The page, or any other page of its origin,
     * can repeat the request with the same text, and gets the same order, code and session. The text is a secret of the
     * shopper.
     */
    attempt: z.string().check(z.regex(/^[A-Za-z0-9_-]{22,64}$/, 'Expected 22 to 64 letters, digits, "_" or "-".')),
    /**
     * The amount that the shopper sees. If the offer has another amount, the request is refused with `price_changed`.
     */
    shown_amount: Amount(),
    bank: ChosenBank(),
    buyer: SentBuyer(),
    page: z.optional(PageFactsInput()),
  }),
);
export type NewOrderRequest = z.infer<ReturnType<typeof NewOrderRequest>>;

/** A page that has a session gets the order code of the session's order. */
const SessionOrderRequest = lazily(() =>
  z.strictObject({
    human: Human(),
    bank: ChosenBank(),
    buyer: SentBuyer(),
    page: z.optional(PageFactsInput()),
    /**
     * The session, for a request that is sent as `text/plain` and without the header `Authorization`, so that the
     * request needs no preflight. A request with the header does not need this field.
     */
    session: z.optional(typedText(8192)),
    /** Tells the two forms of the request apart. */
    offer: z.optional(
      z.never('With an offer, `attempt` and `shown_amount` are required, and `session` is not accepted.'),
    ),
  }),
);
export type SessionOrderRequest = z.infer<ReturnType<typeof SessionOrderRequest>>;

/** `POST /v1/order-code`: with an offer and an attempt, or with a session. */
export const OrderCodeRequest = lazily(() => z.union([NewOrderRequest(), SessionOrderRequest()]));
export type OrderCodeRequest = z.infer<ReturnType<typeof OrderCodeRequest>>;

/** `POST /v1/hosted-payment`: the platform's bank page, instead of our elements, shows the order code. */
export const HostedPaymentRequest = lazily(() =>
  z.strictObject({
    /** Where the platform's page sends the shopper at the end. */
    redirect_url: z.optional(ReturnUrl()),
    /** Target of the "back" link on the platform's page. */
    back_url: z.optional(ReturnUrl()),
    buyer: SentBuyer(),
    human: Human(),
    page: z.optional(PageFactsInput()),
  }),
);
export type HostedPaymentRequest = z.infer<ReturnType<typeof HostedPaymentRequest>>;

/**
 * `POST /v1/payment-notices`: reports a transfer whose description had no order code. Also for read-only sessions, which
 * come from hand-offs.
 */
export const PaymentNoticeRequest = lazily(() =>
  z.strictObject({
    /** Id of the account that the money was sent to, or code of its bank. */
    bank: text(64),
    /** The amount that the shopper says they sent; by default the amount still to be paid. */
    amount: z.optional(Amount()),
    notice: z.strictObject({
      name: z.optional(personText(255)),
      email: z.optional(personText(255)),
      /** A Turkish mobile number is sent as ten digits, any other text as it is. */
      phone: z.optional(
        z.pipe(
          personText(32),
          z.transform((phone) => readPhone(phone) ?? phone),
        ),
      ),
      /** National identity number. The Worker sends it to the platform and does not store it. */
      tc_no: z.optional(text(32)),
      /** When the money was sent. Fractions of a second are dropped. */
      apply_time: z.optional(WrittenInstant()),
      description: z.optional(personText(1000)),
    }),
    redirect_url: z.optional(ReturnUrl()),
    back_url: z.optional(ReturnUrl()),
    human: Human(),
  }),
);
export type PaymentNoticeRequest = z.infer<ReturnType<typeof PaymentNoticeRequest>>;

/** `POST /v1/refund-links/preview`. `link` is the end of a refund link's address. */
export const RefundLinkRequest = lazily(() => z.strictObject({link: typedText(64)}));

/** `POST /v1/refund-contacts`: where the money of a refund link goes. Order and amount are those of the link. */
export const RefundContactRequest = lazily(() =>
  z.strictObject({
    link: typedText(64),
    /** The holder of the account, with at least two letters. */
    name: personText(255).check(z.refine((name) => /\p{L}.*\p{L}/u.test(name), 'Expected a name.')),
    /** An account in Turkey, in any usual spelling. */
    iban: z.pipe(
      z.string().check(
        z.maxLength(64),
        z.refine((iban) => [undefined, 'mistyped'].includes(parseTurkishIban(iban).error), {
          error: 'Expected TR and 24 digits.',
          abort: true,
        }),
        z.refine((iban) => !parseTurkishIban(iban).error, 'The check digits of this IBAN are wrong.'),
      ),
      z.transform((iban) => parseTurkishIban(iban).iban ?? iban),
    ),
  }),
);

/** The language in which the page shows the offer. The receipt of a consent names it. */
const Language = lazily(() => z.optional(z.enum(['tr', 'en'])));

/**
 * `POST /v1/payment-pages`: creates a payment page of the platform for the amount still to be paid. While an order's
 * payment page is open, every request gets the URL of that page, even if the request names different return URLs. A
 * request without return URLs uses the session's return URLs, or else the page's origin.
 */
export const PaymentPageRequest = lazily(() =>
  z.strictObject({
    success_url: z.optional(ReturnUrl()),
    failure_url: z.optional(ReturnUrl()),
    /**
     * Creates a new payment page although a payment page is open, for a shopper who came back without paying. The
     * shopper can then pay on both pages.
     */
    anew: z.optional(z.boolean()),
    /** The language of the offer's title on the payment page. If it is missing, the title is Turkish. */
    language: Language(),
    buyer: SentBuyer(),
    human: Human(),
    page: z.optional(PageFactsInput()),
  }),
);
export type PaymentPageRequest = z.infer<ReturnType<typeof PaymentPageRequest>>;

/** `POST /v1/pins`: sends a PIN by SMS. */
export const PinRequest = lazily(() =>
  z.strictObject({
    operator: Operator(),
    msisdn: Msisdn(),
    tracking_id: TrackingId(),
    human: Human(),
  }),
);
export type PinRequest = z.infer<ReturnType<typeof PinRequest>>;

/** `POST /v1/subscriptions`: subscribes with the PIN that was sent to the number, or one-click with a number token. */
export const SubscribeRequest = lazily(() =>
  z.union([
    z.strictObject({
      operator: Operator(),
      msisdn: Msisdn(),
      /** The PIN that the platform sent. Spaces are ignored. */
      pin: typedText(32),
      tracking_id: TrackingId(),
      language: Language(),
    }),
    z.strictObject({number_token: NumberToken(), tracking_id: TrackingId(), language: Language()}),
  ]),
);
export type SubscribeRequest = z.infer<ReturnType<typeof SubscribeRequest>>;

/** `POST /v1/numbers`: gets the number that a number token stands for. */
export const NumberRequest = lazily(() => z.strictObject({number_token: NumberToken()}));
export type NumberRequest = z.infer<ReturnType<typeof NumberRequest>>;

export const ACTIVITY_TYPES = ['visit', 'subscribe_clicked', 'confirm_clicked'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/**
 * `POST /v1/activities`: a visit or a click, as JSON, without a session. The content type may be `text/plain`, so that
 * a beacon needs no preflight. The Worker adds the visitor's IP address and browser, and removes numbers, PINs and
 * tokens from `url` and `referer`. It answers `202` with `{}` immediately, and reports the activity to the platform
 * afterwards, or later if the platform is down.
 */
export const Activity = lazily(() =>
  z.strictObject({
    /** An offer that has a product. An offer without a product is refused with `unknown_offer`. */
    offer: OfferName(),
    type: z.enum(ACTIVITY_TYPES),
    tracking_id: TrackingId(),
    /**
     * The id that the page gave to this activity. If the same id arrives several times within a day, the activity
     * counts once.
     */
    event_id: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/))),
    /** URL of the page, on the request's origin; required for a `visit`. */
    url: z.optional(typedText(2000)),
    /** URL that the visitor came from; `""` or `"-"` when there is none. */
    referer: z.optional(z.string().check(z.maxLength(2000))),
  }),
);
export type Activity = z.infer<ReturnType<typeof Activity>>;
