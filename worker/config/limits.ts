/**
 * The Worker's own limits: the variable `LIMITS`, whose names become camelCase in code. Null means no limit. In a name,
 * `address` stands for an IPv4 address or an IPv6 subnet.
 */

import * as z from 'zod';
import {lazily} from '../lib/lazily.ts';

/**
 * Default of `address_unpaid_orders_per_day`. It allows 200 new orders a minute from one mobile network's address
 * during the five minutes before the first shopper has paid.
 */
const UNPAID_ORDERS = 1_000;

/** The value of each limit that `LIMITS` does not set. */
const DEFAULTS = {
  address_sessions_per_minute: 300,
  /**
   * Requests of one address, counted separately for each of these kinds: PINs, numbers, subscriptions, activities and
   * notifications. The rate-limit binding counts the requests, so `LIMITS` can only switch this limit off (null).
   */
  address_requests_per_minute: 300,
  /** New orders of one service from one address. */
  address_orders_per_minute: 300,
  /**
   * New orders of one service from all pages. Above this limit, addresses that create more than their share of the
   * orders must pass a human check.
   */
  service_orders_per_minute: 600,
  /** Payment notices of one order. This limit is low, because a person reads each notice. */
  order_notices_per_day: 5,
  /** Payment notices from one address, for all orders together. Above this limit, a human check is required. */
  address_notices_per_10_minutes: 10,
  /** PINs requested from one address, for all numbers together. Above this limit, a human check is required. */
  address_pins_per_hour: 10,
  /**
   * Pause between the first and the second PIN for one number. The pause doubles with each further PIN of the same
   * day.
   */
  number_pin_pause_seconds: 60,
  number_pins_per_10_minutes: 3,
  number_pins_per_day: 5,
  /** PINs sent to a block of a thousand numbers with the same prefix. Above this limit, a human check is required. */
  prefix_pins_per_hour: 20,
  /** PINs of one product that were sent but not confirmed. */
  service_pins_per_hour: 1000,
  /**
   * The percentage of a product's last hundred PINs that shoppers must have confirmed. Below this percentage, a human
   * check is required.
   */
  confirm_rate_percent: 10,
  /**
   * Fixed response time of `POST /v1/pins`: longer than a healthy platform needs, so that the time reveals nothing.
   */
  pin_answer_ms: 1_200,
  /** Wrong attempts after which a PIN is no longer valid. */
  pin_attempts: 5,
  /** Wrong PINs for one number in a day. After these, the Worker sends no PIN to the number and accepts none for it. */
  number_attempts_per_day: 10,
  /** Invalid number tokens from one IPv4 address or IPv6 /48. */
  address_tokens_per_hour: 30,
  /**
   * Invalid number tokens of one product from all addresses. Above this limit, one-click is off for the rest of the
   * hour.
   */
  product_tokens_per_hour: 1_000,
};

type LimitName = keyof typeof DEFAULTS;
type LimitsTable = {readonly [Name in LimitName]: Name extends 'pin_answer_ms' ? number : number | null};
/** The limits that the merchant set. */
type SetLimits = {readonly [Name in LimitName]?: LimitsTable[Name] | undefined} & {
  readonly address_unpaid_orders_per_day?: number | null | undefined;
};

/** The variable `LIMITS`. Most limits have the same schema object, because each object costs time at the start. */
export const LimitsVariable = lazily(() => {
  const limit = z.int().positive().nullable().optional();
  const names = Object.keys(DEFAULTS) as LimitName[];
  const common = Object.fromEntries(names.map((name) => [name, limit])) as Record<LimitName, typeof limit>;
  return z
    .strictObject({
      ...common,
      address_requests_per_minute: limit.refine(
        (value): boolean => value === undefined || value === null || value === DEFAULTS.address_requests_per_minute,
      ),
      /**
       * The number of unpaid orders minus the number of paid orders, for one service and one IPv4 address or IPv6 /48.
       * Above this limit, a human check is required.
       */
      address_unpaid_orders_per_day: limit,
      confirm_rate_percent: z.int().min(1).max(100).nullable().optional(),
      pin_answer_ms: z.int().min(1).max(10_000).optional(),
    })
    .transform(toLimits);
});

/** Adds the defaults, and gives each limit its name in code. */
export function toLimits({address_unpaid_orders_per_day: unpaid, ...set}: SetLimits) {
  const names = Object.keys(DEFAULTS) as LimitName[];
  const limits = Object.fromEntries(
    names.map((name) => [name, set[name] === undefined ? DEFAULTS[name] : set[name]]),
  ) as LimitsTable;
  return toCamelCase({
    ...limits,
    // If `address_orders_per_minute` is null, `address_unpaid_orders_per_day` is null by default, too.
    address_unpaid_orders_per_day:
      unpaid === undefined ? (limits.address_orders_per_minute === null ? null : UNPAID_ORDERS) : unpaid,
  });
}

export type Limits = ReturnType<typeof toLimits>;

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

function toCamelCase<T extends object>(table: T): {readonly [Name in keyof T & string as CamelCase<Name>]: T[Name]} {
  const rows = Object.entries(table).map(([name, value]) => [
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(rows) as ReturnType<typeof toCamelCase<T>>;
}
