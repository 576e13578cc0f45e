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

/** Where one stands who waits for another day. */
export interface QueuePosition {
  /** 1 is the next. */
  readonly position: number;
  /** Epoch milliseconds. */
  readonly expectedAt: number;
}

export interface QuotaUsage {
  readonly name: QuotaName;
  readonly limit: QuotaLimit;
  /** Calls that count today. */
  readonly used: number;
  /** What new calls may use; null without a limit. */
  readonly left: number | null;
  readonly waiting: number;
  /** When the oldest call counts no more; null where none counts. Epoch milliseconds, as all times here. */
  readonly resetsAt: number | null;
  /** Until when the platform itself wants to be left alone. */
  readonly pausedUntil: number | null;
}

/** How long a call waits for its turn in a second. */
const SLOT_TIMEOUT_MS = 2_000;
const SLOT_RETRY_MS = 1_000;
/** After the platform said that we ask too often, and does not say when to come back. */
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = HOUR_MS;

/**
 * Counts the platform's limited calls before they are sent, for every isolate: one object a platform and merchant. It
 * is asked a few thousand times a day at most. Only its own clock counts, and that may be wrong; see `quota-store.ts`.
 */
export class Quota extends DurableObject<Env> {
  readonly #store = new QuotaStore(this.ctx.storage);
  readonly #slots = new Map<QuotaName, CallSlots>();
  /** Ends a call whose end nobody tells. */
  readonly #leases = new Map<number, {readonly cancel: () => void}>();

  constructor(...args: ConstructorParameters<typeof DurableObject<Env>>) {
    super(...args);
    this.#restoreRecent();
  }

  /**
   * Counts one call, or says when to come back. Where only this second is used up it waits for a moment.
   * @param queueId of who stands in line; others come after the line.
   */
  async acquire(quota: QuotaName, queueId: string | null = null): Promise<QuotaPermitResult> {
    const {second} = this.#limit(quota);
    const refused = this.#refuse(quota, queueId);
    if (refused) return refused;
    if (second !== null && !(await this.#slotsOf(quota).acquire(second, SLOT_TIMEOUT_MS)))
      return {limit: 'second', retryAfterMs: SLOT_RETRY_MS};
    // Others may have taken what was left while this one waited.
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

  /** The call ended, and counts. */
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

  /** Stands in line for the next day; who stands there already keeps the place. */
  enqueue(quota: QuotaName, id: string): QueuePosition {
    this.#store.enqueue(quota, id);
    return this.queuePosition(quota, id);
  }

  /** Waits no more. */
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

  /** Why nothing may be sent now; null where something may. */
  #refuse(quota: QuotaName, queueId: string | null): QuotaPermitResult | null {
    const until = Math.max(this.#pausedUntil(quota), this.#freeAt(quota, this.#store.countBefore(quota, queueId)));
    const waitMs = until - Date.now();
    return waitMs > 0 ? {limit: 'day', retryAfterMs: waitMs} : null;
  }

  /** When one may call before whom so many wait. Each day brings what the calls of the day before give back. */
  #freeAt(quota: QuotaName, before: number): number {
    const {day} = this.#limit(quota);
    const now = Date.now();
    const used = this.#store.used(quota, now);
    if (day === null) return 0;
    if (day === 0) return now + QUOTA_WINDOW_MS;
    // The day's calls in the order in which they come free: those that are left are free now.
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
    // Calls that were under way when the first was refused say nothing new.
    if (known && now < known.until) return;
    const count = (known?.times ?? 0) + 1;
    const delayMs = Math.min(retryAfterMs ?? FIRST_BACKOFF_MS * 2 ** (count - 1), MAX_BACKOFF_MS);
    this.#store.setBackoff(quota, {until: now + delayMs, times: count});
    log('warn', 'quota_refused', {operation: quota, retry_in_ms: delayMs});
  }

  /** Null where the call had ended before. */
  #end(permitId: number, sent: boolean): QuotaName | null {
    const open = this.#store.findOpen(permitId);
    if (open === null) return null;
    const {quota, queueId} = open;
    if (sent) this.#store.end(permitId);
    else this.#store.remove(permitId);
    // Who could not be sent stands where he stood.
    if (sent && queueId !== null) this.#store.leaveQueue(queueId);
    this.#leases.get(permitId)?.cancel();
    // The turn of a call that was under way when the object slept comes free by itself.
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

  /** What was under way when the object slept may be so still; what had ended may have done so a moment ago. */
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
