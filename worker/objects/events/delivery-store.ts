/** Stores which events wait for delivery to which webhook, and which could not be delivered. */

import type {ServiceLimit} from '../../config/service-limit.ts';
import type {DELIVERY_STATES} from '../../contract/merchant/webhooks.ts';
import {distinct, type ObjectStorage, type SqlPart, sqlPart} from '../object-storage.ts';
import {type DueTime, earliest} from '../schedule.ts';
import type {DeliveryFault} from './sender.ts';

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A delivery: one event for one webhook. */
export interface StoredDelivery {
  readonly seq: number;
  readonly webhook: string;
  readonly subject: string;
  readonly state: DeliveryState;
  /** When the delivery is due; null if it is dead, and while it waits for an earlier delivery of its subject. */
  readonly due_at: number | null;
  readonly id: string;
  readonly body: string;
  /** How many attempts failed; those before the merchant asked for the event again count as one. */
  readonly attempts: number;
  /** Since when the event has been waiting for delivery, epoch milliseconds. */
  readonly queued_at: number;
  readonly tried_at: number | null;
  readonly last_status: number | null;
  readonly last_fault: DeliveryFault | null;
}

type DeliveryKey = Pick<StoredDelivery, 'seq' | 'subject' | 'webhook'>;

/** A delivery that the merchant's server accepted. */
export interface AcceptedDelivery extends Pick<StoredDelivery, 'id' | 'body' | 'webhook'> {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Which attempt was accepted, from 1; those before the merchant asked for the event again count as one. */
  readonly attempt: number;
  /** When and why the attempt before failed: a fault or an HTTP status; null if it is the first. */
  readonly failedAt: number | null;
  readonly reason: string | null;
}

/** The deliveries that exist for a caller; null in place of a list for all. */
export interface Visible {
  /** Ids of the webhooks to which events are delivered. */
  readonly webhooks: readonly string[] | null;
  /** The services that the events may name. */
  readonly services: ServiceLimit;
}

/** How an attempt failed. */
export interface Failure {
  readonly status: number | null;
  readonly fault: DeliveryFault | null;
}

type Row<T> = {-readonly [K in keyof T]: T[K]};

const COLUMNS = sqlPart`d.seq, d.webhook, d.subject, d.state, d.due_at, events.id, events.body, d.attempts, d.queued_at,
  d.tried_at, d.last_status, d.last_fault`;
const isOneOf = (value: SqlPart, list: readonly string[] | null) =>
  list === null ? sqlPart`TRUE` : sqlPart`${value} IN (SELECT value FROM json_each(${JSON.stringify(list)}))`;
const isDelivery = ({webhook, seq, subject}: DeliveryKey) =>
  sqlPart`subject = ${subject} AND seq = ${seq} AND webhook = ${webhook}`;
/** An event that names no service fits only null. */
const isVisible = ({webhooks, services}: Visible) =>
  sqlPart`${isOneOf(sqlPart`d.webhook`, webhooks)} AND ${isOneOf(sqlPart`body ->> '$.data.service'`, services)}`;
/** What waits, found by the first of each subject: these are few rows even if very many deliveries are dead. */
const WAITING = sqlPart`deliveries AS first CROSS JOIN deliveries AS d USING (subject, webhook)
  WHERE first.due_at IS NOT NULL AND d.state = 'waiting'`;
const MAX_COUNT = 1_000;
/** How many accepted deliveries of one event are remembered. */
const MAX_ACCEPTED = 20;

/** What waits for delivery to one webhook. A type, because statements return it. */
export type WaitingCounts = {
  /** How many events wait; 1000 for any larger number. */
  readonly waiting: number;
  /** How many events about money of orders wait although an attempt failed. */
  readonly unheardMoney: number;
};

/** The deliveries that the merchant's servers have not accepted. Times are in ms. */
export interface DeliveryBacklog {
  /** How many deliveries wait; 1000 for any larger number. */
  readonly waiting: number;
  /** How long the oldest waiting delivery has waited; 0 if no delivery waits. */
  readonly oldestMs: number;
  /** How many deliveries were given up; 1000 for any larger number. */
  readonly dead: number;
  /** How long ago a delivery was last given up; null if no delivery was given up. */
  readonly sinceDeadMs: number | null;
}

export class DeliveryStore {
  constructor(private readonly storage: ObjectStorage) {}

  /**
   * Adds the event to its subject's events that wait. It may have been delivered before, or have failed: then the caller
   * sets when the first event of the subject is due.
   */
  add(webhook: string, {seq, subject}: Pick<StoredDelivery, 'seq' | 'subject'>, now: number): void {
    const first = this.#first(webhook, subject);
    if (first && seq <= first.seq) this.#setDue(first, null);
    this.storage.sql`
      INSERT INTO deliveries (subject, seq, webhook, state, due_at, attempts, queued_at)
      VALUES (${subject}, ${seq}, ${webhook}, 'waiting', ${first ? null : now}, 0, ${now})
      ON CONFLICT DO UPDATE
      SET state = 'waiting', due_at = excluded.due_at, attempts = min(attempts, 1), queued_at = excluded.queued_at`;
  }

  /**
   * Finds the webhook's subject that has been due for the longest time, and returns its first event. Leaves out
   * subjects with an event that is being sent.
   */
  due(webhook: string, now: number, inFlight: ReadonlySet<string>): StoredDelivery | undefined {
    return this.storage.sql<Row<StoredDelivery>>`
      SELECT ${COLUMNS} FROM deliveries d JOIN events USING (seq)
      WHERE d.webhook = ${webhook} AND d.due_at <= ${now} ORDER BY d.due_at LIMIT ${inFlight.size + 1}`.find(
      ({subject}) => !inFlight.has(subject),
    );
  }

  /** When the next event is due, including events that are being sent; null when no event waits for delivery. */
  dueAt(): DueTime {
    return earliest(
      ...this.waitingWebhooks().map(
        (webhook) =>
          this.storage.sql<{at: DueTime}>`
            SELECT min(due_at) AS at FROM deliveries WHERE webhook = ${webhook} AND due_at IS NOT NULL`[0]?.at ?? null,
      ),
    );
  }

  /** The webhooks for which events wait. */
  waitingWebhooks(): string[] {
    return distinct(
      this.storage.sql,
      sqlPart`webhook`,
      sqlPart`(SELECT webhook FROM deliveries WHERE due_at IS NOT NULL)`,
    );
  }

  setDelivered(delivery: StoredDelivery, now: number): void {
    const {webhook, seq, attempts, tried_at, last_status, last_fault} = delivery;
    const reason = last_fault ?? (last_status === null ? null : String(last_status));
    this.storage.sql`
      UPDATE events SET accepted = json_insert(
        coalesce(accepted, '[]'), '$[#]', json_array(${webhook}, ${now}, ${attempts + 1}, ${tried_at}, ${reason}))
      WHERE seq = ${seq} AND coalesce(json_array_length(accepted), 0) < ${MAX_ACCEPTED}`;
    this.storage.sql`DELETE FROM deliveries WHERE ${isDelivery(delivery)}`;
    this.postpone(delivery, now);
  }

  setFailed(delivery: StoredDelivery, failure: Failure, now: number, dueAt: number): void {
    this.#recordFailure('waiting', delivery, failure, now);
    this.postpone(delivery, dueAt);
  }

  setDead(delivery: StoredDelivery, failure: Failure, now: number): void {
    this.#recordFailure('dead', delivery, failure, now);
    this.postpone(delivery, now);
  }

  /** Sets when the first event of a subject is due, if any waits, without counting an attempt. */
  postpone({webhook, subject}: Pick<StoredDelivery, 'webhook' | 'subject'>, dueAt: number): void {
    const first = this.#first(webhook, subject);
    if (first) this.#setDue(first, dueAt);
  }

  /** Drops the waiting deliveries of a webhook that gets no more events. The events stay in the feed. */
  stop(webhook: string): void {
    this.storage.sql`DELETE FROM deliveries WHERE webhook = ${webhook} AND state = 'waiting'`;
  }

  /** Deletes everything about a webhook. */
  forget(webhook: string): void {
    this.storage.sql`DELETE FROM deliveries WHERE webhook = ${webhook}`;
  }

  /**
   * At most `limit` deliveries of events after `seq`, in the order of the events. The last event may have further
   * deliveries.
   */
  list(
    seq: number,
    limit: number,
    visible: Visible,
    webhook: string | null,
    state: DeliveryState | null,
  ): StoredDelivery[] {
    return this.storage.sql<Row<StoredDelivery>>`
      SELECT ${COLUMNS} FROM deliveries d JOIN events USING (seq)
      WHERE d.seq > ${seq} AND (${webhook} IS NULL OR d.webhook = ${webhook})
      AND (${state} IS NULL OR d.state = ${state}) AND ${isVisible(visible)}
      ORDER BY d.seq, d.webhook LIMIT ${limit}`;
  }

  /** What the merchant's servers have not accepted of a subject's events, oldest first. */
  ofSubject(webhooks: readonly string[], subject: string, limit: number): StoredDelivery[] {
    return webhooks.flatMap(
      (webhook) => this.storage.sql<Row<StoredDelivery>>`
        SELECT ${COLUMNS} FROM deliveries d JOIN events USING (seq)
        WHERE d.subject = ${subject} AND d.webhook = ${webhook} ORDER BY d.seq LIMIT ${limit}`,
    );
  }

  /** What the merchant's servers have accepted of a subject's events. */
  acceptedOf(webhooks: Visible['webhooks'], subject: string, limit: number): AcceptedDelivery[] {
    return this.storage.sql<Row<AcceptedDelivery>>`
      SELECT events.id, body, one.value ->> 0 AS webhook, one.value ->> 1 AS at, one.value ->> 2 AS attempt,
        one.value ->> 3 AS failedAt, one.value ->> 4 AS reason
      FROM events, json_each(accepted) AS one
      WHERE subject = ${subject} AND ${isOneOf(sqlPart`one.value ->> 0`, webhooks)} ORDER BY seq LIMIT ${limit}`;
  }

  countDead(visible: Visible): number {
    const [found] = this.storage.sql<Count>`
      SELECT count(*) AS count FROM deliveries d JOIN events USING (seq)
      WHERE d.state = 'dead' AND ${isVisible(visible)}`;
    return found?.count ?? 0;
  }

  /**
   * How many events wait for delivery to a webhook, and how many of these are about money of orders and wait although an
   * attempt failed, their own or that of an earlier event of the order that waits. Reads at most a thousand events.
   */
  countsOf(webhook: string): WaitingCounts {
    const [counts] = this.storage.sql<WaitingCounts>`
      SELECT count(*) AS waiting, total(failed AND json_array_length(body, '$.data.transactions')) AS unheardMoney
      FROM (SELECT body, max(attempts) OVER (PARTITION BY subject ORDER BY seq) AS failed
        FROM (SELECT d.* FROM ${WAITING} AND first.webhook = ${webhook}
          ORDER BY first.due_at DESC LIMIT ${MAX_COUNT})
        JOIN events USING (seq, subject))` as [WaitingCounts];
    return counts;
  }

  /**
   * Makes everything due now that waits for a later attempt. @returns how many subjects now wait no longer.
   * @param webhook - Null for all.
   */
  wake(webhook: string | null, visible: Visible, now: number): number {
    return this.storage.sql`
      UPDATE deliveries AS d SET due_at = ${now}
      WHERE due_at > ${now} AND (${webhook} IS NULL OR webhook = ${webhook}) AND EXISTS (
        SELECT 1 FROM events WHERE events.seq = d.seq AND ${isVisible(visible)})
      RETURNING 1`.length;
  }

  /**
   * The deliveries that were not accepted. Counts at most a thousand waiting deliveries, and at most a thousand dead
   * deliveries: those that the Worker gave up last, because `sinceDeadMs` is about the last one.
   */
  backlog(now: number): DeliveryBacklog {
    const [waiting, dead] = [WAITING, sqlPart`deliveries AS d WHERE state = 'dead' ORDER BY tried_at DESC`].map(
      (source) =>
        this.storage.sql<Count & {queuedAt: number | null; triedAt: number | null}>`
          SELECT count(*) AS count, min(queued_at) AS queuedAt, max(tried_at) AS triedAt FROM
          (SELECT d.queued_at, d.tried_at FROM ${source} LIMIT ${MAX_COUNT})`[0],
    );
    return {
      waiting: waiting?.count ?? 0,
      oldestMs: now - (waiting?.queuedAt ?? now),
      dead: dead?.count ?? 0,
      sinceDeadMs: typeof dead?.triedAt === 'number' ? now - dead.triedAt : null,
    };
  }

  /** The caller sets when the first event of the subject is due. */
  #recordFailure(state: DeliveryState, delivery: StoredDelivery, {status, fault}: Failure, now: number): void {
    this.storage.sql`
      UPDATE deliveries SET state = ${state}, due_at = NULL, attempts = attempts + 1, tried_at = ${now},
        last_status = ${status}, last_fault = ${fault}
      WHERE ${isDelivery(delivery)}`;
  }

  /** The first delivery of a subject that waits. */
  #first(webhook: string, subject: string): DeliveryKey | undefined {
    return this.storage.sql<Row<DeliveryKey>>`
      SELECT seq, subject, webhook FROM deliveries
      WHERE subject = ${subject} AND webhook = ${webhook} AND state = 'waiting' ORDER BY seq LIMIT 1`[0];
  }

  #setDue(delivery: DeliveryKey, dueAt: number | null): void {
    this.storage.sql`UPDATE deliveries SET due_at = ${dueAt} WHERE ${isDelivery(delivery)}`;
  }
}

type Count = {count: number};
