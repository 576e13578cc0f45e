/** Reads the Worker's configuration once. Errors name bindings and never values. */

import * as z from 'zod';
import type {EgressConfig} from '../platform/egress.ts';
import {type NotificationKeys, DEFAULT_RECIPE, parseRecipe, type PaymentPageRecipe} from '../platform/keys.ts';
import {type Allowance, QUOTA_NAMES, QUOTAS} from '../platform/quotas.ts';
import type {StatusKind, StatusNames} from '../platform/statuses.ts';
import {tableOrJson, describeIssues, isOutsideLoopback, findSandboxSecrets} from './bindings.ts';
import {toEgress} from './egress.ts';
import {type Limits, LimitsVariable} from './limits.ts';
import {
  NOTIFICATION_NAMES,
  type NotificationName,
  toNotificationKeys,
  toWebhook,
  parseWebhookSecret,
  type Webhook,
} from './notifications.ts';
import {type Offer, parseOffers} from './offers.ts';
import {allowsLoopback, isLoopback, type OriginPattern, parseOriginPattern} from './origins.ts';
import {DEFAULT_TRANSFER_TIMES, TransferTimes} from './transfer-times.ts';
import {toTurnstile, type TurnstileConfig} from './turnstile.ts';

/** Names, IBANs and tokens go there: plain http is for this machine only. */
const BaseAddress = z
  .url({protocol: /^https?$/})
  .refine((url) => url.startsWith('https:') || (URL.canParse(url) && isLoopback(new URL(url))))
  .transform((url) => url.replace(/\/+$/, ''));
const PhsAddress = BaseAddress.refine((url) => url.endsWith('/phs'));
/** The merchant's own server. A fragment is never sent, and `fetch` takes no credentials in an address. */
const WebhookAddress = BaseAddress.refine((url) => !/[#]|\/\/[^/]*@/.test(url));
const WebhookKey = z
  .string()
  .transform(parseWebhookSecret)
  .pipe(z.custom<Uint8Array<ArrayBuffer>>((key) => key !== null));
const Secret = z.string().min(8);
const SigningSecret = z.string().min(32);
const ApiKey = z.string().min(16);
const Origins = z
  .string()
  .transform((text) => text.split(/\s+/).filter(Boolean).map(parseOriginPattern))
  .pipe(z.array(z.custom<OriginPattern>((pattern) => pattern !== null)));
const Service = z.strictObject({
  privateKey: Secret.optional(),
  micropaymentId: z.union([z.int().nonnegative(), z.string().regex(/^\d{1,20}$/)]).optional(),
});
const Limit = z.int().positive().nullable();
/** What differs from the platform's limits; null where it has none. */
const Quota = z.strictObject({day: z.int().nonnegative().nullable(), second: Limit}).partial().nullable();
const Quotas = z.partialRecord(z.enum(QUOTA_NAMES), Quota);
const StatusNamesTable = z.record(z.string().regex(/^-?\d+$/), z.string().min(1)).default({});
const PlatformStatuses = z.strictObject({
  transaction: StatusNamesTable,
  refund: StatusNamesTable,
  payment_notice: StatusNamesTable,
  charge: StatusNamesTable,
} satisfies Record<StatusKind, unknown>);
/** Where customers may return to: an origin, and whole segments of a path below it. */
const ReturnUrls = z
  .string()
  .transform((text) => text.split(/\s+/).filter(Boolean))
  .pipe(z.array(z.url({protocol: /^https?$/})));

const Notifications = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.enum(NOTIFICATION_NAMES)));

const Variables = z.object({
  PHS_URL: PhsAddress,
  MICROPAYMENT_URL: BaseAddress.optional(),
  PAYMENT_PAGE_URL: BaseAddress.optional(),
  LANDING_URL: BaseAddress.optional(),
  MICROPAYMENT_HEADERS: tableOrJson(z.record(z.string(), z.string())).prefault({}),
  PAYMENT_PAGE_SECRET: Secret.optional(),
  PAYMENT_PAGE_KEY: z
    .string()
    .default(DEFAULT_RECIPE)
    .transform(parseRecipe)
    .pipe(z.custom<PaymentPageRecipe>((recipe) => recipe !== null)),
  LANDING_AUTHORIZATION: Secret.optional(),
  MERCHANT_ID: z.coerce.string().regex(/^\d+$/),
  MERCHANT_IP: z.union([z.ipv4(), z.ipv6()]),
  MERCHANT_KEY: Secret,
  SERVICES: tableOrJson(z.record(z.string().min(1), Service)),
  MERCHANT_PRIVATE_KEY: Secret.optional(),
  SERVICE_PRIVATE_KEYS: tableOrJson(z.record(z.string().min(1), Secret)).prefault({}),
  ALLOWED_ORIGINS: Origins,
  SESSION_SECRET: SigningSecret,
  SESSION_SECRET_PREVIOUS: SigningSecret.optional(),
  MERCHANT_API_KEY: ApiKey.optional(),
  MERCHANT_API_KEY_PREVIOUS: ApiKey.optional(),
  WEBHOOK_URL: WebhookAddress.optional(),
  WEBHOOK_SECRET: WebhookKey.optional(),
  WEBHOOK_SECRET_PREVIOUS: WebhookKey.optional(),
  NOTIFICATIONS: Notifications.default([]),
  RETURN_URLS: ReturnUrls.optional(),
  EGRESS: z.enum(['direct', 'binding', 'relay']).default('direct'),
  PLATFORM: z
    .custom<Pick<Fetcher, 'fetch'>>((binding) => typeof (binding as Partial<Fetcher> | null)?.fetch === 'function')
    .optional(),
  ONE_CLICK: z.enum(['on', 'off']).default('off'),
  RELAY_URL: BaseAddress.optional(),
  RELAY_SECRET: SigningSecret.optional(),
  RELAY_SECRET_PREVIOUS: SigningSecret.optional(),
  TURNSTILE_SECRET: Secret.optional(),
  TURNSTILE_SITEKEY: z.string().min(8).optional(),
  LOCATION_HINT: z.enum(['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me']).default('eeur'),
  PLATFORM_STATUSES: tableOrJson(PlatformStatuses).prefault({}),
  QUOTAS: tableOrJson(Quotas).prefault({}),
  QUOTA_SHARE: z.coerce.number().gt(0).max(1).default(1),
  TRANSFER_TIMES: tableOrJson(TransferTimes).default(DEFAULT_TRANSFER_TIMES),
  LIMITS: tableOrJson(LimitsVariable).prefault({}),
});

/** Everything the Worker knows about where it runs and what it may do. */
export interface Config {
  readonly phsUrl: string;
  /** The platform's hosted pages; null where they are not configured. */
  readonly hostedUrl: string | null;
  readonly micropayment: {readonly baseUrl: string; readonly headers: Readonly<Record<string, string>>} | null;
  readonly paymentPage: {readonly baseUrl: string; readonly secret: string; readonly recipe: PaymentPageRecipe} | null;
  readonly landing: {readonly baseUrl: string; readonly authorization: string} | null;
  readonly merchant: {readonly id: string; readonly ip: string; readonly key: string};
  /** Whether the platform is a sandbox: all of it on this machine, and its key for us the public one. Its money is play money. */
  readonly isSandbox: boolean;
  /** The optional ones that are taken. */
  readonly notifications: ReadonlySet<NotificationName>;
  /** Null where a notification cannot be checked, and none is taken. */
  readonly notificationKeys: NotificationKeys | null;
  /** By service code. */
  readonly services: ReadonlyMap<string, {readonly micropaymentId: string | null}>;
  readonly offers: ReadonlyMap<string, Offer>;
  readonly allowedOrigins: readonly OriginPattern[];
  /** The current secret first, then the previous one. */
  readonly sessionSecrets: readonly [string, ...string[]];
  /** What a merchant's server may present; none where its API is off. */
  readonly merchantApiKeys: readonly string[];
  /** Where events are sent; null where they are only read. */
  readonly webhook: Webhook | null;
  /** Where customers may return to; null where the merchant did not say. */
  readonly returnUrls: readonly string[] | null;
  readonly egress: EgressConfig;
  /** Whether a number token may subscribe its number without a PIN. */
  readonly oneClick: boolean;
  readonly locationHint: DurableObjectLocationHint;
  /** Words for the platform's statuses that differ from `platform/statuses.ts`. */
  readonly statuses: StatusNames;
  /** What we may use of the platform's limits. */
  readonly quotas: Allowance;
  /** The part of the platform's limits that is ours, above 0 up to 1. */
  readonly quotaShare: number;
  readonly transferTimes: TransferTimes;
  /** Null means no limit. */
  readonly limits: Limits;
  /** The human check; null where there is none. */
  readonly turnstile: TurnstileConfig | null;
}

/** What is wrong with the configuration. The message names bindings only. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** @param reasons what is wrong inside of bindings that hold a table, by path: for who has the merchant key. */
  constructor(
    readonly bindings: readonly string[],
    readonly reasons: readonly string[],
  ) {
    super(`Missing or wrong: ${bindings.join(', ')}`);
  }
}

const parsedConfigs = new WeakMap<object, Config>();

/** The configuration behind a Worker's bindings, checked at first use. @throws {ConfigError} */
export function readConfig(env: object): Config {
  let config = parsedConfigs.get(env);
  if (!config) parsedConfigs.set(env, (config = parseConfig(env as Record<string, unknown>)));
  return config;
}

function parseConfig(env: Record<string, unknown>): Config {
  const remote = isOutsideLoopback(env);
  const sandboxNames = findSandboxSecrets(env);
  const invalidBindings = new Set<string>(remote ? sandboxNames : []);
  const variables = Variables.safeParse(env);
  for (const issue of variables.error?.issues ?? []) invalidBindings.add(String(issue.path[0]));
  const reasons = describeIssues(variables.error?.issues ?? []);
  // What a developer's machine serves, any program on a shopper's machine may serve too.
  if (remote && Origins.safeParse(env['ALLOWED_ORIGINS']).data?.some(allowsLoopback))
    invalidBindings.add('ALLOWED_ORIGINS');
  const offers = parseOffers(env, invalidBindings, reasons);
  if (!variables.success) throw new ConfigError([...invalidBindings], reasons);

  const {data} = variables;
  const services = new Map(
    Object.entries(data.SERVICES).map(([code, {micropaymentId}]) => [
      code,
      {micropaymentId: micropaymentId?.toString() ?? null},
    ]),
  );
  const egress = toEgress(data, invalidBindings);
  for (const [id, offer] of offers) {
    if (offer.kind !== 'payment' || services.has(offer.service)) continue;
    invalidBindings.add('SERVICES');
    reasons.push(`OFFERS.${id}.service: ${offer.service} is not in SERVICES`);
  }
  const webhook = toWebhook(data, invalidBindings);
  const notificationKeys = toNotificationKeys(data, invalidBindings);
  const turnstile = toTurnstile(data, remote, invalidBindings);
  if (invalidBindings.size > 0) throw new ConfigError([...invalidBindings], reasons);
  return {
    phsUrl: data.PHS_URL,
    hostedUrl: data.PAYMENT_PAGE_URL ?? null,
    micropayment: data.MICROPAYMENT_URL ? {baseUrl: data.MICROPAYMENT_URL, headers: data.MICROPAYMENT_HEADERS} : null,
    paymentPage:
      data.PAYMENT_PAGE_URL && data.PAYMENT_PAGE_SECRET
        ? {baseUrl: data.PAYMENT_PAGE_URL, secret: data.PAYMENT_PAGE_SECRET, recipe: data.PAYMENT_PAGE_KEY}
        : null,
    landing:
      data.LANDING_URL && data.LANDING_AUTHORIZATION
        ? {baseUrl: data.LANDING_URL, authorization: data.LANDING_AUTHORIZATION}
        : null,
    merchant: {id: data.MERCHANT_ID, ip: data.MERCHANT_IP, key: data.MERCHANT_KEY},
    isSandbox: !remote && sandboxNames.includes('MERCHANT_KEY'),
    notificationKeys,
    notifications: new Set(data.NOTIFICATIONS),
    services,
    offers,
    allowedOrigins: data.ALLOWED_ORIGINS,
    sessionSecrets: [data.SESSION_SECRET, ...(data.SESSION_SECRET_PREVIOUS ? [data.SESSION_SECRET_PREVIOUS] : [])],
    merchantApiKeys: [data.MERCHANT_API_KEY, data.MERCHANT_API_KEY_PREVIOUS].filter((key) => key !== undefined),
    webhook,
    returnUrls: data.RETURN_URLS ?? null,
    egress,
    oneClick: data.ONE_CLICK === 'on',
    locationHint: data.LOCATION_HINT,
    statuses: data.PLATFORM_STATUSES,
    quotas: toAllowance(data),
    quotaShare: data.QUOTA_SHARE,
    transferTimes: data.TRANSFER_TIMES,
    limits: data.LIMITS,
    turnstile,
  };
}

/** Our share of each limit. A share of one a second is one in several seconds, hence no whole number. */
function toAllowance({QUOTAS: own, QUOTA_SHARE: share}: z.output<typeof Variables>): Allowance {
  const allowance = QUOTA_NAMES.map((name) => {
    const {day, second} = own[name] === null ? {day: null, second: null} : {...QUOTAS[name], ...own[name]};
    // 0.57 of 100 are 56.99… in floating point.
    return [
      name,
      {day: day && Math.floor(day * share + 1e-9), second: second && Math.round(second * share * 1000) / 1000},
    ];
  });
  return Object.fromEntries(allowance) as Allowance;
}
