/** Field types of the browser API, in requests and in answers. */

import * as z from 'zod/mini';
import {webUrl} from '../lib/formats.ts';
import {lazily} from '../lib/lazily.ts';
import {EARLIEST_TIME_MS, formatInstant} from '../lib/time.ts';
import {parseWrittenTime} from '../lib/written-time.ts';
import {readEmail} from './readers/email.ts';

/** An amount in `TRY` as decimal text with two places: `"149.90"`. */
export const Amount = lazily(() => z.string().check(z.regex(/^\d{1,12}\.\d{2}$/)));

/**
 * An amount as a merchant writes it: decimal text with at most two places, such as `"149"` or `"149.9"`. The contract
 * names no largest amount. The bound, `MAX_AMOUNT`, refuses an amount that can only be a mistake.
 */
export const DECIMAL_AMOUNT = /^(0|[1-9]\d{0,7})(\.\d{1,2})?$/;
export const MAX_AMOUNT = '99999999.99';
export const EXPECTED_SMALLER_AMOUNT = `Expected at most ${MAX_AMOUNT}.`;

/** The message for text that is not a `DECIMAL_AMOUNT`. */
export const explainAmount = ({input}: {readonly input?: unknown}) =>
  /^[1-9]\d{8,}(\.\d{1,2})?$/.test(String(input))
    ? EXPECTED_SMALLER_AMOUNT
    : 'Expected decimal text with at most two places, such as "149.90".';

/** A time in ISO 8601 with Turkey's offset: `"2026-11-21T15:42:00+03:00"`. */
export const Instant = /* @__PURE__ */ lazily(() =>
  z.stringFormat('datetime', (time) => parseWrittenTime(time) !== null),
);

/**
 * Sent with a vendor form and repeated by our return page, so that a page can recognize the return page's message; see
 * `VendorReturn`.
 */
export const Nonce = lazily(() => z.string().check(z.regex(/^[0-9A-Z]{26}$/)));

/**
 * What makes no sense in a text: half a character, which no encoding preserves; controls; separators of lines and
 * paragraphs; and what changes, embeds, overrides or isolates a direction, which could turn the price beside the text around. The marks U+200E and U+200F only help to read
 * a text, so they are allowed.
 */
const SENSELESS = /[\p{Cs}\p{Cc}\u061c\u2028-\u202e\u2066-\u2069]/u;

const sensible = (allowed: RegExp) =>
  z.refine<string>(
    (value) => !SENSELESS.test(value.replace(allowed, '')),
    'Expected well-formed text without control characters and U+061C, U+2028 to U+202E, U+2066 to U+2069.',
  );
export const sensibleText = lazily(() => sensible(/[\t\n\r]/g));
/** For text of one line. */
export const sensibleLine = lazily(() => sensible(/(?!)/));

/**
 * Text that a merchant writes. All checks are in one `check` call, because each chained call would create
 * another schema when an isolate starts.
 */
export const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), sensibleText());

/**
 * Text that a shopper or another person wrote. The directions that address books put around a pasted number or name are
 * removed.
 */
export const personText = (max: number) =>
  z.string().check(
    z.overwrite((value) => value.replace(/[\u061c\u202a-\u202e\u2066-\u2069]/g, '')),
    z.minLength(1),
    z.maxLength(max),
    sensibleText(),
  );

/** Text that the Worker reads and does not pass on as it is, such as a pasted number with marks around it. */
export const typedText = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));

/** The URL of a web page that an element links to. */
export const PageUrl = lazily(() => webUrl().check(z.maxLength(2000), sensibleLine()));

/** Pages that the elements for subscribing link to. Offers and sessions may omit each of them. */
export const subscriptionLinks = lazily(() => ({
  /** The full terms. */
  terms_url: z.optional(PageUrl()),
  /** How the merchant uses the shopper's data. */
  privacy_url: z.optional(PageUrl()),
  /** Where a subscriber sees and cancels the subscription. */
  manage_url: z.optional(PageUrl()),
}));
export type SubscriptionLinks = z.output<z.ZodMiniObject<ReturnType<typeof subscriptionLinks>>>;

/** A phone number as people write it: `0850 000 00 00` or `+90 (850) 000 00 00`. */
const PHONE = /^\+?[\d ()-]{3,24}$/;

/** A text that a reader understands, as it reads it. */
export const readable = (read: (typed: string) => string | undefined, message: string) =>
  z.string().check(
    z.overwrite((value) => read(value) ?? value),
    z.refine((value) => read(value) !== undefined, message),
  );
export const Email = lazily(() => readable(readEmail, 'Expected an e-mail address.'));

/** The seller that the elements show to a shopper, and how the shopper reaches the seller. */
export const Seller = lazily(() =>
  z.strictObject({
    /** The name that shoppers know, which often differs from the recipient of the money. */
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100), sensibleText()),
    /** A page with a contact form or a chat. */
    support_url: z.optional(PageUrl()),
    support_phone: z.optional(z.string().check(z.regex(PHONE, 'Expected a phone number.'))),
    support_email: z.optional(Email()),
  }),
);
export type Seller = z.output<ReturnType<typeof Seller>>;

const LATEST_MS = Date.UTC(2100, 0, 1);

const isPlausible = (ms: number) => ms >= EARLIEST_TIME_MS && ms < LATEST_MS;

/** Refuses times outside the years 2000 to 2099, so that a year has four digits in every time zone. */
export const plausibleTime = (parse: (time: string) => number) =>
  z.refine<string>((time) => isPlausible(parse(time)), 'Expected a time between the years 2000 and 2099.');

/** A time that a caller writes; see `parseWrittenTime`. The parsed time is an `Instant`. */
export const WrittenInstant = lazily(() =>
  z.pipe(
    z.string().check(
      z.refine((time) => parseWrittenTime(time) !== null, {
        error: 'Expected an existing time with an offset (RFC 3339), such as 2026-11-21T15:42:00+03:00.',
        abort: true,
      }),
      plausibleTime((time) => parseWrittenTime(time) ?? Number.NaN),
    ),
    z.transform((time) => formatInstant(parseWrittenTime(time) ?? Number.NaN)),
  ),
);

export const localized = (max: number) => z.strictObject({tr: text(max), en: text(max)});
/** A text in both languages of the elements. */
export const Localized = lazily(() => localized(5_000));
export type Localized = z.infer<ReturnType<typeof Localized>>;
/** A title is part of each session of its offer, so it is short. */
export const Title = lazily(() => localized(200));

/** What the merchant's server, or a page, wants to find again with the order. */
export const metadataOf = (value: z.ZodMiniType<string, string>) =>
  z
    .record(
      z.string().check(z.regex(/^[\w.-]{1,40}$/, 'Expected up to 40 letters, digits, dots, hyphens or underscores.')),
      value,
    )
    .check(z.refine((entries) => Object.keys(entries).length <= 10, 'Expected at most 10 entries.'));
export const Metadata = lazily(() => metadataOf(text(200)));

/** What the elements do once all money has arrived. */
export const afterPayment = lazily(() => ({
  /** What the last card says. */
  thanks: z.optional(localized(1_000)),
  /** Where the last card leads the shopper, once. */
  after_payment: z.optional(PageUrl()),
}));
export type AfterPayment = z.output<z.ZodMiniObject<ReturnType<typeof afterPayment>>>;

export const PAYMENT_STATES = [
  'waiting',
  'pending',
  'partial',
  'paid',
  'overpaid',
  'completed',
  'refunded',
  'expired',
  'cancelled',
] as const;

/** A mobile network's token for a number: visible text. */
export const NUMBER_TOKEN = /^[^\s\p{C}]+$/u;

/** Free days before the first charge of a subscription. */
export const TrialDays = lazily(() => z.int().check(z.positive(), z.maximum(3650)));

export const SUBSCRIPTION_STATES = ['active', 'retry', 'suspend', 'cancelled', 'rejected', 'unknown'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];
