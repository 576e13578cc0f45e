/**
 * The limits of what strangers may ask for that an operator may have to change: they depend on how many shoppers a shop
 * has, and how many share an address. Each is one row of `LIMIT_TABLE`, which the doctor prints; the variable `LIMITS`
 * sets the values, and names become camelCase in code. Null means no limit. A limit that depends on no shop is a constant
 * beside the code that counts.
 */

import * as z from 'zod/mini';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../lib/durations.ts';

/** The name of what is counted in a window ends with `_per_` and the window. */
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

const LIMIT_TABLE = {
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
  number_pins_per_day: {
    value: 5,
    counts: 'PINs; three in ten minutes, a minute apart, and each pause of a day twice as long as the one before',
    per: 'number',
  },
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
    above: 'check below it; without Turnstile, 20 PINs an hour for networks without confirmed PINs',
    isShared: true,
  },
  number_attempts_per_day: {
    value: 10,
    counts: 'wrong PINs; five end a PIN',
    per: 'number',
    above: 'no PIN is sent or accepted',
  },
  address_tokens_per_hour: {value: 30, counts: 'invalid number tokens', per: 'address or site', isShared: true},
  service_tokens_per_hour: {
    value: 1_000,
    counts: 'invalid number tokens; a network may use a tenth',
    per: 'product',
    above: 'one-click is off',
    isShared: true,
  },
} as const satisfies Readonly<Record<string, LimitRow>>;

export type LimitName = keyof typeof LIMIT_TABLE;

/** A limit whose refusals are counted. */
export type SharedLimit = {
  readonly [Name in LimitName]: (typeof LIMIT_TABLE)[Name] extends {readonly isShared: true} ? Name : never;
}[LimitName];

/** The name of what is counted in a window. */
export type CountedName = `${string}_per_${keyof typeof WINDOWS_MS}`;

/** The length of the window in which this is counted. */
export function windowMsOf(name: CountedName): number {
  return WINDOWS_MS[windowOf(name) as keyof typeof WINDOWS_MS];
}

function windowOf(name: string): string | undefined {
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
type SetLimits = {readonly [Name in LimitName]?: number | null | undefined} & {
  readonly pin_answer_ms?: number | undefined;
};

/** The variable `LIMITS`. Most limits have the same schema object, because each object costs time at the start. */
export const LimitsVariable = () => {
  const limit = z.optional(z.nullable(z.int().check(z.positive())));
  const common = Object.fromEntries(NAMES.map((name) => [name, limit])) as Record<LimitName, typeof limit>;
  return z.pipe(
    z.strictObject({
      ...common,
      confirm_rate_percent: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(100)))),
      pin_answer_ms: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
    }),
    z.transform(toLimits),
  );
};

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
    return {name, value: values[camelCase(name)] ?? null, counts, per, window, above};
  });
}

export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

export function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function toCamelCase<T extends object>(table: T): {readonly [Name in keyof T & string as CamelCase<Name>]: T[Name]} {
  const rows = Object.entries(table).map(([name, value]) => [camelCase(name), value]);
  return Object.fromEntries(rows) as ReturnType<typeof toCamelCase<T>>;
}
