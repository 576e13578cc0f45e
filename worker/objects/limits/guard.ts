import {HOUR_MS} from '../../lib/durations.ts';
import {scheduleAlarm} from '../alarm.ts';
import {StoredObject} from '../stored-object.ts';
import {type LimitRule, toRetryAfterSeconds, waitMs} from './guard-rules.ts';
import {COUNTS, type Counts, type HourCounts, PERMITS} from './guard-store.ts';
import {PermitStore} from './permit-store.ts';

export type GuardResult =
  /**
   * `permitId` is used to release or confirm the permit. It is null when `what` already had a permit in this window.
   */
  | {readonly allowed: true; readonly permitId: number | null}
  /** `broken` is the kind of the rule that refused the permit. */
  | {readonly allowed: false; readonly retryAfterSeconds: number; readonly broken: LimitRule['kind']};

/** Identifies a permit, so that its owner can release or confirm it. */
export interface GuardTicket {
  /** The guard's object name, or its key. */
  readonly guard: string;
  /** The permit's id. */
  readonly permitId: number;
}

/** The answers of `acquire` and `acquireUnpaid` to one new order. */
export interface OrderPermits {
  readonly permit: GuardResult;
  readonly unpaid: UnpaidResult;
}

/** Identifies the counter that counted an unpaid order. The guard itself does not store which orders it counted. */
export interface UnpaidTicket {
  /** The guard's object name. */
  readonly guard: string;
  /** The hour in which the order was counted, in hours since the epoch. */
  readonly hour: number;
}

export interface UnpaidResult {
  readonly allowed: boolean;
  readonly hour: number;
  /** The number of unpaid orders of the last day, minus the number of paid orders. This order is not included. */
  readonly unpaid: number;
}

const DAY_HOURS = 24;

/**
 * Applies limits to one key. There is one object per key; it counts exactly, and its counts survive restarts. The
 * object's name is an HMAC of the key, so that no IP address or phone number is stored. Callers must always use the
 * same windows for a key, because the guard deletes permits that are older than the longest window.
 *
 * A count is written before the answer is sent. The first write also sets the alarm. The alarm sets itself again as
 * long as a permit or order still counts. After that it deletes everything.
 */
export class Guard extends StoredObject {
  static override readonly schemas = [PERMITS];
  static override readonly values = [COUNTS];

  readonly #permits = new PermitStore(this.ctx.storage, this.versions);

  /**
   * Acquires a permit if every rule allows it; otherwise says when to retry. A refusal stores nothing.
   * @param what - A name for the thing that needs the permit, without data of a person. If this name already has a
   * permit in the window, no second permit is needed.
   */
  acquire(rules: readonly LimitRule[], what: string | null = null): GuardResult {
    return this.#acquire(rules, what);
  }

  #acquire(rules: readonly LimitRule[], what: string | null): GuardResult {
    const now = Date.now();
    const retentionMs = Math.max(...rules.map(({windowMs}) => windowMs));
    this.#permits.deleteUntil(now - retentionMs);
    if (what !== null && this.#permits.hasName(what, now - retentionMs)) return {allowed: true, permitId: null};
    for (const rule of rules) {
      const leftMs = waitMs(rule, this.#permits.newest(rule, now), now);
      if (leftMs > 0) return {allowed: false, retryAfterSeconds: toRetryAfterSeconds(leftMs), broken: rule.kind};
    }
    const {id, isFirst} = this.#permits.add(now, what, retentionMs);
    if (isFirst) void scheduleAlarm(this.ctx.storage, now + retentionMs);
    return {allowed: true, permitId: id};
  }

  /** Removes a permit that was not used. */
  release(permitId: number): void {
    this.#permits.remove(permitId);
  }

  /** Records that the permit was used as intended: for example, the shopper entered the PIN. */
  confirm(permitId: number): void {
    this.#permits.confirm(permitId);
  }

  /** Whether the rule allows another permit. */
  allows(rule: LimitRule): boolean {
    const now = Date.now();
    return waitMs(rule, this.#permits.newest(rule, now), now) === 0;
  }

  /**
   * Counts an order if the number of unpaid orders of the last day, minus the number of paid orders, is below `limit`.
   * So each paid order makes room for a further order, and an IP address whose shoppers mostly pay never reaches the
   * limit. The guard stores only counts per hour.
   * @param limit - With null, the order is always counted.
   */
  acquireUnpaid(limit: number | null): UnpaidResult {
    return this.#acquireUnpaid(limit);
  }

  #acquireUnpaid(limit: number | null): UnpaidResult {
    const hour = currentHour();
    const hours = this.#hours();
    const unpaid = hours
      .filter((counts) => counts.hour > hour - DAY_HOURS)
      .reduce((sum, {orders, paid}) => sum + orders - 2 * paid, 0);
    if (limit !== null && unpaid >= limit) return {allowed: false, hour, unpaid};
    this.#addToHour(hour, {orders: 1});
    if (hours.length === 0) void scheduleAlarm(this.ctx.storage, endOfHour(hour));
    return {allowed: true, hour, unpaid};
  }

  /** Does both `acquireUnpaid` and `acquire` for a new order, so that the order's address costs one call. */
  acquireOrder(rules: readonly LimitRule[], what: string, unpaidLimit: number): OrderPermits {
    // The unpaid orders are counted first: they stay longer, so they plan the alarm.
    const unpaid = this.#acquireUnpaid(unpaidLimit);
    return {unpaid, permit: this.#acquire(rules, what)};
  }

  /** Subtracts an order that was counted in this hour and then not created. */
  releaseUnpaid(hour: number): void {
    const counted = this.#hours().find((counts) => counts.hour === hour);
    if (counted && counted.orders > 0) this.#addToHour(hour, {orders: -1});
  }

  /** Records that one of the counted orders is paid. */
  recordPaid(): void {
    if (this.#hours().length > 0) this.#addToHour(currentHour(), {paid: 1});
  }

  /** Deletes all data if nothing was counted for a whole window. Otherwise sets the alarm again. */
  override async alarm(): Promise<void> {
    const lastHour = this.#hours().reduce((last, {hour}) => Math.max(last, hour), -Infinity);
    const expiresAt = Math.max(lastHour > 0 ? endOfHour(lastHour) : 0, this.#permits.expiresAt() ?? 0);
    if (expiresAt > Date.now()) return scheduleAlarm(this.ctx.storage, expiresAt);
    await this.versions.erase();
  }

  #hours(): readonly HourCounts[] {
    return this.ctx.storage.kv.get<Counts>(COUNTS.key)?.hours ?? [];
  }

  /** Adds to the counts of an hour, and deletes the hours that count no longer. */
  #addToHour(hour: number, {orders = 0, paid = 0}: Partial<HourCounts>): void {
    const stored = this.ctx.storage.kv.get<Counts>(COUNTS.key);
    const hours = stored?.hours ?? [];
    const counted = hours.find((counts) => counts.hour === hour) ?? {hour, orders: 0, paid: 0};
    const others = hours.filter((counts) => counts.hour !== hour && counts.hour > currentHour() - DAY_HOURS);
    const changed = {hour, orders: counted.orders + orders, paid: counted.paid + paid};
    this.ctx.storage.kv.put<Counts>(COUNTS.key, {...stored, version: 1, hours: [...others, changed]});
  }
}

function currentHour(): number {
  return Math.floor(Date.now() / HOUR_MS);
}

/** When the counts of an hour stop counting, epoch milliseconds. */
function endOfHour(hour: number): number {
  return (hour + DAY_HOURS) * HOUR_MS;
}
