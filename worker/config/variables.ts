/** The variables and secrets that configure the Worker: one schema each, and checks on the raw values. */

import * as z from 'zod/mini';
import {SUBSCRIPTION_STATES} from '../contract/fields.ts';
import {ipAddress, webUrl} from '../lib/formats.ts';
import {lazily} from '../lib/lazily.ts';
import {type ParsedIssue, validationMessage} from '../lib/validation-messages.ts';
import {isExtraParameterName} from '../platform/extra-parameters.ts';
import {DEFAULT_RECIPE, parseRecipe, type PaymentPageRecipe} from '../platform/keys.ts';
import {QUOTA_NAMES, type QuotaName} from '../platform/quota-limits.ts';
import {type StatusKind, toStatusWord} from '../platform/statuses.ts';
import {LimitsVariable, toLimits} from './limits.ts';
import {NOTIFICATION_NAMES, parseWebhookSecret} from './notifications.ts';
import {isLoopback, parseOriginPattern} from './origins.ts';
import {isSandboxSecret} from './secret-names.ts';
import {DEFAULT_TRANSFER_TIMES, TransferTimes} from './transfer-times.ts';

/**
 * A chosen secret needs at least this many different characters. A random text of 16 hex digits has fewer in one of
 * ninety cases, a longer random text almost never.
 */
const MIN_DIFFERENT_CHARACTERS = 8;

const NOT_JSON = 'This is neither a table nor JSON.';

const PLATFORM_URLS = ['PHS_URL', 'MICROPAYMENT_URL', 'PAYMENT_PAGE_URL', 'LANDING_URL'] as const;

/** Accepts a table from `wrangler.toml`, or the same table as JSON text, which is what `--var` passes. */
export const tableOrJson = <T extends z.ZodMiniType>(schema: T) =>
  z.pipe(
    z.transform((value: unknown, context) => {
      if (typeof value !== 'string') return value;
      try {
        return JSON.parse(value) as unknown;
      } catch {
        context.issues.push({code: 'custom', message: NOT_JSON, input: undefined});
        return z.NEVER;
      }
    }),
    schema,
  );

/**
 * Whether any part of the platform may be outside this machine. With a binding, calls reach the server behind the
 * binding, even if the platform's URLs name this machine. With a relay, calls go where the relay's own configuration
 * says, so the relay counts as a part of the platform.
 */
export function isOutsideLoopback(env: Record<string, unknown>): boolean {
  if (env['EGRESS'] === 'binding') return true;
  const names = env['EGRESS'] === 'relay' ? [...PLATFORM_URLS, 'RELAY_URL'] : PLATFORM_URLS;
  return names.some((name) => {
    const url = env[name];
    return typeof url === 'string' && URL.canParse(url) && !isLoopback(new URL(url));
  });
}

/** Whether the text is usable as `MERCHANT_API_KEY` with these bindings. The other bindings may be invalid. */
export function isUsableApiKey(key: unknown, env: Record<string, unknown>): key is string {
  return ApiKey().safeParse(key).success && !(isOutsideLoopback(env) && isSandboxSecret(key));
}

/**
 * Finds the bindings of orders and transfers that are missing. A merchant who uses only mobile billing sets neither
 * `PHS_URL` nor `MERCHANT_KEY`.
 */
export function missingPhsBindings(env: Record<string, unknown>): string[] {
  const isSet = (name: string) => env[name] !== undefined;
  const isBillingAlone = !isSet('PHS_URL') && !isSet('MERCHANT_KEY') && ['MICROPAYMENT_URL', 'LANDING_URL'].some(isSet);
  return isBillingAlone ? [] : ['PHS_URL', 'MERCHANT_IP', 'MERCHANT_KEY'].filter((name) => !isSet(name));
}

/** Whether mobile billing or its pages use a secret of the sandbox. @param names - The bindings with such secrets. */
export function usesSandboxBilling(names: readonly string[]): boolean {
  return names.includes('LANDING_AUTHORIZATION') || names.includes('PAYMENT_PAGE_SECRET');
}

/** The Worker sends names, IBANs and tokens to these URLs, so plain http is allowed only on this machine. */
const BaseAddress = lazily(() =>
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
const OrderPrefix = lazily(() =>
  z
    .string()
    .check(z.regex(/^(?:[A-Za-z0-9]{1,15}[-_.])?$/, 'Expected up to 15 letters or digits, and "-", "_" or ".".')),
);
const PhsAddress = lazily(() =>
  BaseAddress().check(z.refine((url) => url.endsWith('/phs'), 'Expected a URL that ends in /phs.')),
);
/**
 * URL of the merchant's server. It must not have a fragment, because a fragment is never sent. It must not have
 * credentials, because `fetch` refuses them.
 */
const WebhookAddress = lazily(() =>
  BaseAddress().check(
    z.refine((url) => !/[#]|\/\/[^/]*@/.test(url), 'Expected a URL without # and without a user name.'),
  ),
);
const WebhookKey = lazily(() =>
  z.pipe(
    z.pipe(z.string(), z.transform(parseWebhookSecret)),
    z.custom<Uint8Array<ArrayBuffer>>(
      (key) => key instanceof Uint8Array && new Set(key).size >= MIN_DIFFERENT_CHARACTERS,
      'Expected whsec_ and the base64 of 24 to 64 random bytes, or at least 32 ASCII characters, 8 of them ' +
        'different.',
    ),
  ),
);
/** A secret that the platform issues. Its length is the platform's choice. */
const PlatformSecret = lazily(() => z.string().check(z.minLength(1)));
const Secret = lazily(() => z.string().check(z.minLength(8)));
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
const SigningSecret = lazily(() => chosenSecret(32));
const ApiKey = lazily(() => chosenSecret(16).check(z.maxLength(500)));
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
      context.issues.push({code: 'custom', message: `Expected ${expected}, not ${quoted}.${advice}`, input: undefined});
      return z.NEVER;
    }),
  );

export const Origins = lazily(() =>
  listOf(
    parseOriginPattern,
    'origins such as https://shop.example, without a slash at the end and separated by spaces',
  ),
);
const Service = lazily(() =>
  z.strictObject({
    privateKey: z.optional(PlatformSecret()),
    micropaymentId: z.optional(z.union([z.int().check(z.nonnegative()), z.string().check(z.regex(/^\d{1,20}$/))])),
  }),
);
export const Services = lazily(() => tableOrJson(z.record(z.string().check(z.minLength(1)), Service())));
const Limit = lazily(() => z.nullable(z.int().check(z.positive())));
/** A number, or its text, which must not be empty. */
const numberUpTo = (max: number) =>
  z.pipe(
    z.union([z.number(), z.pipe(z.string().check(z.trim(), z.minLength(1)), z.transform(Number))]),
    z.number().check(z.minimum(0), z.maximum(max)),
  );
const Share = lazily(() => numberUpTo(1));
/** Overrides of one platform limit; null means no limit. */
const Quota = lazily(() =>
  z.nullable(
    z.strictObject({day: z.optional(z.nullable(z.int().check(z.nonnegative()))), second: z.optional(Limit())}),
  ),
);
const Quotas = lazily(() => {
  const quota = z.optional(Quota());
  const ofBilling = Object.fromEntries(QUOTA_NAMES.map((name) => [name, quota])) as Record<QuotaName, typeof quota>;
  const minute = z.int().check(z.positive());
  return z.strictObject({...ofBilling, phs_calls: z.optional(z.nullable(z.strictObject({minute})))});
});
const StatusNamesTable = lazily(() =>
  z._default(z.record(z.string().check(z.regex(/^-?\d+$/)), z.string().check(z.minLength(1))), {}),
);
const StatusWord = lazily(() => z.pipe(z.string().check(z.minLength(1)), z.transform(toStatusWord)));
const PlatformStatuses = lazily(() =>
  z.strictObject({
    transaction: StatusNamesTable(),
    refund: StatusNamesTable(),
    payment_notice: StatusNamesTable(),
    charge: StatusNamesTable(),
    subscription: z._default(z.record(StatusWord(), z.enum(SUBSCRIPTION_STATES)), {}),
  } satisfies Record<StatusKind, unknown>),
);
const PaidStatuses = lazily(() =>
  z.pipe(
    listOf((status) => (/^-?\d+$/.test(status) ? status : null), 'integers, separated by spaces'),
    z.array(z.string()).check(z.minLength(1)),
  ),
);
/**
 * URLs that shoppers may return to. Each URL allows the URL itself and every path below it on the same origin. A comma
 * may be inside a path.
 */
const ReturnUrls = lazily(() =>
  listOf(
    (url) =>
      URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && !/[,;](?:$|https?:)/i.test(url) ? url : null,
    'URLs that begin with https://, separated by spaces',
  ),
);

const Notifications = lazily(() =>
  listOf(
    (name) => NOTIFICATION_NAMES.find((known) => known === name) ?? null,
    `any of ${NOTIFICATION_NAMES.join(', ')}`,
    /[\s,]+/,
  ),
);

const ExtraParameterNames = lazily(() =>
  listOf((name) => (isExtraParameterName(name) ? name : null), 'names that are not in the contract'),
);

const IbanCountries = lazily(() =>
  z.pipe(
    z.string().check(z.trim(), z.regex(/^[A-Z]{2}(?:\s+[A-Z]{2})*$/, 'Expected countries, such as TR DE.')),
    z.transform((text) => text.split(/\s+/)),
  ),
);

/**
 * For each bank, by its code in the bank list, a universal link that opens the bank's app on a phone. A phone without
 * the app opens the bank's website instead.
 */
const BankApps = lazily(() =>
  z.record(z.string().check(z.minLength(1), z.maxLength(64)), webUrl(/^https:\/\//i).check(z.maxLength(500))),
);
export type BankApps = z.output<ReturnType<typeof BankApps>>;

/** Variables that every Worker needs. */
const required = {
  MERCHANT_ID: () =>
    z.pipe(
      z.pipe(z.union([z.string(), z.int()]), z.transform(String)),
      z.string().check(z.regex(/^\d+$/, 'Expected digits.')),
    ),
  SERVICES: Services,
  ALLOWED_ORIGINS: Origins,
  SESSION_SECRET: SigningSecret,
};

/** Variables that may be absent. */
const optional = {
  PHS_URL: PhsAddress,
  MICROPAYMENT_URL: BaseAddress,
  PAYMENT_PAGE_URL: BaseAddress,
  LANDING_URL: BaseAddress,
  PAYMENT_PAGE_SECRET: PlatformSecret,
  LANDING_AUTHORIZATION: PlatformSecret,
  MERCHANT_IP: () => ipAddress(),
  MERCHANT_KEY: PlatformSecret,
  MERCHANT_PRIVATE_KEY: PlatformSecret,
  SESSION_SECRET_PREVIOUS: SigningSecret,
  MERCHANT_API_KEY: ApiKey,
  MERCHANT_API_KEY_PREVIOUS: ApiKey,
  WEBHOOK_URL: WebhookAddress,
  WEBHOOK_SECRET: WebhookKey,
  WEBHOOK_SECRET_PREVIOUS: WebhookKey,
  RETURN_URLS: ReturnUrls,
  PLATFORM: () =>
    z.custom<Pick<Fetcher, 'fetch'>>(
      (binding) => typeof (binding as Partial<Fetcher> | null)?.fetch === 'function',
      'Expected a service binding or a VPC binding.',
    ),
  RELAY_URL: BaseAddress,
  RELAY_SECRET: SigningSecret,
  RELAY_SECRET_PREVIOUS: SigningSecret,
  NOTIFICATION_KEY: SigningSecret,
  NOTIFICATION_KEY_PREVIOUS: SigningSecret,
  TURNSTILE_SECRET: Secret,
  TURNSTILE_SITEKEY: () => z.string().check(z.minLength(8)),
  OBJECT_NAMES: BaseAddress,
  PAID_STATUSES: PaidStatuses,
};

/** Credentials of mobile billing: names and values. */
const Credentials = lazily(() => tableOrJson(z.record(z.string(), z.string())));

/** Variables that have a default. */
const defaulted = {
  PHS_PARAMETERS: () => z.enum(['form', 'query']),
  MICROPAYMENT_HEADERS: Credentials,
  MICROPAYMENT_QUERY: Credentials,
  MICROPAYMENT_BODY: Credentials,
  PAYMENT_PAGE_KEY: () =>
    z.pipe(
      z.string(),
      z.transform((text, context): PaymentPageRecipe => {
        const recipe = parseRecipe(text);
        if (typeof recipe !== 'string') return recipe;
        context.issues.push({code: 'custom', message: recipe, input: undefined});
        return z.NEVER;
      }),
    ),
  PAYMENT_PAGE_TYPES: () => z.enum(['numbers', 'text']),
  SERVICE_PRIVATE_KEYS: () => tableOrJson(z.record(z.string().check(z.minLength(1)), PlatformSecret())),
  NOTIFICATIONS: Notifications,
  FOREIGN_RECORDS: () => z.enum(['refuse', 'accept']),
  EXTRA_PARAMETERS: ExtraParameterNames,
  ORDER_PREFIX: OrderPrefix,
  IBAN_COUNTRIES: IbanCountries,
  EGRESS: () => z.enum(['direct', 'binding', 'relay']),
  ONE_CLICK: () => z.enum(['on', 'with_number', 'off']),
  LOCATION_HINT: () => z.enum(['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me']),
  PLATFORM_STATUSES: () => tableOrJson(PlatformStatuses()),
  QUOTAS: () => tableOrJson(Quotas()),
  QUOTA_SHARE: () => numberUpTo(1).check(z.positive()),
  SUBSCRIPTION_SWEEP_SHARE: Share,
  TRANSFER_TIMES: () => tableOrJson(TransferTimes()),
  BANK_DELAY_MINUTES: () => numberUpTo(1_440),
  LIMITS: () => tableOrJson(LimitsVariable()),
  BANK_APPS: () => tableOrJson(BankApps()),
};

/** Transfers by FAST arrive within seconds, and the platform asks most banks every few minutes. */
export const DEFAULT_BANK_DELAY_MINUTES = 5;

type Parsed<Table extends Record<string, () => z.ZodMiniType>> = {
  [Name in keyof Table]: z.output<ReturnType<Table[Name]>>;
};
export type Variables = Parsed<typeof required> & Partial<Parsed<typeof optional>> & Parsed<typeof defaulted>;

const defaultValues = (): Parsed<typeof defaulted> => ({
  PHS_PARAMETERS: 'form',
  MICROPAYMENT_HEADERS: {},
  MICROPAYMENT_QUERY: {},
  MICROPAYMENT_BODY: {},
  PAYMENT_PAGE_KEY: DEFAULT_RECIPE,
  PAYMENT_PAGE_TYPES: 'numbers',
  SERVICE_PRIVATE_KEYS: {},
  NOTIFICATIONS: [],
  FOREIGN_RECORDS: 'refuse',
  EXTRA_PARAMETERS: [],
  ORDER_PREFIX: '',
  IBAN_COUNTRIES: ['TR'],
  EGRESS: 'direct',
  ONE_CLICK: 'off',
  LOCATION_HINT: 'eeur',
  PLATFORM_STATUSES: {transaction: {}, refund: {}, payment_notice: {}, charge: {}, subscription: {}},
  QUOTAS: {},
  QUOTA_SHARE: 1,
  SUBSCRIPTION_SWEEP_SHARE: 0.3,
  TRANSFER_TIMES: DEFAULT_TRANSFER_TIMES,
  BANK_DELAY_MINUTES: DEFAULT_BANK_DELAY_MINUTES,
  LIMITS: toLimits({}),
  BANK_APPS: {},
});

/** The schema of each variable. */
export const SCHEMAS: Readonly<Record<string, () => z.ZodMiniType>> = {...required, ...optional, ...defaulted};
export const VARIABLE_NAMES: readonly string[] = Object.keys(SCHEMAS);

/** Parses the variables when an isolate starts. To save time, absent optional variables get no schema. */
export function parseVariables(env: Readonly<Record<string, unknown>>): {
  readonly data?: Variables;
  readonly issues: readonly ParsedIssue[];
} {
  const shape = VARIABLE_NAMES.filter((name) => name in required || env[name] !== undefined).map((name) => [
    name,
    SCHEMAS[name]?.(),
  ]);
  const {data, error} = z.object(Object.fromEntries(shape)).safeParse(env, {error: validationMessage});
  return error ? {issues: error.issues} : {data: {...defaultValues(), ...data} as Variables, issues: []};
}
