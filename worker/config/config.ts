/** Reads the Worker's configuration once per isolate. Errors name bindings and never show values. */

import type {Offer} from '../contract/offers.ts';
import {DAY_MS, MINUTE_MS} from '../lib/durations.ts';
import {MISSING} from '../lib/validation-messages.ts';
import type {EgressConfig} from '../platform/egress.ts';
import type {BillingCredentials} from '../platform/interfaces.ts';
import type {NotificationKeys, PaymentPageRecipe} from '../platform/keys.ts';
import {type Allowance, PHS_CALLS_PER_MINUTE, QUOTA_NAMES, QUOTAS} from '../platform/quota-limits.ts';
import {ConfigError, Mistakes} from './mistakes.ts';
import {toNotificationKeys} from './notification-keys.ts';
import type {Webhook} from './notifications.ts';
import {parseOffers, type UnusableOffers} from './offers.ts';
import {ALL_LOOPBACK, allowsLoopback, type OriginPattern} from './origins.ts';
import {findSandboxSecrets} from './secret-names.ts';
import {Origins, Services} from './setting-schemas.ts';
import type {Values} from './settings.ts';
import {type TurnstileConfig, toTurnstile} from './turnstile.ts';
import {
  acceptedValues,
  isOutsideLoopback,
  parseVariables,
  ROWS,
  type SettingFields,
  settingFields,
  type Variables,
} from './variables.ts';

/** The Worker's configuration, parsed and checked. The fields of single settings are in `settings.ts`. */
export interface Config extends SettingFields {
  readonly micropayment: {readonly baseUrl: string; readonly credentials: BillingCredentials} | null;
  /** Null also if nothing would show the money of payment pages; see `UnusableOffers.pages`. */
  readonly paymentPage: {
    readonly baseUrl: string;
    readonly secret: string;
    readonly recipe: PaymentPageRecipe;
    readonly types: 'numbers' | 'text';
  } | null;
  readonly landing: {readonly baseUrl: string; readonly authorization: string} | null;
  /** `ip` and `key` may be empty texts if `phsUrl` is null. */
  readonly merchant: {readonly id: string; readonly ip: string; readonly key: string};
  /**
   * Whether the platform is the sandbox, so that no real money moves: every URL of the platform names this machine, and
   * `MERCHANT_KEY` is the sandbox's key, which everybody knows. If `phsUrl` is null, `LANDING_AUTHORIZATION` or
   * `PAYMENT_PAGE_SECRET` is the sandbox's, instead of `MERCHANT_KEY`.
   */
  readonly isSandbox: boolean;
  /** Null if the keys are not configured; the Worker then refuses signed notifications. */
  readonly notificationKeys: NotificationKeys | null;
  /** Whether signed notifications may have records of services that this Worker does not have. */
  readonly acceptsForeignRecords: boolean;
  /** The merchant's services, by service code. */
  readonly services: ReadonlyMap<string, {readonly micropaymentId: string | null}>;
  /** For each service number in mobile billing, the first code of `services` that has this number. */
  readonly billedServices: ReadonlyMap<string, string>;
  /** The offers that pages can sell. */
  readonly offers: ReadonlyMap<string, Offer>;
  /** What pages cannot sell, because its configuration is wrong. Everything else works. */
  readonly unusableOffers: UnusableOffers;
  readonly allowedOrigins: readonly OriginPattern[];
  /** The webhook of `WEBHOOK_URL`; null if this variable is not set. The merchant API can create other webhooks. */
  readonly webhook: Webhook | null;
  readonly egress: EgressConfig;
  /**
   * The part of every object's name that stands for the platform. It must never change, because the objects are found
   * by their names.
   */
  readonly platformName: string;
  /** How much of each platform limit this Worker may use. */
  readonly quotas: Allowance;
  /** How many calls of `/phs` a minute may have; null means any number. May be a fraction. */
  readonly phsCallsPerMinute: number | null;
  /** Milliseconds from one search for a service's changed subscriptions to the next; null if there are none. */
  readonly subscriptionSweepMs: number | null;
  /** How long after a transfer the platform may show it. */
  readonly bankDelayMs: number;
  /** The human check; null if not configured. */
  readonly turnstile: TurnstileConfig | null;
}

const SANDBOX_SECRET = 'This is a public secret of the sandbox. It is accepted only with a platform on this machine.';
const LOOPBACK_ORIGIN = 'Pages on this machine are accepted only with a platform on this machine.';

const parsedConfigs = new WeakMap<object, Config | ConfigError>();

/** Returns the configuration in the bindings. The first call parses and checks it. @throws {ConfigError} */
export function readConfig(env: object): Config {
  let config = parsedConfigs.get(env);
  if (!config) parsedConfigs.set(env, (config = parseOrExplain(env)));
  if (config instanceof ConfigError) throw config;
  return config;
}

function parseOrExplain(env: object): Config | ConfigError {
  try {
    return parseConfig(env as Record<string, unknown>);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function parseConfig(env: Record<string, unknown>): Config {
  const mistakes = new Mistakes();
  const remote = isOutsideLoopback(env);
  const sandboxNames = findSandboxSecrets(env);
  if (remote) for (const name of sandboxNames) mistakes.add(name, SANDBOX_SECRET);
  const {data, issues} = parseVariables(env);
  mistakes.addIssues(issues);
  // What a setting needs may depend on its value, so it is said once all values are right.
  for (const [name, {needed}] of ROWS) {
    const message = typeof needed === 'function' && env[name] === undefined ? needed(env) : null;
    if (message && (data || message === MISSING)) mistakes.add(name, message);
  }
  const origins = Origins().safeParse(env['ALLOWED_ORIGINS']).data;
  // With a real platform, a loopback origin would allow pages that any program on the shopper's machine serves.
  if (remote && origins?.some(allowsLoopback)) mistakes.add('ALLOWED_ORIGINS', LOOPBACK_ORIGIN);
  const knownServices = data?.SERVICES ?? Services().safeParse(env['SERVICES']).data;
  const {offers, unusable} = parseOffers(env, knownServices, origins, mistakes);
  const toError = () => new ConfigError(mistakes.places, [...mistakes.reasons, ...unusable.reasons]);
  if (!data) throw toError();

  const services = new Map(
    Object.entries(data.SERVICES).map(([code, {micropaymentId = null}]) => [code, {micropaymentId}]),
  );
  const egress = toEgress(data);
  const notificationKeys = toNotificationKeys(data, mistakes);
  const turnstile = toTurnstile(data, remote, mistakes);
  if (mistakes.places.length > 0) throw toError();
  const quotas = toAllowance(data);
  const billedServices = new Map(
    [...services].toReversed().flatMap(([code, {micropaymentId}]) => (micropaymentId ? [[micropaymentId, code]] : [])),
  );
  const isBilled = data.MICROPAYMENT_URL !== undefined && billedServices.size > 0;
  return {
    ...settingFields(data),
    micropayment: data.MICROPAYMENT_URL
      ? {
          baseUrl: data.MICROPAYMENT_URL,
          credentials: {
            headers: data.MICROPAYMENT_HEADERS,
            query: data.MICROPAYMENT_QUERY,
            body: data.MICROPAYMENT_BODY,
          },
        }
      : null,
    paymentPage:
      data.PAYMENT_PAGE_URL && data.PAYMENT_PAGE_SECRET && unusable.pages === null
        ? {
            baseUrl: data.PAYMENT_PAGE_URL,
            secret: data.PAYMENT_PAGE_SECRET,
            recipe: data.PAYMENT_PAGE_KEY,
            types: data.PAYMENT_PAGE_TYPES,
          }
        : null,
    landing:
      data.LANDING_URL && data.LANDING_AUTHORIZATION
        ? {baseUrl: data.LANDING_URL, authorization: data.LANDING_AUTHORIZATION}
        : null,
    merchant: {id: data.MERCHANT_ID, ip: data.MERCHANT_IP ?? '', key: data.MERCHANT_KEY ?? ''},
    isSandbox:
      !remote &&
      (data.PHS_URL ? ['MERCHANT_KEY'] : ['LANDING_AUTHORIZATION', 'PAYMENT_PAGE_SECRET']).some((name) =>
        sandboxNames.includes(name),
      ),
    notificationKeys,
    acceptsForeignRecords: data.FOREIGN_RECORDS === 'accept',
    services,
    billedServices,
    offers,
    unusableOffers: unusable,
    allowedOrigins: remote ? data.ALLOWED_ORIGINS : [...data.ALLOWED_ORIGINS, ALL_LOOPBACK],
    webhook: data.WEBHOOK_URL ? {url: data.WEBHOOK_URL, keys: acceptedValues(data, 'WEBHOOK_SECRET')} : null,
    egress,
    platformName: data.OBJECT_NAMES ?? data.PHS_URL ?? data.MICROPAYMENT_URL ?? data.LANDING_URL ?? '',
    quotas,
    phsCallsPerMinute: toPhsCalls(data),
    subscriptionSweepMs: isBilled ? toSweepInterval(quotas, data, billedServices.size) : null,
    bankDelayMs: data.BANK_DELAY_MINUTES * MINUTE_MS,
    turnstile,
  };
}

/**
 * Multiplies each limit of the platform by `QUOTA_SHARE`. The result for a limit per second may be a fraction of a
 * call, such as 0.25.
 */
function toAllowance({QUOTAS: overrides, QUOTA_SHARE: share}: Variables): Allowance {
  const allowance = QUOTA_NAMES.map((name) => {
    const {day, second} = overrides[name] === null ? {day: null, second: null} : {...QUOTAS[name], ...overrides[name]};
    // Without the 1e-9, 0.57 of 100 would become 56, because the product is 56.99… in floating point.
    return [name, {day: day && Math.floor(day * share + 1e-9), second: second && roundedTo3(second * share)}];
  });
  return Object.fromEntries(allowance) as Allowance;
}

function toPhsCalls({QUOTAS: {phs_calls: calls}, QUOTA_SHARE: share}: Variables): number | null {
  return calls === null ? null : roundedTo3((calls?.minute ?? PHS_CALLS_PER_MINUTE) * share);
}

const roundedTo3 = (number: number) => Math.round(number * 1000) / 1000;

/**
 * Milliseconds between searches for changed subscriptions of one service. In a day, the searches of all services use at
 * most `SUBSCRIPTION_SWEEP_SHARE` of the searches that the day allows. Null if this share is less than one search.
 */
function toSweepInterval(
  {search_subscriptions: {day}}: Allowance,
  {SUBSCRIPTION_SWEEP_SHARE}: Variables,
  services: number,
): number | null {
  const searches = Math.floor((day ?? QUOTAS.search_subscriptions.day) * SUBSCRIPTION_SWEEP_SHARE + 1e-9);
  return searches > 0 ? Math.ceil((DAY_MS * services) / searches) : null;
}

/** How the Worker sends its calls to the platform. */
function toEgress(variables: Variables): EgressConfig {
  const {EGRESS, PLATFORM, RELAY_URL} = variables;
  if (EGRESS === 'binding' && PLATFORM) return {kind: 'binding', platform: PLATFORM};
  if (EGRESS === 'relay' && RELAY_URL) {
    return {
      kind: 'relay',
      url: RELAY_URL,
      // `needed` refuses a relay without a secret.
      secrets: acceptedValues(variables, 'RELAY_SECRET') as readonly [string, ...string[]],
      bases: new Map(
        ROWS.flatMap(([name, {base}]) => {
          const url = (variables as Values)[name];
          return base && url ? [[base, url as string]] : [];
        }),
      ),
    };
  }
  return {kind: 'direct'};
}
