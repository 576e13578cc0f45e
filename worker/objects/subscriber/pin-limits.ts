/**
 * Decides whether a PIN may be sent, before the number's own limits apply; see docs/decisions/pins.md.
 *
 * A shopper must pass the human check when the IP address or the number's prefix is over its limit, or when too few of
 * the product's PINs are confirmed. If no human check is configured, there are two other rules. A request over the
 * limit of an IP address or prefix is refused. While too few of the product's PINs are confirmed, shoppers in unproven
 * subnets get only a few PINs an hour.
 */

import type {SharedLimit} from '../../config/limits.ts';
import type {Context} from '../../context.ts';
import {ApiError} from '../../http/errors.ts';
import type {HumanCheck} from '../../http/human-check.ts';
import {allSettledOrThrow} from '../../lib/async.ts';
import {DAY_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {type CounterState, isRarelyConfirmed} from '../limits/counter.ts';
import {
  confirm,
  count,
  type Counter,
  counterOf,
  type CountResult,
  networkGuard,
  productGuard,
  release,
  type Ticket,
} from '../limits/counting.ts';

/** How many digits of a number are its prefix. A thousand numbers share a prefix. */
const PREFIX_LENGTH = 7;
/** PINs for unproven subnets in an hour, while too few of the product's PINs are confirmed. */
const UNPROVEN_PINS_PER_HOUR = 20;
/** One unproven subnet may use at most a quarter of the PINs that all of them share. */
const UNPROVEN_SUBNET_SHARE = 1 / 4;
/**
 * One provider subnet may use at most a tenth of a product's cap. All unproven subnets together may use at most half of
 * the cap.
 */
const PROVIDER_SUBNET_SHARE = 0.1;
const UNPROVEN_SHARE = 0.5;

/** A PIN that a page requests. */
export interface RequestedPin {
  readonly product: number;
  readonly msisdn: string;
}

/** The page that requests the PIN. */
export interface PinCaller {
  /** The subnet of the page's IP address, as `clientSubnet` returns it. */
  readonly subnet: string;
  /** Null when no human check is configured. */
  readonly checkHuman: HumanCheck | null;
}

type LimitContext = Pick<Context, 'config' | 'objects'>;

/**
 * The limits of PINs that several numbers share. The route calls `admit` and hands the tickets to the number's
 * `Subscriber`, which stores them with the PIN. The `Subscriber` calls `cancel` if the PIN is not sent, and `confirm`
 * when the shopper enters the PIN. If the `Subscriber` calls neither method, the PIN counts until the window ends.
 */
export class PinLimits {
  constructor(private readonly context: () => LimitContext) {}

  /**
   * Counts a PIN in every counter that applies.
   * @throws {ApiError} `rate_limited`, `human_check_required`, `human_check_failed`. In these cases nothing is counted.
   */
  async admit(pin: RequestedPin, caller: PinCaller): Promise<readonly Ticket[]> {
    const admission = new Admission(pin, caller, this.context());
    try {
      await admission.decide();
    } catch (error) {
      await this.cancel(admission.tickets);
      throw error;
    }
    return admission.tickets;
  }

  /** Removes the counts of a PIN that was not sent. */
  async cancel(tickets: readonly Ticket[]): Promise<void> {
    await release(this.context().objects, tickets);
  }

  /** Records that the shopper entered the PIN. Never throws, because a failure only makes a count wrong. */
  async confirm(tickets: readonly Ticket[]): Promise<void> {
    try {
      await confirm(this.context().objects, tickets);
    } catch (error) {
      log('warn', 'confirm_failed', {error: describeError(error)});
    }
  }
}

/** The decision about one PIN, and the tickets of the counters that counted the PIN so far. */
class Admission {
  readonly tickets: Ticket[] = [];

  constructor(
    private readonly pin: RequestedPin,
    private readonly caller: PinCaller,
    private readonly context: LimitContext,
  ) {}

  async decide(): Promise<void> {
    const {addressPinsPerHour, prefixPinsPerHour} = this.context.config.limits;
    const {msisdn, product} = this.pin;
    const {subnet, checkHuman} = this.caller;
    const prefix = msisdn.slice(0, PREFIX_LENGTH);
    const ofAddress =
      addressPinsPerHour === null ? [] : [counterOf('address_pins_per_hour', subnet, addressPinsPerHour)];
    const ofPrefix = prefixPinsPerHour === null ? [] : [counterOf('prefix_pins_per_hour', '', prefixPinsPerHour)];
    // The state of the network's PINs of this product comes last.
    const ofNetwork = [...this.#unconfirmed(String(product), PROVIDER_SUBNET_SHARE), sent(`pins of ${product}`)];
    const [network, numbers, all] = await allSettledOrThrow([
      this.#count(networkGuard(subnet), [...ofAddress, ...ofNetwork]),
      this.#count(`numbers ${prefix}`, ofPrefix),
      this.#count(productGuard(product), [sent('pins')]),
    ]);
    const isAddressFull = network.full !== undefined && network.full < ofAddress.length;
    const isRare = this.#isRare(all.before[0]);
    const isProven = this.#isProven(network.before.at(-1));
    if (checkHuman) {
      const refused = (isAddressFull || numbers.full !== undefined || isRare) && (await checkHuman());
      if (refused) throw new ApiError(refused);
    } else {
      if (isAddressFull) throw rateLimited(network.retryAfterSeconds, 'address_pins_per_hour');
      if (numbers.full !== undefined) throw rateLimited(numbers.retryAfterSeconds, 'prefix_pins_per_hour');
    }
    // A refusal counts in none of the network's counters. The shopper passed the human check, so these count the PIN.
    const share = isAddressFull ? await this.#count(networkGuard(subnet), ofNetwork) : network;
    if (share.full !== undefined) throw rateLimited(share.retryAfterSeconds, 'service_pins_per_hour');
    if (!checkHuman && isRare && !isProven) await this.#countUnproven();
    const cap = this.#unconfirmed('', isProven ? 1 : UNPROVEN_SHARE);
    const capped = await this.#count(productGuard(product), cap);
    if (capped.full !== undefined) throw rateLimited(capped.retryAfterSeconds, 'service_pins_per_hour');
  }

  /** An unproven provider subnet needs one of the few PINs that unproven subnets get in an hour. */
  async #countUnproven(): Promise<void> {
    const {product} = this.pin;
    const share = Math.ceil(UNPROVEN_PINS_PER_HOUR * UNPROVEN_SUBNET_SHARE);
    const ofSubnet = counterOf('unproven_pins_per_hour', String(product), share);
    const results = await allSettledOrThrow([
      this.#count(networkGuard(this.caller.subnet), [ofSubnet]),
      this.#count(productGuard(product), [counterOf('unproven_pins_per_hour', '', UNPROVEN_PINS_PER_HOUR)]),
    ]);
    for (const result of results)
      if (result.full !== undefined) throw rateLimited(result.retryAfterSeconds, 'confirm_rate_percent');
  }

  /**
   * The counter of unconfirmed PINs, and the share of the product's cap that it may reach. Only unconfirmed PINs count,
   * so that shoppers who subscribe do not use up the cap.
   */
  #unconfirmed(per: string, share: number): Counter[] {
    const cap = this.context.config.limits.servicePinsPerHour;
    return cap === null ? [] : [{...counterOf('service_pins_per_hour', per, Math.ceil(cap * share)), credit: 1}];
  }

  /** Whether too few of the product's last PINs were confirmed. */
  #isRare(pins: CounterState | undefined): boolean {
    const percent = this.context.config.limits.confirmRatePercent;
    return percent !== null && pins !== undefined && isRarelyConfirmed(pins, percent);
  }

  /** Whether shoppers of the provider subnet have confirmed enough of their last PINs, and at least one. */
  #isProven(pins: CounterState | undefined): boolean {
    const percent = this.context.config.limits.confirmRatePercent ?? 0;
    return pins !== undefined && pins.last.confirmed > 0 && !isRarelyConfirmed(pins, percent, 1);
  }

  /** Counts the PIN, and keeps the ticket. */
  async #count(guard: string, counters: readonly Counter[]): Promise<CountResult> {
    const result = await count(this.context.objects, guard, counters);
    if (result.full === undefined) this.tickets.push(result.ticket);
    return result;
  }
}

/** The counter of the last PINs that were sent within a day. It refuses nothing. */
function sent(name: string): Counter {
  return {name, windowMs: DAY_MS, limit: null, isJudged: true};
}

function rateLimited(retryAfterSeconds: number, limit: SharedLimit): ApiError {
  return new ApiError('rate_limited', {retryAfterSeconds, limit});
}
