/**
 * Decides whether a PIN may be sent, before the number's own limits apply; see docs/decisions/pins.md.
 *
 * A shopper must pass the human check when the IP address or the number's prefix is over its limit, or when too few of
 * the product's PINs are confirmed. If no human check is configured, there are two other rules. A request over the
 * limit of an IP address or prefix is refused. While too few of the product's PINs are confirmed, shoppers in unproven
 * subnets get only a few PINs an hour.
 */

import type {Context} from '../../context.ts';
import {providerSubnet} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import type {HumanCheck} from '../../http/human-check.ts';
import type {SharedLimit} from '../../http/refusal-reporter.ts';
import {DAY_MS, HOUR_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {atMost, type LimitRule} from '../limits/guard-rules.ts';
import type {GuardTicket, GuardResult} from '../limits/guard.ts';

/** How many digits of a number are its prefix. A thousand numbers share a prefix. */
const PREFIX_LENGTH = 7;
/** How many of a product's last PINs determine its confirmation rate. */
const JUDGED_BY_LAST = 100;
/** Hourly limits of a product with too few confirmed PINs: for all unproven subnets together, and for each of them. */
const UNPROVEN_PER_HOUR = 20;
const UNPROVEN_PER_PROVIDER_SUBNET = 5;
/**
 * One provider subnet may use at most a tenth of a product's cap. All unproven subnets together may use at most half of
 * the cap.
 */
const PROVIDER_SUBNET_SHARE = 0.1;
const UNPROVEN_SHARE = 0.5;

const RETAINED_RULE: LimitRule = {kind: 'kept', windowMs: DAY_MS};

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
  async admit(pin: RequestedPin, caller: PinCaller): Promise<readonly GuardTicket[]> {
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
  async cancel(tickets: readonly GuardTicket[]): Promise<void> {
    const {objects} = this.context();
    await Promise.all(tickets.map(({guard, permitId}) => objects.guardNamed(guard).release(permitId)));
  }

  /** Records that the shopper entered the PIN. Never throws, because a failure only makes a count wrong. */
  async confirm(tickets: readonly GuardTicket[]): Promise<void> {
    try {
      const {objects} = this.context();
      await Promise.all(tickets.map(({guard, permitId}) => objects.guardNamed(guard).confirm(permitId)));
    } catch (error) {
      log('warn', 'confirm_failed', {error: describeError(error)});
    }
  }
}

type PermitRefused = GuardResult & {readonly allowed: false};

/** The decision about one PIN, and the tickets that were acquired for the PIN so far. */
class Admission {
  readonly tickets: GuardTicket[] = [];
  readonly #providerSubnet: string;

  constructor(
    private readonly pin: RequestedPin,
    private readonly caller: PinCaller,
    private readonly context: LimitContext,
  ) {
    this.#providerSubnet = providerSubnet(caller.subnet);
  }

  async decide(): Promise<void> {
    const {addressPinsPerHour, prefixPinsPerHour} = this.context.config.limits;
    const {msisdn, product} = this.pin;
    const {subnet, checkHuman} = this.caller;
    const [addressRefused, prefixRefused, confirmRateRefused] = await Promise.all([
      this.#acquire(`pins ${subnet}`, perHour(addressPinsPerHour)),
      this.#acquire(`pins ${msisdn.slice(0, PREFIX_LENGTH)}`, perHour(prefixPinsPerHour)),
      this.#acquire(`pins of ${product}`, this.#confirmRateRules()),
    ]);
    const addressOrPrefixRefused = addressRefused ?? prefixRefused;
    if (checkHuman) {
      const refused = (addressOrPrefixRefused ?? confirmRateRefused) && (await checkHuman());
      if (refused) throw new ApiError(refused);
      await this.#acquireProviderShare();
    } else {
      if (addressOrPrefixRefused)
        throw rateLimited(addressOrPrefixRefused, addressRefused ? 'address_pins_per_hour' : 'prefix_pins_per_hour');
      await (confirmRateRefused ? this.#acquireUnproven() : this.#acquireProviderShare());
    }
    // The rule that refused the PIN has not counted it. The PIN is counted here, because the shopper may confirm it.
    if (confirmRateRefused) await this.#acquire(`pins of ${product}`, [RETAINED_RULE]);
    await this.#enforceServiceCap();
  }

  /**
   * A proven provider subnet needs only a part of its own share of the cap. Every other provider subnet also needs one
   * of the few PINs that unproven subnets get in an hour.
   */
  async #acquireUnproven(): Promise<void> {
    const unproven = await this.#acquire(this.#providerSubnetKey, [...this.#providerShareRules(), this.#provenRule()]);
    if (!unproven) return;
    const {product} = this.pin;
    const refused =
      (await this.#acquire(
        `strangers' pins of ${product} in ${this.#providerSubnet}`,
        perHour(UNPROVEN_PER_PROVIDER_SUBNET),
      )) ?? (await this.#acquire(`strangers' pins of ${product}`, perHour(UNPROVEN_PER_HOUR)));
    if (refused) throw rateLimited(refused, 'confirm_rate_percent');
    await this.#acquireProviderShare();
  }

  async #acquireProviderShare(): Promise<void> {
    const refused = await this.#acquire(this.#providerSubnetKey, [...this.#providerShareRules(), RETAINED_RULE]);
    if (refused) throw rateLimited(refused, 'service_pins_per_hour');
  }

  /** Counts only unconfirmed PINs, so that shoppers who subscribe do not use up the product's cap. */
  async #enforceServiceCap(): Promise<void> {
    const cap = this.context.config.limits.servicePinsPerHour;
    if (cap === null) return;
    const key = `unconfirmed pins of ${this.pin.product}`;
    const refusedAtHalf = await this.#acquire(key, unconfirmedPerHour(cap * UNPROVEN_SHARE));
    if (!refusedAtHalf) return;
    const subnetGuard = await this.context.objects.guard(this.#providerSubnetKey);
    const refusedAtCap = (await subnetGuard.allows(this.#provenRule()))
      ? await this.#acquire(key, unconfirmedPerHour(cap))
      : refusedAtHalf;
    if (refusedAtCap) throw rateLimited(refusedAtCap, 'service_pins_per_hour');
  }

  /** The guard key for this product's PINs in this provider subnet. */
  get #providerSubnetKey(): string {
    return `pins of ${this.pin.product} in ${this.#providerSubnet}`;
  }

  #providerShareRules(): LimitRule[] {
    const cap = this.context.config.limits.servicePinsPerHour;
    return cap === null ? [] : unconfirmedPerHour(cap * PROVIDER_SUBNET_SHARE);
  }

  #confirmRateRules(): LimitRule[] {
    const percent = this.context.config.limits.confirmRatePercent;
    return percent === null ? [] : [{kind: 'confirmed', ofLast: JUDGED_BY_LAST, percent, windowMs: DAY_MS}];
  }

  #provenRule(): LimitRule {
    const percent = this.context.config.limits.confirmRatePercent ?? 0;
    return {kind: 'proven', ofLast: JUDGED_BY_LAST, percent, windowMs: DAY_MS};
  }

  /** Acquires a permit and keeps its ticket. @returns the refusal; null if there is none. */
  async #acquire(key: string, rules: readonly LimitRule[]): Promise<PermitRefused | null> {
    if (rules.length === 0) return null;
    const guard = await this.context.objects.guard(key);
    const permit = await guard.acquire(rules);
    if (!permit.allowed) return permit;
    if (permit.permitId !== null && guard.name !== undefined)
      this.tickets.push({guard: guard.name, permitId: permit.permitId});
    return null;
  }
}

function perHour(limit: number | null): LimitRule[] {
  return limit === null ? [] : [atMost(limit, HOUR_MS)];
}

function unconfirmedPerHour(limit: number): LimitRule[] {
  return [{kind: 'most', limit: Math.ceil(limit), windowMs: HOUR_MS, unconfirmed: true}];
}

function rateLimited({retryAfterSeconds}: PermitRefused, limit: SharedLimit): ApiError {
  return new ApiError('rate_limited', {retryAfterSeconds, limit});
}
