/**
 * Whether a PIN may be sent, before anything about its number is known. See docs/decisions/065-who-may-have-a-pin-sent.md:
 * above an address's, a prefix's or the product's own measure somebody must show to be human; without a human check
 * only that address or prefix waits, and of a product whose PINs do not come back strangers get a few an hour.
 */

import type {Context} from '../../context.ts';
import {neighbourhoodOf, networkOf} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {most, type Rule} from '../../objects/limits/guard-rules.ts';
import type {GuardTicket, Taken} from '../../objects/limits/guard.ts';
import {checkHuman} from './human-check.ts';

/** What a page renders the human check with; a token made for anything else is refused. */
export const HUMAN_ACTION = 'pin';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** Digits of a number that make its prefix: a thousand numbers have the same. */
const PREFIX_LENGTH = 7;
const JUDGED_BY_LAST = 100;
/** What strangers have of a product whose PINs do not come back: in all, and of one neighbourhood. */
const STRANGERS_PER_HOUR = 20;
const STRANGERS_OF_A_NEIGHBOURHOOD = 5;
/** One neighbourhood has at most a tenth of what a product may send, and all that are not proven have half. */
const NEIGHBOURHOOD_SHARE = 0.1;
const UNPROVEN_SHARE = 0.5;

const KEPT: Rule = {kind: 'kept', windowMs: DAY_MS};

interface Asked {
  readonly product: number;
  readonly msisdn: string;
  /** Token of the human check, where the page sent one. */
  readonly human: string | undefined;
}

/**
 * Counts a PIN everywhere it counts.
 * @returns where, so that it can be given back when it is not sent and confirmed when it comes back.
 * @throws {ApiError} `rate_limited`, `human_check_required`, `human_check_failed`; nothing is counted then.
 */
export async function admitPin(asked: Asked, request: Request, context: Context): Promise<GuardTicket[]> {
  const admission = new Admission(asked, request, context);
  try {
    await admission.decide();
  } catch (error) {
    await giveBack(admission.tickets, context);
    throw error;
  }
  return admission.tickets;
}

/** The PIN was not sent. */
export async function giveBack(tickets: readonly GuardTicket[], {objects}: Context): Promise<void> {
  await Promise.all(tickets.map(({guard, taking}) => objects.guardNamed(guard).giveBack(taking)));
}

/** The PIN came back. */
export async function confirm(tickets: readonly GuardTicket[], {objects}: Context): Promise<void> {
  await Promise.all(tickets.map(({guard, taking}) => objects.guardNamed(guard).confirm(taking)));
}

type Refused = Taken & {readonly allowed: false};

class Admission {
  readonly tickets: GuardTicket[] = [];
  readonly #network: string;
  readonly #neighbourhood: string;

  constructor(
    private readonly asked: Asked,
    private readonly request: Request,
    private readonly context: Context,
  ) {
    this.#network = networkOf(request);
    this.#neighbourhood = neighbourhoodOf(this.#network);
  }

  async decide(): Promise<void> {
    const {addressPinsPerHour, prefixPinsPerHour} = this.context.config.limits;
    const {msisdn, product} = this.asked;
    const [address, prefix, doubtful] = await Promise.all([
      this.#take(`pins ${this.#network}`, perHour(addressPinsPerHour)),
      this.#take(`pins ${msisdn.slice(0, PREFIX_LENGTH)}`, perHour(prefixPinsPerHour)),
      this.#take(`pins of ${product}`, this.#confirmed()),
    ]);
    const crowded = address ?? prefix;
    if (this.context.config.turnstile) {
      if (crowded || doubtful)
        await checkHuman(this.context.config.turnstile, {human: this.asked.human, action: HUMAN_ACTION}, this.request);
      await this.#takeShare();
    } else {
      if (crowded) throw limited(crowded);
      await (doubtful ? this.#takeAsStranger() : this.#takeShare());
    }
    if (doubtful) await this.#take(`pins of ${product}`, [KEPT]);
    await this.#keepWithinCap();
  }

  /** Where PINs came back today one goes on as before; elsewhere a few are sent. */
  async #takeAsStranger(): Promise<void> {
    const unproven = await this.#take(this.#hereabouts, [...this.#share(), this.#proven()]);
    if (!unproven) return;
    const {product} = this.asked;
    const refused =
      (await this.#take(
        `strangers' pins of ${product} in ${this.#neighbourhood}`,
        perHour(STRANGERS_OF_A_NEIGHBOURHOOD),
      )) ?? (await this.#take(`strangers' pins of ${product}`, perHour(STRANGERS_PER_HOUR)));
    if (refused) throw limited(refused);
    await this.#takeShare();
  }

  async #takeShare(): Promise<void> {
    const refused = await this.#take(this.#hereabouts, [...this.#share(), KEPT]);
    if (refused) throw limited(refused);
  }

  /** PINs that come back do not count, so that nobody who subscribes uses up what others may have. */
  async #keepWithinCap(): Promise<void> {
    const cap = this.context.config.limits.servicePinsPerHour;
    if (cap === null) return;
    const key = `unconfirmed pins of ${this.asked.product}`;
    const half = await this.#take(key, unconfirmed(cap * UNPROVEN_SHARE));
    if (!half) return;
    const hereabouts = await this.context.objects.guard(this.#hereabouts);
    const whole = (await hereabouts.allows(this.#proven())) ? await this.#take(key, unconfirmed(cap)) : half;
    if (whole) throw limited(whole);
  }

  /** Names what is known of this product's PINs in this neighbourhood. */
  get #hereabouts(): string {
    return `pins of ${this.asked.product} in ${this.#neighbourhood}`;
  }

  #share(): Rule[] {
    const cap = this.context.config.limits.servicePinsPerHour;
    return cap === null ? [] : unconfirmed(cap * NEIGHBOURHOOD_SHARE);
  }

  #confirmed(): Rule[] {
    const percent = this.context.config.limits.confirmRatePercent;
    return percent === null ? [] : [{kind: 'confirmed', ofLast: JUDGED_BY_LAST, percent, windowMs: DAY_MS}];
  }

  #proven(): Rule {
    const percent = this.context.config.limits.confirmRatePercent ?? 0;
    return {kind: 'proven', ofLast: JUDGED_BY_LAST, percent, windowMs: DAY_MS};
  }

  async #take(key: string, rules: readonly Rule[]): Promise<Refused | null> {
    if (rules.length === 0) return null;
    const guard = await this.context.objects.guard(key);
    const taken = await guard.take(rules);
    if (!taken.allowed) return taken;
    if (taken.taking !== null && guard.name !== undefined) this.tickets.push({guard: guard.name, taking: taken.taking});
    return null;
  }
}

function perHour(limit: number | null): Rule[] {
  return limit === null ? [] : [most(limit, HOUR_MS)];
}

function unconfirmed(limit: number): Rule[] {
  return [{kind: 'most', limit: Math.ceil(limit), windowMs: HOUR_MS, unconfirmed: true}];
}

function limited({retryAfterSeconds}: Refused): ApiError {
  return new ApiError('rate_limited', {retryAfterSeconds});
}
