/** The schemas of the settings (`settings.ts`). Each is built when a setting needs it first. */

import * as z from 'zod/mini';
import {SUBSCRIPTION_STATES} from '../contract/fields.ts';
import {webUrl} from '../lib/formats.ts';
import {lazily} from '../lib/lazily.ts';
import {isExtraParameterName} from '../platform/extra-parameters.ts';
import {parseRecipe, type PaymentPageRecipe} from '../platform/keys.ts';
import {QUOTA_NAMES, type QuotaName} from '../platform/quota-limits.ts';
import {type StatusKind, toStatusWord} from '../platform/statuses.ts';
import {NOTIFICATION_NAMES, parseWebhookSecret} from './notifications.ts';
import {isLoopback, parseOriginPattern} from './origins.ts';

/**
 * A chosen secret needs at least this many different characters. A random text of 16 hex digits has fewer in one of
 * ninety cases, a longer random text almost never.
 */
const MIN_DIFFERENT_CHARACTERS = 8;

/** Ends a transformation with a message about the value. */
function refuse(context: z.core.ParsePayload, message: string) {
  context.issues.push({code: 'custom', message, input: undefined});
  return z.NEVER;
}

/** Accepts a table from `wrangler.toml`, or the same table as JSON text, which is what `--var` passes. */
export const tableOrJson = <T extends z.ZodMiniType>(schema: T) =>
  z.pipe(
    z.transform((value: unknown, context) => {
      if (typeof value !== 'string') return value;
      try {
        return JSON.parse(value) as unknown;
      } catch {
        return refuse(context, 'This is neither a table nor JSON.');
      }
    }),
    schema,
  );

/** The Worker sends names, IBANs and tokens to these URLs, so plain http is allowed only on this machine. */
export const BaseAddress = lazily(() =>
  z.pipe(
    webUrl().check(
      z.refine(
        (url) => url.startsWith('https:') || (URL.canParse(url) && isLoopback(new URL(url))),
        'Expected a URL that begins with https://.',
      ),
    ),
    z.transform((url) => url.replace(/\/+$/, '')),
  ),
);
/** Letters and digits, so that every platform takes them, and a mark at the end. */
export const OrderPrefix = () =>
  z
    .string()
    .check(z.regex(/^(?:[A-Za-z0-9]{1,15}[-_.])?$/, 'Expected up to 15 letters or digits, and "-", "_" or ".".'));
export const PhsAddress = () =>
  BaseAddress().check(z.refine((url) => url.endsWith('/phs'), 'Expected a URL that ends in /phs.'));
/**
 * URL of the merchant's server. It must not have a fragment, because a fragment is never sent. It must not have
 * credentials, because `fetch` refuses them.
 */
export const WebhookAddress = () =>
  BaseAddress().check(
    z.refine((url) => !/[#]|\/\/[^/]*@/.test(url), 'Expected a URL without # and without a user name.'),
  );
export const WebhookKey = () =>
  z.pipe(
    z.string(),
    z.transform((text, context) => {
      const key = parseWebhookSecret(text);
      return key && new Set(key).size >= MIN_DIFFERENT_CHARACTERS
        ? key
        : refuse(
            context,
            'Expected whsec_ and the base64 of 24 to 64 random bytes, or at least 32 ASCII characters, 8 of them ' +
              'different.',
          );
    }),
  );
const FilledText = lazily(() => z.string().check(z.minLength(1)));
/** A secret that the platform issues. Its length is the platform's choice. */
export const PlatformSecret = FilledText;
export const Secret = () => z.string().check(z.minLength(8));
/**
 * A secret that the operator chooses. The check refuses a carelessly typed text, which has only a few different
 * characters.
 */
const chosenSecret = (minLength: number) =>
  z.string().check(
    z.minLength(minLength),
    z.refine(
      (secret) => new Set(secret).size >= MIN_DIFFERENT_CHARACTERS,
      `Expected at least ${MIN_DIFFERENT_CHARACTERS} different characters.`,
    ),
  );
export const SigningSecret = lazily(() => chosenSecret(32));
export const ApiKey = lazily(() => chosenSecret(16).check(z.maxLength(500)));
/**
 * A list in one text. The message quotes the entries that are not accepted, and shows a list with commas as it has to be.
 * @param parse - Returns null for an entry that is not accepted.
 * @param expected - What the entries are: `origins such as https://shop.example`.
 */
const listOf = <T>(parse: (entry: string) => T | null, expected: string, separator = /\s+/) =>
  z.pipe(
    z.string(),
    z.transform((text, context): T[] => {
      const entries = text.split(separator).filter(Boolean);
      const refused = entries.filter((entry) => parse(entry) === null);
      if (refused.length === 0) return entries.map(parse) as T[];
      const quoted = refused.map((entry) => `"${entry}"`).join(', ');
      const spaced = text.split(/[\s,;]+/).filter(Boolean);
      const advice = spaced.every((entry) => parse(entry) !== null) ? ` Write "${spaced.join(' ')}".` : '';
      return refuse(context, `Expected ${expected}, not ${quoted}.${advice}`);
    }),
  );

/** A list without its repetitions. */
const setOf = <T>(list: z.ZodMiniType<T[]>) =>
  z.pipe(
    list,
    z.transform((items): ReadonlySet<T> => new Set(items)),
  );

/** The same without the empty list. */
const filledSetOf = (parse: (entry: string) => string | null, expected: string) =>
  setOf(z.pipe(listOf(parse, expected), z.array(z.string()).check(z.minLength(1, `Expected ${expected}.`))));

export const Origins = lazily(() =>
  listOf(
    parseOriginPattern,
    'origins such as https://shop.example, without a slash at the end and separated by spaces',
  ),
);
const Service = () =>
  z.strictObject({
    privateKey: z.optional(PlatformSecret()),
    micropaymentId: z.optional(
      z.pipe(z.union([z.int().check(z.nonnegative()), z.string().check(z.regex(/^\d{1,20}$/))]), z.transform(String)),
    ),
  });
export const Services = lazily(() => tableOrJson(z.record(FilledText(), Service())));
/** A number, or its text, which must not be empty. */
export const numberUpTo = (max: number) =>
  z.pipe(
    z.union([z.number(), z.pipe(z.string().check(z.trim(), z.minLength(1)), z.transform(Number))]),
    z.number().check(z.minimum(0), z.maximum(max)),
  );
/** Overrides of platform limits; null means no limit. */
export const Quotas = () => {
  const positive = z.int().check(z.positive());
  const quota = z.optional(
    z.nullable(
      z.strictObject({
        day: z.optional(z.nullable(z.int().check(z.nonnegative()))),
        second: z.optional(z.nullable(positive)),
      }),
    ),
  );
  const ofBilling = Object.fromEntries(QUOTA_NAMES.map((name) => [name, quota])) as Record<QuotaName, typeof quota>;
  return tableOrJson(
    z.strictObject({...ofBilling, phs_calls: z.optional(z.nullable(z.strictObject({minute: positive})))}),
  );
};
const StatusNamesTable = lazily(() => z._default(z.record(z.string().check(z.regex(/^-?\d+$/)), FilledText()), {}));
export const PlatformStatuses = () =>
  tableOrJson(
    z.strictObject({
      transaction: StatusNamesTable(),
      refund: StatusNamesTable(),
      payment_notice: StatusNamesTable(),
      charge: StatusNamesTable(),
      subscription: z._default(
        z.record(z.pipe(FilledText(), z.transform(toStatusWord)), z.enum(SUBSCRIPTION_STATES)),
        {},
      ),
    } satisfies Record<StatusKind, unknown>),
  );
export const PaidStatuses = () =>
  filledSetOf((status) => (/^-?\d+$/.test(status) ? status : null), 'integers, separated by spaces');
/**
 * URLs that shoppers may return to. Each URL allows the URL itself and every path below it on the same origin. A comma
 * may be inside a path.
 */
export const ReturnUrls = () =>
  listOf(
    (url) => (/^https?:$/.test(URL.parse(url)?.protocol ?? '') && !/[,;](?:$|https?:)/i.test(url) ? url : null),
    'URLs that begin with https://, separated by spaces',
  );

export const Notifications = () =>
  setOf(
    listOf(
      (name) => NOTIFICATION_NAMES.find((known) => known === name) ?? null,
      `any of ${NOTIFICATION_NAMES.join(', ')}`,
      /[\s,]+/,
    ),
  );

export const ExtraParameterNames = () =>
  setOf(listOf((name) => (isExtraParameterName(name) ? name : null), 'names that are not in the contract'));

export const IbanCountries = () =>
  filledSetOf(
    (country) => (/^[A-Z]{2}$/.test(country) ? country : null),
    'countries such as TR DE, separated by spaces',
  );

/**
 * For each bank, by its code in the bank list, a universal link that opens the bank's app on a phone. A phone without
 * the app opens the bank's website instead.
 */
export const BankApps = () =>
  tableOrJson(
    z.record(z.string().check(z.minLength(1), z.maxLength(64)), webUrl(/^https:\/\//i).check(z.maxLength(500))),
  );
export type BankApps = z.output<ReturnType<typeof BankApps>>;

export const MerchantId = () =>
  z.pipe(
    z.pipe(z.union([z.string(), z.int()]), z.transform(String)),
    z.string().check(z.regex(/^\d+$/, 'Expected digits.')),
  );

/** Credentials of mobile billing: names and values. */
export const Credentials = lazily(() => tableOrJson(z.record(z.string(), z.string())));

export const PageKey = () =>
  z.pipe(
    z.string(),
    z.transform((text, context): PaymentPageRecipe => {
      const recipe = parseRecipe(text);
      return typeof recipe === 'string' ? refuse(context, recipe) : recipe;
    }),
  );

export const ServiceKeys = () => tableOrJson(z.record(FilledText(), PlatformSecret()));

export const PlatformBinding = () =>
  z.transform((binding: unknown, context) =>
    typeof (binding as Partial<Fetcher> | null)?.fetch === 'function'
      ? (binding as Pick<Fetcher, 'fetch'>)
      : refuse(context, 'Expected a service binding or a VPC binding.'),
  );
