/** Our own limits: `LIMITS` by its names, the rest of the Worker by these. Null is no limit. */

import * as z from 'zod';

const Limit = z.int().positive().nullable();
const Percent = z.int().min(1).max(100).nullable();

export const LimitsVariable = z.strictObject({
  address_sessions_per_minute: Limit.default(300),
  address_orders_per_minute: Limit.default(300),
  address_unpaid_orders_per_day: Limit.optional(),
  service_orders_per_minute: Limit.default(600),
  order_notices_per_day: Limit.default(5),
  address_pins_per_hour: Limit.default(10),
  number_pin_pause_seconds: Limit.default(60),
  number_pins_per_10_minutes: Limit.default(3),
  number_pins_per_day: Limit.default(5),
  prefix_pins_per_hour: Limit.default(20),
  service_pins_per_hour: Limit.default(1000),
  confirm_rate_percent: Percent.default(10),
  pin_answer_ms: z.int().min(1).max(10_000).default(1_200),
  pin_attempts: Limit.default(5),
  number_attempts_per_day: Limit.default(10),
  address_tokens_per_hour: Limit.default(30),
});

export interface Limits {
  readonly addressSessionsPerMinute: number | null;
  /** New orders of one service by one address. */
  readonly addressOrdersPerMinute: number | null;
  /** Orders of one service by one IPv4 address or IPv6 /48 that are not paid, less those that are; above it a human check is asked for. */
  readonly addressUnpaidOrdersPerDay: number | null;
  /** New orders of one service by pages; above it addresses that are over their share are asked for a human check. */
  readonly serviceOrdersPerMinute: number | null;
  /** Payment notices of one order: a person reads each. */
  readonly orderNoticesPerDay: number | null;
  /** PINs that one address has sent, to whatever numbers; above it a human check is asked for. */
  readonly addressPinsPerHour: number | null;
  /** After the first PIN of a number; twice as long after each further one of a day. */
  readonly numberPinPauseSeconds: number | null;
  readonly numberPinsPer10Minutes: number | null;
  readonly numberPinsPerDay: number | null;
  /** PINs sent to the thousand numbers that begin alike; above it a human check is asked for. */
  readonly prefixPinsPerHour: number | null;
  /** PINs of one product that did not come back. */
  readonly servicePinsPerHour: number | null;
  /** When fewer of a product's last hundred PINs came back, a human check is asked for. */
  readonly confirmRatePercent: number | null;
  /** When the answer to a request for a PIN leaves, counted from its arrival: longer than a platform takes that is well. */
  readonly pinAnswerMs: number;
  /** Wrong ones after which a PIN counts no more. */
  readonly pinAttempts: number | null;
  /** Wrong ones after which a number waits for a day. */
  readonly numberAttemptsPerDay: number | null;
  /** Number tokens that one address shows and that are none. */
  readonly addressTokensPerHour: number | null;
}

/** Five minutes of 200 shoppers behind one carrier's address, before the first of them has paid. */
const UNPAID_ORDERS = 1_000;

export function toLimits(limits: z.output<typeof LimitsVariable>): Limits {
  return {
    addressSessionsPerMinute: limits.address_sessions_per_minute,
    addressOrdersPerMinute: limits.address_orders_per_minute,
    // Where addresses are not limited by the minute they are not by the day, unless that is said.
    addressUnpaidOrdersPerDay:
      limits.address_unpaid_orders_per_day ??
      (limits.address_unpaid_orders_per_day === null || limits.address_orders_per_minute === null
        ? null
        : UNPAID_ORDERS),
    serviceOrdersPerMinute: limits.service_orders_per_minute,
    orderNoticesPerDay: limits.order_notices_per_day,
    addressPinsPerHour: limits.address_pins_per_hour,
    numberPinPauseSeconds: limits.number_pin_pause_seconds,
    numberPinsPer10Minutes: limits.number_pins_per_10_minutes,
    numberPinsPerDay: limits.number_pins_per_day,
    prefixPinsPerHour: limits.prefix_pins_per_hour,
    servicePinsPerHour: limits.service_pins_per_hour,
    confirmRatePercent: limits.confirm_rate_percent,
    pinAnswerMs: limits.pin_answer_ms,
    pinAttempts: limits.pin_attempts,
    numberAttemptsPerDay: limits.number_attempts_per_day,
    addressTokensPerHour: limits.address_tokens_per_hour,
  };
}
