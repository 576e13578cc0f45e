/** Our own limits: `LIMITS` by its names, the rest of the Worker by the same names in camelCase. Null is no limit. */

import * as z from 'zod';

const Limit = z.int().positive().nullable();
const Percent = z.int().min(1).max(100).nullable();

/** Five minutes of 200 shoppers behind one carrier's address, before the first of them has paid. */
const UNPAID_ORDERS = 1_000;

export const LimitsVariable = z
  .strictObject({
    address_sessions_per_minute: Limit.default(300),
    /** New orders of one service by one address. */
    address_orders_per_minute: Limit.default(300),
    /** Orders of one service by one IPv4 address or IPv6 /48 that are not paid, less those that are; above it a human check is asked for. */
    address_unpaid_orders_per_day: Limit.optional(),
    /** New orders of one service by pages; above it addresses that are over their share are asked for a human check. */
    service_orders_per_minute: Limit.default(600),
    /** Payment notices of one order: a person reads each. */
    order_notices_per_day: Limit.default(5),
    /** PINs that one address has sent, to whatever numbers; above it a human check is asked for. */
    address_pins_per_hour: Limit.default(10),
    /** After the first PIN of a number; twice as long after each further one of a day. */
    number_pin_pause_seconds: Limit.default(60),
    number_pins_per_10_minutes: Limit.default(3),
    number_pins_per_day: Limit.default(5),
    /** PINs sent to the thousand numbers that begin alike; above it a human check is asked for. */
    prefix_pins_per_hour: Limit.default(20),
    /** PINs of one product that did not come back. */
    service_pins_per_hour: Limit.default(1000),
    /** When fewer of a product's last hundred PINs came back, a human check is asked for. */
    confirm_rate_percent: Percent.default(10),
    /** Fixed response time of `POST /v1/pins`: longer than a healthy platform needs, so that timing reveals nothing. */
    pin_answer_ms: z.int().min(1).max(10_000).default(1_200),
    /** Wrong ones after which a PIN counts no more. */
    pin_attempts: Limit.default(5),
    /** Wrong ones after which a number waits for a day. */
    number_attempts_per_day: Limit.default(10),
    /** Number tokens that one address shows and that are none. */
    address_tokens_per_hour: Limit.default(30),
  })
  .transform(({address_unpaid_orders_per_day: unpaid, ...limits}) =>
    toCamelCase({
      ...limits,
      // Where addresses are not limited by the minute they are not by the day, unless that is said.
      address_unpaid_orders_per_day:
        unpaid === undefined ? (limits.address_orders_per_minute === null ? null : UNPAID_ORDERS) : unpaid,
    }),
  );

export type Limits = z.output<typeof LimitsVariable>;

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
