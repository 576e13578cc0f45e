/** Field types of the merchant API's inputs, which are strict. Their texts are at the end. */

import * as z from 'zod/mini';
import {existingDay, webUrl} from '../../lib/formats.ts';
import {describeFields} from '../described.ts';
import {
  DECIMAL_AMOUNT,
  explainAmount,
  plausibleTime,
  sensibleLine,
  sensibleText,
  text,
  WrittenInstant,
} from '../fields.ts';
import {hasCorrectCheckDigits, readIban} from '../readers/iban.ts';
import {MSISDN} from '../readers/mobile-number.ts';

/** Decimal text with at most two places, from 0.01 to 99999999.99. The Worker sends it to the platform exactly as written. */
export const Amount = z.string().check(
  z.regex(DECIMAL_AMOUNT, {error: explainAmount}),
  z.refine((amount) => /[1-9]/.test(amount), 'Expected more than 0.'),
);

/** Like `Amount`, but may be 0, such as a fee of `"0.00"`. */
export const AmountOrZero = z.string().check(z.regex(DECIMAL_AMOUNT, {error: explainAmount}));

/** One of the platform's ids: text of digits, because an id may exceed 2^53. A number is accepted if it is exact. */
export const Id = z.pipe(
  z.union([
    z.string().check(z.regex(/^\d{1,20}$/, 'Expected an id of up to 20 digits.')),
    z.int().check(z.nonnegative()),
  ]),
  z.transform(String),
);

/** The code of one of the merchant's services. */
export const Service = text(64);

/** The services to which an API key or a webhook is limited. */
export const ServiceList = z.array(Service).check(
  z.minLength(1),
  z.maxLength(100),
  z.refine((services) => new Set(services).size === services.length, 'Expected each service once.'),
);

/** A service code, or the service's numeric id in mobile billing. */
export const BillingService = z.pipe(z.union([text(64), z.int().check(z.nonnegative())]), z.transform(String));

/** Not `\P{Cc}`, because generators of clients copy a pattern without the flag that it needs. */
// oxlint-disable-next-line no-control-regex -- the pattern refuses them
const WITHOUT_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** The merchant's own reference for an order. */
export const Order = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(255),
    z.regex(WITHOUT_CONTROLS, 'Expected text without control characters.'),
    sensibleText(),
  );

/** Ten digits beginning with 5. */
export const Msisdn = z.string().check(z.regex(MSISDN, 'Expected ten digits that begin with 5.'));

/**
 * An account to which the merchant sends money; see also `requireIbanCountry`. The shape is checked before the check
 * digits, so that only one of the two messages is shown.
 */
export const Iban = z.pipe(
  z.string().check(
    z.maxLength(64),
    z.refine((iban) => readIban(iban) !== undefined, {
      error: 'Expected an IBAN, such as TR and 24 digits.',
      abort: true,
    }),
    z.refine((iban) => hasCorrectCheckDigits(readIban(iban) ?? ''), 'The check digits of this IBAN are wrong.'),
  ),
  z.transform((iban) => readIban(iban) ?? iban),
);

/** Id of a mobile operator, 1 to 7 (`docs/spec/subscriptions.md`, section 4.C, rule 6). */
export const Operator = z.int().check(z.minimum(1), z.maximum(7));

export const Product = z.int().check(z.nonnegative());

/** An existing date, formatted `YYYY-MM-DD`. */
export const Day = existingDay({abort: true}).check(plausibleTime(Date.parse));

/** A time with an offset. The parsed time is formatted as in answers. */
export const Instant = WrittenInstant();

const HOST_OUTSIDE_ASCII = /^[^/]*\/\/[^/?#\\]*\P{ASCII}/u;

/** Sent to the platform as it is written, unless its host is outside ASCII, which a `Location` header cannot have. */
export const Url = z.pipe(
  webUrl().check(z.maxLength(2000), sensibleLine()),
  z.transform((url) => (HOST_OUTSIDE_ASCII.test(url) ? new URL(url).href : url)),
);

export const Limit = (max: number) => z.int().check(z.minimum(1), z.maximum(max));

/** A cursor may contain an order's reference, which has up to 765 bytes, as base64. */
export const Cursor = text(1_200);

if (DESCRIBED)
  describeFields(
    {
      Amount,
      AmountOrZero,
      Id,
      Service,
      BillingService,
      Order,
      Msisdn,
      Operator,
      Product,
      Day,
      Instant,
      Url,
      Iban,
      Cursor,
    },
    {
      Amount: {
        description: 'Decimal text in lira with at most two places, from 0.01 to 99999999.99.',
        examples: ['149.90'],
      },
      AmountOrZero: {
        description: 'Decimal text in lira with at most two places, at most 99999999.99.',
        examples: ['9.90'],
      },
      Id: {description: 'One of the platform’s ids. It is text, because ids may exceed 2^53.', examples: ['77001']},
      Service: {description: 'Service code, as in `SERVICES`.', examples: ['DEMO']},
      BillingService: {description: 'Service code, or the service’s numeric id in mobile billing.', examples: ['DEMO']},
      Order: {
        description: 'The merchant’s reference for the order. It has no control characters.',
        examples: ['S-1009'],
      },
      Msisdn: {description: 'Mobile number: ten digits beginning with 5.', examples: ['5321234567']},
      Operator: {description: 'Mobile operator, 1 to 7.', examples: [1]},
      Product: {description: 'Id of a product of the landing interface.', examples: [77]},
      Day: {description: 'A date in Turkey, formatted `YYYY-MM-DD`.', examples: ['2026-11-21']},
      Instant: {
        description: 'RFC 3339, with any offset. Fractions of a second are dropped.',
        examples: ['2026-11-21T15:42:00+03:00'],
        format: 'date-time',
      },
      Url: {examples: ['https://shop.example/thanks']},
      Iban: {
        description: 'An IBAN with correct check digits, of a country of `IBAN_COUNTRIES`, in any usual spelling.',
        examples: ['TR330006100519786457841326'],
      },
      Cursor: {
        description:
          '`next_cursor` of the previous page, which is valid for 30 days. All other fields must be the same as in the ' +
          'request for that page.',
        examples: ['aGEt1b3_Y8yIuQm0.Xk9pTz5rVw'],
      },
    },
  );
