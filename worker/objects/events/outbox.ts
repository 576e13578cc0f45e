import {DurableObject} from 'cloudflare:workers';
import type * as z from 'zod';
import {contextOf} from '../../context.ts';
import type {DeadEvent as DeadEventAnswer} from '../../contract/merchant/descriptions/event-feed.ts';
import type {MerchantEvent} from '../../contract/merchant/descriptions/events.ts';
import {digest} from '../../lib/crypto.ts';
import {DAY_MS, HOUR_MS} from '../../lib/durations.ts';
import {formatInstant} from '../../lib/time.ts';
import {scheduleAlarm} from '../alarm.ts';
import {EventDelivery} from './event-delivery.ts';
import {type NewEvent, eventSubject} from './event.ts';
import {OutboxStore} from './outbox-store.ts';

/** A page of events, and where the next one begins. */
export interface EventPage {
  readonly items: MerchantEvent[];
  /** Stands after the last item; what it was asked with where there is none. */
  readonly position: number;
  readonly more: boolean;
}

export interface DeadPage {
  readonly items: z.infer<typeof DeadEventAnswer>[];
  readonly position: number;
  readonly more: boolean;
  readonly total: number;
}

const PAGE_LENGTH = 100;
/** How long an event can be read, from when it was appended. */
const RETENTION_MS = 30 * DAY_MS;
const CLEANUP_INTERVAL_MS = HOUR_MS;

/**
 * Everything that happened to one merchant, in one order, read as a feed and delivered to `WEBHOOK_URL`.
 *
 * Whoever appends keeps the events until `append` has answered, and appends them again if it does not: their ids are
 * made of what happened, so that a repetition adds nothing. An answer leaves only once what it tells of is on disk.
 * If the process dies
 * - in `append` before the rows are written: nothing is there, and the source appends again;
 * - between the rows and the alarm: they are written together, as everything between two awaits is;
 * - while events are on their way: nothing says so on disk, the alarm comes again, and they are sent again;
 * - after the merchant took one and before that was written down: it is sent twice, under the same id.
 */
export class Outbox extends DurableObject<Env> {
  readonly #store = new OutboxStore(this.ctx.storage);
  readonly #delivery = new EventDelivery(this.#store, () => contextOf(this.env).config.webhook);

  /** Adds events in this order; one that is known already is left where it is. */
  async append(events: readonly NewEvent[]): Promise<void> {
    const rows = await Promise.all(events.map(toRow));
    const deliver = contextOf(this.env).config.webhook !== null;
    const now = Date.now();
    this.#store.deleteBefore(now - RETENTION_MS);
    this.#store.append(rows, now, deliver);
    await this.#schedule();
    // A run that waits for a slow answer does not look up until it has come.
    if (this.#delivery.isRunning) this.#delivery.startDue();
  }

  /** @param position where the page before ended; 0 begins with the oldest event. */
  read(position: number): EventPage {
    const rows = this.#store.after(position, PAGE_LENGTH + 1);
    const items = rows.slice(0, PAGE_LENGTH);
    return {
      items: items.map(({body}) => parse(body)),
      position: items.at(-1)?.seq ?? position,
      more: rows.length > PAGE_LENGTH,
    };
  }

  /** Events that nobody took. */
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

  /** Delivers an event once more; false where there is none with this id. */
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
   * The next alarm: something is to be delivered, or the oldest event may be forgotten. What is on its way is due, too:
   * should the process die over it, this alarm is all that is left. One that comes while another runs waits for its end.
   */
  async #schedule(): Promise<void> {
    const oldest = this.#store.oldestAppendedAt();
    await scheduleAlarm(
      this.ctx.storage,
      this.#store.dueAt(),
      // The oldest may be one that still waits to be delivered, and is looked at again now and then.
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
