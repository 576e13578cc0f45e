import type {Context} from '../../context.ts';
import {HOUR_MS, SECOND_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {nextFailures} from '../../lib/retry.ts';
import {formatInstantOrNull, formatPlatformDay} from '../../lib/time.ts';
import {
  LIMITED_KEYS_SHARE,
  OWN_SHARES,
  type QuotaLimit,
  QUOTA_NAMES,
  type QuotaName,
} from '../../platform/quota-limits.ts';
import type {QuotaCaller, QuotaPermitResult, QuotaRefusal} from '../../platform/quotas.ts';
import type {NewEvent} from '../events/event.ts';
import type {ObjectStorage} from '../object-storage.ts';
import {CallSlots} from './call-slots.ts';
import {MAX_CALL_MS, QUOTA_WINDOW_MS, QuotaStore} from './quota-store.ts';

/** The position of a command in the queue for the next day. */
export interface QueuePosition {
  /** 1 is the first in the queue. */
  readonly position: number;
  /** When the command can probably be sent, epoch milliseconds. */
  readonly expectedAt: number;
}

export interface QuotaUsage {
  readonly name: QuotaName;
  readonly limit: QuotaLimit;
  /** How many calls count now. */
  readonly used: number;
  /** How many new calls are allowed now, without the calls that only the Worker itself may use. Null when there is no daily limit. */
  readonly left: number | null;
  /** How many commands are queued for the next day. */
  readonly waiting: number;
  /** When the oldest call stops counting; null when no call counts. All times here are epoch milliseconds. */
  readonly resetsAt: number | null;
  /** Until when no call is sent, because the platform refused a call; null when calls may be sent. */
  readonly backoffUntil: number | null;
}

/** The merchant gets an event when this share of a daily limit is used. */
const LOW_SHARE = 0.8;

const READER: QuotaCaller = {queueId: null, isOwn: false};

/** How long a call waits for a free slot of the limit per second. */
const SLOT_TIMEOUT_MS = 2_000;
const SLOT_RETRY_MS = 1_000;
/** The delays after the platform refused a call because of too many calls, and did not say when to retry. */
const RETRY = {firstMs: SECOND_MS, maxMs: HOUR_MS};

/**
 * Counts the calls of all isolates to operations that the platform limits, before the calls are sent: at most a few
 * thousand a day. It trusts only the object's own clock, which may be wrong; see `quota-store.ts`.
 */
export class Quota {
  readonly #store: QuotaStore;
  readonly #slots = new Map<QuotaName, CallSlots>();
  /** For each call, a timer that ends the call if the isolate never reports the end. */
  readonly #leases = new Map<number, {readonly cancel: () => void}>();
  /** Whether the slots are taken again since the object woke. */
  #isRestored = false;

  /** @param report - Hands an event to the outbox. Nobody waits until the merchant has it. */
  constructor(
    storage: ObjectStorage,
    private readonly context: () => Context,
    private readonly report: (event: NewEvent) => void,
  ) {
    this.#store = new QuotaStore(storage);
  }

  /**
   * Counts one call, or says when to retry. If only the limit per second is reached, waits for a free slot. Callers
   * that are not queued come after the whole queue.
   */
  async acquire(quota: QuotaName, caller: QuotaCaller = READER): Promise<QuotaPermitResult> {
    this.#restore();
    const {second} = this.#limit(quota);
    const refused = this.#refuse(quota, caller);
    if (refused) return refused;
    if (second !== null && !(await this.#slotsOf(quota).acquire(second, SLOT_TIMEOUT_MS)))
      return {limit: 'second', retryAfterMs: SLOT_RETRY_MS};
    // Other calls may have used the rest of the day's limit while this call waited.
    const refusedNow = this.#refuse(quota, caller);
    if (refusedNow) {
      this.#releaseSlot(quota, false);
      return refusedNow;
    }
    const permitId = this.#store.add(quota, caller.queueId, Date.now());
    const timer = setTimeout(() => this.#end(permitId, true), MAX_CALL_MS);
    this.#leases.set(permitId, {cancel: () => clearTimeout(timer)});
    const {day} = this.#limit(quota);
    if (day !== null && this.#store.used(quota, Date.now()) >= day * LOW_SHARE) this.#report('quota.low', quota);
    return {permitId};
  }

  /**
   * Counts a request of an API key that is limited to services, so that these keys leave calls for others. A request that
   * is repeated with the same id counts once. @returns how long to wait; 0 if the request may go on.
   */
  admitLimited(quota: QuotaName, id: string): number {
    const {day} = this.#limit(quota);
    const name = `limited ${quota}` as const;
    const now = Date.now();
    if (day === null || this.#store.has(name, id)) return 0;
    const excess = this.#store.used(name, now) - Math.ceil(day * LIMITED_KEYS_SHARE);
    if (excess >= 0) return (this.#store.endOf(name, excess) ?? now) - now;
    this.#store.end(this.#store.add(name, id, now));
    return 0;
  }

  /** Ends a call that was sent. The call counts. */
  end(permitId: number, refusal: QuotaRefusal | null): void {
    const quota = this.#end(permitId, true);
    if (quota === null) return;
    if (refusal) this.#backOff(quota, refusal);
    else this.#store.setBackoff(quota, null);
  }

  /** Ends a call that was not sent. The call does not count. */
  release(permitId: number): void {
    this.#end(permitId, false);
  }

  /** Queues an id for the next day; an id that is already queued keeps its position. */
  enqueue(quota: QuotaName, id: string): QueuePosition {
    const isFirst = this.#store.countBefore(quota, null) === 0;
    this.#store.enqueue(quota, id);
    if (isFirst) this.#report('quota.queued', quota);
    return this.#position(quota, id);
  }

  /** Removes an id from the queue. */
  leaveQueue(id: string): void {
    this.#store.leaveQueue(id);
  }

  #position(quota: QuotaName, id: string): QueuePosition {
    const before = this.#store.countBefore(quota, id);
    return {
      position: before + 1,
      expectedAt: Math.max(Date.now(), this.#freeAt(quota, before), this.#backoffUntil(quota)),
    };
  }

  usage(): QuotaUsage[] {
    return QUOTA_NAMES.map((name) => this.#usage(name));
  }

  #usage(name: QuotaName): QuotaUsage {
    const now = Date.now();
    const limit = this.#limit(name);
    const used = this.#store.used(name, now);
    const waiting = this.#store.countBefore(name, null);
    const kept = this.#kept(name);
    const left = limit.day === null ? null : Math.max(0, limit.day - used - waiting - kept);
    const backoffUntil = this.#backoffUntil(name);
    return {
      name,
      limit,
      used,
      left,
      waiting,
      resetsAt: this.#store.endOf(name, 0),
      backoffUntil: backoffUntil > now ? backoffUntil : null,
    };
  }

  /** Reports an event, at most one of its type a day. */
  #report(type: 'quota.low' | 'quota.queued', name: QuotaName): void {
    const now = Date.now();
    const {limit, used, left, waiting, resetsAt} = this.#usage(name);
    const today = formatPlatformDay(now);
    if (limit.day === null || left === null || !this.#store.noteEvent(type, name, today)) return;
    const data = {quota: name, per_day: limit.day, used, left, waiting, resets_at: formatInstantOrNull(resetsAt)};
    this.report({type, key: `${name} ${today}`, at: now, data});
  }

  #limit(quota: QuotaName): QuotaLimit {
    return this.context().config.quotas[quota];
  }

  /** Returns a refusal if this caller may not call now, otherwise null. */
  #refuse(quota: QuotaName, {queueId, isOwn}: QuotaCaller): QuotaPermitResult | null {
    // For pages and the merchant's server, each call that is kept counts as one more caller in the queue.
    const before = this.#store.countBefore(quota, queueId) + (isOwn ? 0 : this.#kept(quota));
    const until = Math.max(this.#backoffUntil(quota), this.#freeAt(quota, before));
    const waitMs = until - Date.now();
    return waitMs > 0 ? {limit: 'day', retryAfterMs: waitMs} : null;
  }

  /**
   * The time at which a caller may call if `before` other callers are ahead in the queue. Each call becomes free again
   * a day after it was made.
   */
  #freeAt(quota: QuotaName, before: number): number {
    const {day} = this.#limit(quota);
    const now = Date.now();
    const used = this.#store.used(quota, now);
    if (day === null) return 0;
    if (day === 0) return now + QUOTA_WINDOW_MS;
    // The day's calls become free in this order: first the unused calls, which are free now, then the used calls by
    // age.
    const free = Math.max(0, day - used);
    const index = before % day;
    const freeAt = index < free ? now : (this.#store.endOf(quota, index - free + Math.max(0, used - day)) ?? now);
    return freeAt + Math.floor(before / day) * QUOTA_WINDOW_MS;
  }

  #kept(quota: QuotaName): number {
    return Math.floor((this.#limit(quota).day ?? 0) * (OWN_SHARES[quota] ?? 0));
  }

  #backoffUntil(quota: QuotaName): number {
    return this.#store.backoff(quota)?.retryAt ?? 0;
  }

  #backOff(quota: QuotaName, {retryAfterMs}: QuotaRefusal): void {
    const now = Date.now();
    const known = this.#store.backoff(quota);
    const next = nextFailures(RETRY, known, now);
    // Calls that were already running when the first call was refused do not lengthen the backoff.
    if (next === known) return;
    const retryAt = retryAfterMs === null ? next.retryAt : now + Math.min(retryAfterMs, RETRY.maxMs);
    this.#store.setBackoff(quota, {...next, retryAt});
    log('warn', 'quota_refused', {operation: quota, retry_in_ms: retryAt - now});
  }

  /** Ends a call and frees its slot. @returns the call's quota; null when the call had already ended. */
  #end(permitId: number, sent: boolean): QuotaName | null {
    const open = this.#store.findOpen(permitId);
    if (open === null) return null;
    const {quota, queueId} = open;
    if (sent) this.#store.end(permitId);
    else this.#store.remove(permitId);
    // If the call was not sent, its caller keeps the position in the queue.
    if (sent && queueId !== null) this.#store.leaveQueue(queueId);
    this.#leases.get(permitId)?.cancel();
    // If the object slept since the call began, `#restore` frees the slot instead.
    if (this.#leases.delete(permitId)) this.#releaseSlot(quota, sent);
    return quota;
  }

  #releaseSlot(quota: QuotaName, sent: boolean): void {
    const {second} = this.#limit(quota);
    if (second === null) return;
    if (sent) this.#slotsOf(quota).release(second);
    else this.#slotsOf(quota).releaseNow(second);
  }

  #slotsOf(quota: QuotaName): CallSlots {
    let slots = this.#slots.get(quota);
    if (!slots) this.#slots.set(quota, (slots = new CallSlots()));
    return slots;
  }

  /**
   * Takes the slots of recent calls again after the object slept. A call that was open when the object fell asleep may
   * still be running. A call that had ended may have ended only a moment ago, so it still occupies its slot. Not done
   * when the object wakes, because a wrong configuration must stop nothing else that the object does.
   */
  #restore(): void {
    if (this.#isRestored) return;
    const {quotas} = this.context().config;
    this.#isRestored = true;
    for (const {quota, ended, count} of this.#store.recent(Date.now())) {
      if (!QUOTA_NAMES.includes(quota)) continue;
      const {second} = quotas[quota];
      if (second === null) continue;
      const slots = this.#slotsOf(quota);
      slots.occupy(count);
      if (ended) slots.release(second, count);
      else setTimeout(() => slots.release(second, count), MAX_CALL_MS);
    }
  }
}
