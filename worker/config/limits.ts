/**
 * The Worker's own limits: how often, or for how many at a time, it does what somebody asks. Each limit is one row of
 * `LIMIT_TABLE`; the doctor prints the table. The variable `LIMITS` sets the values of the settable rows; names become
 * camelCase in code. Null means no limit.
 */

import * as z from 'zod/mini';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../lib/durations.ts';
import {lazily} from '../lib/lazily.ts';

/** The name of a limit that counts in a window ends with `_per_` and the window. */
const WINDOWS_MS = {minute: MINUTE_MS, '10_minutes': 10 * MINUTE_MS, hour: HOUR_MS, day: DAY_MS} as const;

/** One limit. The texts are for operators. */
interface LimitRow {
  /** The value that `LIMITS` does not set. */
  readonly value: number;
  /** What is counted, or what the number is. */
  readonly counts: string;
  /** For whom or for what it is counted. An address is an IPv4 address or an IPv6 /64, a site an IPv6 /48. */
  readonly per: string;
  /** Needed if the name does not say it. */
  readonly window?: string;
  /**
   * What happens above the limit; by default, the request is refused. A check is the human check; without Turnstile,
   * such a request is refused too.
   */
  readonly above?: string;
  /**
   * Whether many shoppers share the limit, so that it may refuse a shopper who did nothing unusual. Refusals of such a
   * limit are counted (`/health`, the doctor and the metrics).
   */
  readonly isShared?: true;
  /** If `LIMITS` sets this limit to null, and not this row, the row has no limit either. */
  readonly offWith?: string;
}

type Table = Readonly<Record<string, LimitRow>>;

const SETTABLE_LIMITS = {
  address_sessions_per_minute: {
    value: 300,
    counts: 'sessions that pages open, and orders that they place without one',
    per: 'address',
    isShared: true,
  },
  // 200 shoppers a minute from one mobile network's address, during the five minutes before the first of them has paid.
  address_unpaid_orders_per_day: {
    value: 1_000,
    counts: 'new orders of a service minus twice those that were paid; one /64 may use a quarter',
    per: 'address or site',
    above: 'check',
    isShared: true,
    offWith: 'address_sessions_per_minute',
  },
  service_orders_per_minute: {
    value: 600,
    counts: 'new orders of all pages',
    per: 'service',
    above: 'check, for addresses with half of the orders and networks with four times the unpaid orders of an address',
    isShared: true,
  },
  address_notices_per_10_minutes: {
    value: 10,
    counts: 'payment notices',
    per: 'address or site',
    above: 'check',
    isShared: true,
  },
  address_pins_per_hour: {value: 10, counts: 'PINs for all numbers', per: 'address', above: 'check', isShared: true},
  number_pin_pause_seconds: {
    value: 60,
    counts: 'seconds between two PINs; doubled by each further PIN of the day',
    per: 'number',
    window: 'day',
  },
  number_pins_per_10_minutes: {value: 3, counts: 'PINs', per: 'number', offWith: 'number_pins_per_day'},
  number_pins_per_day: {value: 5, counts: 'PINs', per: 'number'},
  prefix_pins_per_hour: {
    value: 20,
    counts: 'PINs',
    per: 'thousand numbers with one prefix',
    above: 'check',
    isShared: true,
  },
  service_pins_per_hour: {
    value: 1_000,
    counts: 'PINs that were sent but not confirmed; a network may use a tenth',
    per: 'product',
    above: 'refused; half is kept for networks with confirmed PINs',
    isShared: true,
  },
  confirm_rate_percent: {
    value: 10,
    counts: 'percentage of the last hundred PINs that must be confirmed',
    per: 'product',
    window: 'day',
    above: 'check below it; without Turnstile, `unproven_pins_per_hour`',
    isShared: true,
  },
  pin_attempts: {
    value: 5,
    counts: 'wrong attempts',
    per: 'PIN',
    window: '10 minutes',
    above: 'the PIN ends',
    offWith: 'number_attempts_per_day',
  },
  number_attempts_per_day: {value: 10, counts: 'wrong PINs', per: 'number', above: 'no PIN is sent or accepted'},
  address_tokens_per_hour: {value: 30, counts: 'invalid number tokens', per: 'address or site', isShared: true},
  service_tokens_per_hour: {
    value: 1_000,
    counts: 'invalid number tokens; a network may use a tenth',
    per: 'product',
    above: 'one-click is off',
    isShared: true,
  },
} as const satisfies Table;

/** Limits that no setting changes. */
const FIXED_LIMITS = {
  address_unchecked_orders_per_day: {
    value: 50,
    counts: 'with Turnstile: new orders of a service minus twice those that were paid',
    per: 'address or site',
    above: 'check',
    offWith: 'address_unpaid_orders_per_day',
  },
  address_requests_per_minute: {
    value: 300,
    counts: 'requests of each other kind, and notifications, about (`ADDRESS_RATE`)',
    per: 'address or site',
    offWith: 'address_sessions_per_minute',
  },
  address_reads_per_minute: {
    value: 3_000,
    counts: 'requests with a session, and orders without one, about (`READ_RATE`); by site, all POST requests',
    per: 'address or site',
    offWith: 'address_sessions_per_minute',
  },
  // A shopper opens a link whose address was cut once or twice.
  address_refund_links_per_minute: {
    value: 10,
    counts: 'refund links that do not exist',
    per: 'address or site',
    offWith: 'address_sessions_per_minute',
  },
  // Each page costs a call to the platform, and is one more page on which the shopper can pay.
  order_pages_per_10_minutes: {value: 5, counts: 'payment pages that are opened', per: 'order'},
  // A page shows one hand-off, but the shopper may have several tabs.
  order_handoffs: {value: 5, counts: 'open hand-offs', per: 'order', window: 'at a time', above: 'the oldest ends'},
  // A shopper has a few tabs and devices.
  order_sockets: {value: 20, counts: 'open sockets', per: 'order', window: 'at a time', above: 'the oldest is closed'},
  // Each opened socket causes a write of the alarm and a report to the sweep.
  order_sockets_per_minute: {value: 30, counts: 'sockets that are opened', per: 'order'},
  // A person reads each notice.
  order_notices_per_day: {
    value: 5,
    counts: 'payment notices that did not fail',
    per: 'order',
    offWith: 'address_notices_per_10_minutes',
  },
  order_notice_attempts_per_10_minutes: {
    value: 5,
    counts: 'attempts to create a payment notice',
    per: 'order',
    offWith: 'address_notices_per_10_minutes',
  },
  pin_attempts_of_others: {
    value: 2,
    counts: 'of `pin_attempts`, those from networks that did not request the PIN',
    per: 'PIN',
    window: '10 minutes',
    above: 'the PIN ends for them',
    offWith: 'pin_attempts',
  },
  unproven_pins_per_hour: {
    value: 20,
    counts: 'PINs for networks without confirmed PINs, while too few are confirmed; a network may use a quarter',
    per: 'product',
    offWith: 'confirm_rate_percent',
  },
  // The platform allows 1,000 reads a day for all subscriptions together. A page can cancel after many reloads.
  subscription_reads_per_day: {value: 30, counts: 'reads by pages that manage it', per: 'subscription'},
  subscription_cancellations_per_day: {value: 10, counts: 'cancellations by pages that were sent', per: 'subscription'},
  subscription_attempts_per_10_minutes: {value: 20, counts: 'attempts of pages to cancel it', per: 'subscription'},
  // A vendor who leaves the form and comes back needs only a few forms.
  session_vendor_forms_per_minute: {value: 10, counts: 'vendor forms that are opened', per: 'session'},
  // Over a day this is about half of the 1,000 searches that the platform allows.
  charge_searches: {
    value: 100,
    counts: 'searches for charges; one more is allowed every three minutes',
    per: 'service',
    window: 'at a time',
    above: 'charges are found later',
  },
  // An attacker with one valid key can derive more keys.
  unverified_refunds: {
    value: 10_000,
    counts: 'refund results whose refund is not known yet',
    per: 'platform and merchant',
    window: 'at a time',
    above: 'looked up once and not stored',
  },
  // Enough for one day's visitors of a busy page.
  waiting_activities: {
    value: 20_000,
    counts: 'activities that wait for the platform',
    per: 'sixteenth of the visitors',
    window: 'at a time',
  },
} as const satisfies Table;

export const LIMIT_TABLE = {...SETTABLE_LIMITS, ...FIXED_LIMITS};

export type LimitName = keyof typeof LIMIT_TABLE;
type SettableLimit = keyof typeof SETTABLE_LIMITS;

/** A limit whose refusals are counted. */
export type SharedLimit = {
  readonly [Name in SettableLimit]: (typeof SETTABLE_LIMITS)[Name] extends {readonly isShared: true} ? Name : never;
}[SettableLimit];

/** A limit that counts in a window. */
export type CountedLimit = Extract<LimitName, `${string}_per_${keyof typeof WINDOWS_MS}`>;

/** The length of the window in which a limit counts. */
export function windowMsOf(name: CountedLimit): number {
  return WINDOWS_MS[windowOf(name) as keyof typeof WINDOWS_MS];
}

function windowOf(name: LimitName): string | undefined {
  return /_per_(10_\w+|[a-z]+)$/.exec(name)?.[1];
}

/**
 * Fixed response time of `POST /v1/pins`, which `LIMITS` may set too: longer than a healthy platform needs, so that the
 * time reveals nothing.
 */
const PIN_ANSWER_MS = 1_200;

const ROWS: Readonly<Record<LimitName, LimitRow>> = LIMIT_TABLE;
const NAMES = Object.keys(LIMIT_TABLE) as readonly LimitName[];

/** The limits that the merchant set. */
type SetLimits = {readonly [Name in SettableLimit]?: number | null | undefined} & {
  readonly pin_answer_ms?: number | undefined;
};

/** The variable `LIMITS`. Most limits have the same schema object, because each object costs time at the start. */
export const LimitsVariable = lazily(() => {
  const limit = z.optional(z.nullable(z.int().check(z.positive())));
  const names = Object.keys(SETTABLE_LIMITS) as readonly SettableLimit[];
  const common = Object.fromEntries(names.map((name) => [name, limit])) as Record<SettableLimit, typeof limit>;
  return z.pipe(
    z.strictObject({
      ...common,
      confirm_rate_percent: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(100)))),
      pin_answer_ms: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
    }),
    z.transform(toLimits),
  );
});

/** Adds the values that are not set, and gives each limit its name in code. */
export function toLimits({pin_answer_ms = PIN_ANSWER_MS, ...set}: SetLimits) {
  const own: Readonly<Record<string, number | null | undefined>> = set;
  const valueOf = (name: LimitName): number | null => {
    const {value, offWith} = ROWS[name];
    if (own[name] !== undefined) return own[name];
    return offWith !== undefined && own[offWith] === null ? null : value;
  };
  const limits = Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])) as {
    readonly [Name in LimitName]: number | null;
  };
  return toCamelCase({...limits, pin_answer_ms});
}

export type Limits = ReturnType<typeof toLimits>;

/** The rows of the table with the values of a configuration, for operators. */
export function describeLimits(limits: Limits) {
  const values: Readonly<Record<string, number | null>> = limits;
  return NAMES.map((name) => {
    const {counts, per, window = windowOf(name)?.replace('_', ' ') ?? '', above = 'refused'} = ROWS[name];
    const settable = name in SETTABLE_LIMITS;
    return {name, settable, value: values[camelCase(name)] ?? null, counts, per, window, above};
  });
}

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function toCamelCase<T extends object>(table: T): {readonly [Name in keyof T & string as CamelCase<Name>]: T[Name]} {
  const rows = Object.entries(table).map(([name, value]) => [camelCase(name), value]);
  return Object.fromEntries(rows) as ReturnType<typeof toCamelCase<T>>;
}
