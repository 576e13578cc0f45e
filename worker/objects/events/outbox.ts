import type * as z from 'zod';
import {contextOf} from '../../context.ts';
import type {DeadEvent as DeadEventAnswer} from '../../contract/merchant/descriptions/event-feed.ts';
import type {MerchantEvent} from '../../contract/merchant/descriptions/events.ts';
import {digest} from '../../lib/crypto.ts';
import {DAY_MS, HOUR_MS} from '../../lib/durations.ts';
import {formatInstant} from '../../lib/time.ts';
import {scheduleAlarm} from '../alarm.ts';
import {assignSubscriptions} from '../consents/find-consents.ts';
import {StoredObject} from '../stored-object.ts';
import {EventDelivery} from './event-delivery.ts';
import {type EventFilter, type EventPage, EventQueries} from './event-queries.ts';
import {type NewEvent, eventSubject} from './event.ts';
import {OUTBOX, OutboxStore} from './outbox-store.ts';

export interface DeadPage {
  readonly items: z.infer<typeof DeadEventAnswer>[];
  readonly position: number;
  readonly more: boolean;
  readonly total: number;
}

const PAGE_LENGTH = 100;
/** How long an event can be read after it was appended. */
const RETENTION_MS = 30 * DAY_MS;
const CLEANUP_INTERVAL_MS = HOUR_MS;

/**
 * Keeps all events of one merchant in one sequence, which can be read as a feed, and delivers them to `WEBHOOK_URL`.
 *
 * A caller of `append` keeps its events until `append` has returned, and appends them again if `append` fails. The ids
 * of events are derived from what happened, so a repeated `append` adds nothing. `append` returns only once the rows
 * are on disk. If the process dies
 * - in `append`, before the rows are written, nothing is stored, and the caller appends the events again;
 * - while events are being sent, the alarm runs again and sends them again;
 * - after the merchant accepted an event, but before this is stored, the event is sent twice, with the same id.
 * It cannot die between the rows and the alarm, because everything between two awaits is written together.
 */
export class Outbox extends StoredObject {
  static override readonly schemas = [OUTBOX];

  readonly #store = new OutboxStore(this.ctx.storage);
  readonly #queries = new EventQueries(this.ctx.storage);
  readonly #delivery = new EventDelivery(this.#store, () => contextOf(this.env).config.webhook);

  /** Adds events in the given order; an event that is already stored keeps its position. */
  async append(events: readonly NewEvent[]): Promise<void> {
    const rows = await Promise.all(events.map(toRow));
    const deliver = contextOf(this.env).config.webhook !== null;
    const now = Date.now();
    this.#store.deleteBefore(now - RETENTION_MS);
    this.#store.append(rows, now, deliver);
    await this.#schedule();
    // A running delivery may be waiting for a slow answer, so start the new events here.
    if (this.#delivery.isRunning) this.#delivery.startDue();
    this.ctx.waitUntil(assignSubscriptions(contextOf(this.env).objects, events));
  }

  /** @param position the end of the previous page; 0 starts with the oldest event. */
  read(position: number, filter: EventFilter = {subject: null, type: null}): EventPage {
    return this.#queries.search(position, filter);
  }

  /** The event with this id; null if there is none. */
  find(id: string): MerchantEvent | null {
    return this.#queries.find(id);
  }

  /** The position after the newest event, where only future events follow; 0 if there is no event. */
  end(): number {
    return this.#queries.end();
  }

  /** Events that could not be delivered. */
  readDead(position: number): DeadPage {
    const rows = this.#store.dead(position, PAGE_LENGTH + 1);
    const items = rows.slice(0, PAGE_LENGTH);
    return {
      items: items.map(({body, attempts, tried_at, last_status}) => ({
        event: parse(body),
        attempts,
        last_attempt_at: formatInstant(tried_at),
        last_status,
      })),
      position: items.at(-1)?.seq ?? position,
      more: rows.length > PAGE_LENGTH,
      total: this.#store.countDead(),
    };
  }

  /** Delivers an event once more; returns false when there is no event with this id. */
  async resend(id: string): Promise<boolean> {
    const found = this.#store.resend(id, Date.now());
    await this.#schedule();
    return found;
  }

  override async alarm(): Promise<void> {
    this.#store.deleteBefore(Date.now() - RETENTION_MS);
    await this.#delivery.run();
    await this.#schedule();
  }

  /**
   * Plans the next alarm for when an event is due or the oldest event may be deleted. Events that are being sent count
   * as due, because if the process dies, only this alarm remains. An alarm that becomes due while another one runs
   * starts after that one.
   */
  async #schedule(): Promise<void> {
    const oldest = this.#store.oldestAppendedAt();
    await scheduleAlarm(
      this.ctx.storage,
      this.#store.dueAt(),
      // The oldest event may still wait for delivery and must then not be deleted; check again after the interval.
      oldest === null ? null : Math.max(oldest + RETENTION_MS, Date.now() + CLEANUP_INTERVAL_MS),
    );
  }
}

async function toRow(event: NewEvent): Promise<{id: string; subject: string; body: string}> {
  const {type, key, at, data} = event;
  const id = `evt_${(await digest('SHA-256', `${type}\n${key}`)).slice(0, 32)}`;
  return {id, subject: eventSubject(event), body: JSON.stringify({id, type, created_at: formatInstant(at), data})};
}

function parse(body: string): MerchantEvent {
  return JSON.parse(body) as MerchantEvent;
}
