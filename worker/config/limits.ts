/**
 * The Worker's own limits. Each limit is one row of `LIMIT_TABLE`; the doctor prints the table. The variable `LIMITS`
 * sets the values; its names become camelCase in code. Null means no limit.
 */

import * as z from 'zod';
import {lazily} from '../lib/lazily.ts';

/** One limit. The texts are for operators. */
interface LimitRow {
  /** The value that `LIMITS` does not set. */
  readonly value: number;
  /** What is counted, or what the number is. */
  readonly counts: string;
  /** For whom or for what it is counted. An address is an IPv4 address or an IPv6 /64, a site an IPv6 /48. */
  readonly per: string;
  readonly window: string;
  /** What happens above the limit. A check is the human check; without Turnstile, such a request is refused too. */
  readonly above: string;
  /**
   * Whether many shoppers share the limit, so that it may refuse a shopper who did nothing unusual. Refusals of such a
   * limit are counted (`/health`, the doctor and the metrics).
   */
  readonly isShared: boolean;
}

export const LIMIT_TABLE = {
  address_sessions_per_minute: {
    value: 300,
    counts:
      'sessions that pages open, and orders that they place without one; null also turns the rate-limit bindings off',
    per: 'address',
    window: 'minute',
    above: 'refused',
    isShared: true,
  },
  // 200 shoppers a minute from one mobile network's address, during the five minutes before the first of them has paid.
  address_unpaid_orders_per_day: {
    value: 1_000,
    counts: 'new orders of a service minus twice those that were paid; one /64 may use a quarter',
    per: 'address or site',
    window: 'day',
    above: 'check',
    isShared: true,
  },
  service_orders_per_minute: {
    value: 600,
    counts: 'new orders of all pages',
    per: 'service',
    window: 'minute',
    above: 'check, for addresses with half of the orders and networks with four times the unpaid orders of an address',
    isShared: true,
  },
  // A person reads each notice.
  order_notices_per_day: {
    value: 5,
    counts: 'payment notices; and as many attempts in 10 minutes',
    per: 'order',
    window: 'day',
    above: 'refused',
    isShared: false,
  },
  address_notices_per_10_minutes: {
    value: 10,
    counts: 'payment notices',
    per: 'address or site',
    window: '10 minutes',
    above: 'check',
    isShared: true,
  },
  address_pins_per_hour: {
    value: 10,
    counts: 'PINs for all numbers',
    per: 'address',
    window: 'hour',
    above: 'check',
    isShared: true,
  },
  number_pin_pause_seconds: {
    value: 60,
    counts: 'seconds between two PINs; doubled by each further PIN of the day',
    per: 'number',
    window: 'day',
    above: 'refused',
    isShared: false,
  },
  number_pins_per_10_minutes: {
    value: 3,
    counts: 'PINs',
    per: 'number',
    window: '10 minutes',
    above: 'refused',
    isShared: false,
  },
  number_pins_per_day: {value: 5, counts: 'PINs', per: 'number', window: 'day', above: 'refused', isShared: false},
  prefix_pins_per_hour: {
    value: 20,
    counts: 'PINs',
    per: 'thousand numbers with one prefix',
    window: 'hour',
    above: 'check',
    isShared: true,
  },
  service_pins_per_hour: {
    value: 1_000,
    counts:
      'PINs that were sent but not confirmed, and as many invalid number tokens, but at most 1000; a network may use a tenth',
    per: 'product',
    window: 'hour',
    above: 'refused; half is kept for networks with confirmed PINs; no one-click',
    isShared: true,
  },
  confirm_rate_percent: {
    value: 10,
    counts: 'percentage of the last hundred PINs that must be confirmed',
    per: 'product',
    window: 'day',
    above: 'check below it; without Turnstile, few PINs for networks without confirmed PINs',
    isShared: true,
  },
  pin_attempts: {
    value: 5,
    counts: 'wrong attempts',
    per: 'PIN',
    window: '10 minutes',
    above: 'the PIN ends',
    isShared: false,
  },
  number_attempts_per_day: {
    value: 10,
    counts: 'wrong PINs',
    per: 'number',
    window: 'day',
    above: 'no PIN is sent or accepted',
    isShared: false,
  },
  address_tokens_per_hour: {
    value: 30,
    counts: 'invalid number tokens',
    per: 'address or site',
    window: 'hour',
    above: 'refused',
    isShared: true,
  },
  // Mobile billing allows five calls a second too.
  phs_calls_per_minute: {
    value: 300,
    counts: 'calls of `/phs`; a quarter is kept for order codes, which are never stopped',
    per: 'platform',
    window: 'minute',
    above: 'sweeps slow down; searches of your server are refused',
    isShared: true,
  },
} as const satisfies Readonly<Record<string, LimitRow>>;

export type LimitName = keyof typeof LIMIT_TABLE;

/** A limit whose refusals are counted. */
export type SharedLimit = {
  readonly [Name in LimitName]: (typeof LIMIT_TABLE)[Name]['isShared'] extends true ? Name : never;
}[LimitName];

/**
 * Fixed response time of `POST /v1/pins`, which `LIMITS` may set too: longer than a healthy platform needs, so that the
 * time reveals nothing.
 */
const PIN_ANSWER_MS = 1_200;

const NAMES = Object.keys(LIMIT_TABLE) as readonly LimitName[];

type LimitsTable = {readonly [Name in LimitName]: number | null} & {readonly pin_answer_ms: number};
/** The limits that the merchant set. */
type SetLimits = {readonly [Name in keyof LimitsTable]?: LimitsTable[Name] | undefined};

/** The variable `LIMITS`. Most limits have the same schema object, because each object costs time at the start. */
export const LimitsVariable = lazily(() => {
  const limit = z.int().positive().nullable().optional();
  const common = Object.fromEntries(NAMES.map((name) => [name, limit])) as Record<LimitName, typeof limit>;
  return z
    .strictObject({
      ...common,
      confirm_rate_percent: z.int().min(1).max(100).nullable().optional(),
      pin_answer_ms: z.int().min(1).max(10_000).optional(),
    })
    .transform(toLimits);
});

/** Adds the values that are not set, and gives each limit its name in code. */
export function toLimits({pin_answer_ms = PIN_ANSWER_MS, ...set}: SetLimits) {
  const valueOf = (name: LimitName): number | null => {
    const value = set[name];
    if (value !== undefined) return value;
    // Who does not limit the sessions of an address does not limit its orders either.
    if (name === 'address_unpaid_orders_per_day' && set.address_sessions_per_minute === null) return null;
    return LIMIT_TABLE[name].value;
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
    const {counts, per, window, above} = LIMIT_TABLE[name];
    return {name, value: values[camelCase(name)] ?? null, counts, per, window, above};
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
