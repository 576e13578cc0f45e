import {DurableObject} from 'cloudflare:workers';
import {contextOf} from '../../context.ts';
import {HOUR_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {
  type QuotaLimit,
  QUOTA_NAMES,
  type QuotaName,
  type QuotaPermitResult,
  type QuotaRefusal,
} from '../../platform/quotas.ts';
import {CallSlots} from './call-slots.ts';
import {QUOTA_WINDOW_MS, MAX_CALL_MS, QuotaStore} from './quota-store.ts';

/** The position of a command that waits for another day. */
export interface QueuePosition {
  /** 1 is next. */
  readonly position: number;
  /** Epoch milliseconds. */
  readonly expectedAt: number;
}

export interface QuotaUsage {
  readonly name: QuotaName;
  readonly limit: QuotaLimit;
  /** Calls that count today. */
  readonly used: number;
  /** How many new calls are allowed; null without a limit. */
  readonly left: number | null;
  readonly waiting: number;
  /** When the oldest call stops counting; null when no call counts. Epoch milliseconds, as all times here. */
  readonly resetsAt: number | null;
  /** Until when we send nothing because the platform refused; null when it did not. */
  readonly pausedUntil: number | null;
}

/** How long a call waits for a free slot of the limit per second. */
const SLOT_TIMEOUT_MS = 2_000;
const SLOT_RETRY_MS = 1_000;
/** The backoff after the platform said that we call too often but not when to retry. */
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = HOUR_MS;

/**
 * Counts the platform's limited calls of all isolates before they are sent. There is one object per platform and
 * merchant, with at most a few thousand requests a day. It trusts only its own clock, which may be wrong; see
 * `quota-store.ts`.
 */
export class Quota extends DurableObject<Env> {
  readonly #store = new QuotaStore(this.ctx.storage);
  readonly #slots = new Map<QuotaName, CallSlots>();
  /** Timers that end a call whose isolate never reports the end. */
  readonly #leases = new Map<number, {readonly cancel: () => void}>();

  constructor(...args: ConstructorParameters<typeof DurableObject<Env>>) {
    super(...args);
    this.#restoreRecent();
  }

  /**
   * Counts one call, or says when to retry. When only the limit per second is reached, it waits for a moment.
   * @param queueId id of a queued caller; callers without one come after the queue.
   */
  async acquire(quota: QuotaName, queueId: string | null = null): Promise<QuotaPermitResult> {
    const {second} = this.#limit(quota);
    const refused = this.#refuse(quota, queueId);
    if (refused) return refused;
    if (second !== null && !(await this.#slotsOf(quota).acquire(second, SLOT_TIMEOUT_MS)))
      return {limit: 'second', retryAfterMs: SLOT_RETRY_MS};
    // Other calls may have used the rest of the day's limit while this one waited.
    const refusedNow = this.#refuse(quota, queueId);
    if (refusedNow) {
      this.#releaseSlot(quota, false);
      return refusedNow;
    }
    const permitId = this.#store.add(quota, queueId, Date.now());
    const timer = setTimeout(() => this.#end(permitId, true), MAX_CALL_MS);
    this.#leases.set(permitId, {cancel: () => clearTimeout(timer)});
    return {permitId};
  }

  /** The call was sent and has ended: it counts. */
  end(permitId: number, refusal: QuotaRefusal | null): void {
    const quota = this.#end(permitId, true);
    if (quota === null) return;
    if (refusal) this.#backOff(quota, refusal);
    else this.#store.setBackoff(quota, null);
  }

  /** The call was not sent: it does not count. */
  release(permitId: number): void {
    this.#end(permitId, false);
  }

  /** Queues an id for the next day; an id that is queued already keeps its position. */
  enqueue(quota: QuotaName, id: string): QueuePosition {
    this.#store.enqueue(quota, id);
    return this.queuePosition(quota, id);
  }

  /** Removes an id from the queue. */
  leaveQueue(id: string): void {
    this.#store.leaveQueue(id);
  }

  queuePosition(quota: QuotaName, id: string): QueuePosition {
    const before = this.#store.countBefore(quota, id);
    return {
      position: before + 1,
      expectedAt: Math.max(Date.now(), this.#freeAt(quota, before), this.#pausedUntil(quota)),
    };
  }

  usage(): QuotaUsage[] {
    const now = Date.now();
    return QUOTA_NAMES.map((name) => {
      const limit = this.#limit(name);
      const used = this.#store.used(name, now);
      const waiting = this.#store.countBefore(name, null);
      const left = limit.day === null ? null : Math.max(0, limit.day - used - waiting);
      const pausedUntil = this.#pausedUntil(name);
      return {
        name,
        limit,
        used,
        left,
        waiting,
        resetsAt: this.#store.endOf(name, 0),
        pausedUntil: pausedUntil > now ? pausedUntil : null,
      };
    });
  }

  #limit(quota: QuotaName): QuotaLimit {
    return contextOf(this.env).config.quotas[quota];
  }

  /** The refusal when no call may be sent now; null when one may. */
  #refuse(quota: QuotaName, queueId: string | null): QuotaPermitResult | null {
    const until = Math.max(this.#pausedUntil(quota), this.#freeAt(quota, this.#store.countBefore(quota, queueId)));
    const waitMs = until - Date.now();
    return waitMs > 0 ? {limit: 'day', retryAfterMs: waitMs} : null;
  }

  /** When a caller with `before` others in front may call. Each day frees as many calls as were made the day before. */
  #freeAt(quota: QuotaName, before: number): number {
    const {day} = this.#limit(quota);
    const now = Date.now();
    const used = this.#store.used(quota, now);
    if (day === null) return 0;
    if (day === 0) return now + QUOTA_WINDOW_MS;
    // The day's calls in the order in which they become free: the unused ones are free now.
    const free = Math.max(0, day - used);
    const index = before % day;
    const freeAt = index < free ? now : (this.#store.endOf(quota, index - free + Math.max(0, used - day)) ?? now);
    return freeAt + Math.floor(before / day) * QUOTA_WINDOW_MS;
  }

  #pausedUntil(quota: QuotaName): number {
    return this.#store.backoff(quota)?.until ?? 0;
  }

  #backOff(quota: QuotaName, {retryAfterMs}: QuotaRefusal): void {
    const now = Date.now();
    const known = this.#store.backoff(quota);
    // Calls that were already running when the first was refused do not lengthen the backoff.
    if (known && now < known.until) return;
    const count = (known?.times ?? 0) + 1;
    const delayMs = Math.min(retryAfterMs ?? FIRST_BACKOFF_MS * 2 ** (count - 1), MAX_BACKOFF_MS);
    this.#store.setBackoff(quota, {until: now + delayMs, times: count});
    log('warn', 'quota_refused', {operation: quota, retry_in_ms: delayMs});
  }

  /** Ends a call and frees its slot. @returns its quota; null when the call had already ended. */
  #end(permitId: number, sent: boolean): QuotaName | null {
    const open = this.#store.findOpen(permitId);
    if (open === null) return null;
    const {quota, queueId} = open;
    if (sent) this.#store.end(permitId);
    else this.#store.remove(permitId);
    // A call that was not sent keeps its position in the queue.
    if (sent && queueId !== null) this.#store.leaveQueue(queueId);
    this.#leases.get(permitId)?.cancel();
    // `#restoreRecent` frees the slot of a call that ran before the object slept.
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

  /** Takes slots again after a sleep: calls that ran may still run, and calls that ended may have ended just now. */
  #restoreRecent(): void {
    for (const {quota, ended, count} of this.#store.recent(Date.now())) {
      const {second} = this.#limit(quota);
      if (second === null) continue;
      const slots = this.#slotsOf(quota);
      slots.occupy(count);
      if (ended) slots.release(second, count);
      else setTimeout(() => slots.release(second, count), MAX_CALL_MS);
    }
  }
}
