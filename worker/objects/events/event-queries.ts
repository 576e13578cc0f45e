/** Reads the events of one order or type. Each query reads a limited number of rows. */

import type {MerchantEvent} from '../../contract/merchant/descriptions/events.ts';
import type {Page} from './outbox-store.ts';

/** A page of events, and the position where the next page begins. */
export interface EventPage extends Page {
  readonly items: MerchantEvent[];
}

/** Which events to read. A field that is null does not filter. */
export interface EventFilter {
  /** The subject, in the form that `eventSubject` returns. */
  readonly subject: string | null;
  readonly type: string | null;
}

type Row = {seq: number; body: string};

const PAGE_LENGTH = 100;
/** How many rows a query of one type reads. A page may therefore be empty although later pages are not. */
const SCAN_LENGTH = 2_000;

export class EventQueries {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** The position after the newest event; 0 if there is no event. */
  end(): number {
    return this.#sql.exec<{seq: number | null}>('SELECT max(seq) AS seq FROM events').one().seq ?? 0;
  }

  /** @param position - The end of the previous page; 0 starts with the oldest event. */
  search(position: number, {subject, type}: EventFilter): EventPage {
    // Without a type every row matches. The query reads one row more than fits on the page, to know whether there is
    // another page.
    const limit = type === null ? PAGE_LENGTH + 1 : SCAN_LENGTH;
    const rows = this.#scan(position, subject, limit);
    const items: MerchantEvent[] = [];
    let end = position;
    for (const {seq, body} of rows) {
      const event = JSON.parse(body) as MerchantEvent;
      const isMatch = type === null || event.type === type;
      if (isMatch && items.length === PAGE_LENGTH) return {items, position: end, more: true};
      if (isMatch) items.push(event);
      end = seq;
    }
    return {items, position: end, more: rows.length === limit};
  }

  #scan(position: number, subject: string | null, limit: number): Row[] {
    const found =
      subject === null
        ? this.#sql.exec<Row>('SELECT seq, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?', position, limit)
        : this.#sql.exec<Row>(
            'SELECT seq, body FROM events WHERE subject = ? AND seq > ? ORDER BY seq LIMIT ?',
            subject,
            position,
            limit,
          );
    return found.toArray();
  }
}
