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
  readonly id: string;
  readonly body: string;
  /** How many times the event was sent to the webhook. */
  readonly attempts: number;
  /** Since when the event has been waiting for delivery, epoch milliseconds. */
  readonly queued_at: number;
  readonly tried_at: number | null;
  readonly last_status: number | null;
  readonly last_fault: DeliveryFault | null;
}

/**
 * A delivery, with the time at which it is due. The time is null for a dead delivery, and while the delivery waits for
 * an earlier delivery of its subject.
 */
export interface ListedDelivery extends StoredDelivery {
  readonly due_at: number | null;
}

/** A delivery that the merchant's server accepted. */
export interface AcceptedDelivery extends Pick<StoredDelivery, 'id' | 'body' | 'webhook'> {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Which attempt was accepted, from 1. */
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

const COLUMNS = sqlPart`d.seq, d.webhook, d.subject, d.state, events.id, events.body, d.attempts, d.queued_at,
  d.tried_at, d.last_status, d.last_fault`;
/** Only the first delivery of a queue is due. */
const DUE_AT = sqlPart`CASE WHEN d.state = 'waiting' AND NOT EXISTS (
    SELECT 1 FROM deliveries e
    WHERE e.webhook = d.webhook AND e.subject = d.subject AND e.seq < d.seq AND e.state = 'waiting')
  THEN (SELECT due_at FROM delivery_queues q WHERE q.webhook = d.webhook AND q.subject = d.subject) END AS due_at`;
const isOneOf = (value: SqlPart, list: readonly string[] | null) =>
  list === null ? sqlPart`TRUE` : sqlPart`${value} IN (SELECT value FROM json_each(${JSON.stringify(list)}))`;
/** An event that names no service fits only null. */
const isVisible = ({webhooks, services}: Visible) =>
  sqlPart`${isOneOf(sqlPart`d.webhook`, webhooks)} AND ${isOneOf(sqlPart`body ->> '$.data.service'`, services)}`;
const MAX_COUNT = 1_000;
/** How many accepted deliveries of one event are remembered. */
const MAX_ACCEPTED = 20;

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

  /** Adds the event to the end of its subject's queue. It may have been delivered before. */
  add(webhook: string, {seq, subject}: Pick<StoredDelivery, 'seq' | 'subject'>, now: number): void {
    this.storage.sql`
      INSERT OR REPLACE INTO deliveries (seq, webhook, subject, state, attempts, queued_at)
      VALUES (${seq}, ${webhook}, ${subject}, 'waiting', 0, ${now})`;
    this.storage.sql`
      INSERT OR IGNORE INTO delivery_queues (webhook, subject, due_at) VALUES (${webhook}, ${subject}, ${now})`;
  }

  /**
   * Finds the webhook's subject that has been due for the longest time, and returns its first event. Leaves out
   * subjects with an event that is being sent.
   */
  due(webhook: string, now: number, inFlight: ReadonlySet<string>): StoredDelivery | undefined {
    const queues = this.storage.sql<{subject: string}>`
      SELECT subject FROM delivery_queues WHERE webhook = ${webhook} AND due_at <= ${now}
      ORDER BY due_at LIMIT ${inFlight.size + 1}`;
    const next = queues.find(({subject}) => !inFlight.has(subject));
    return next && this.#first(webhook, next.subject);
  }

  /** When the next event is due, including events that are being sent; null when no event waits for delivery. */
  dueAt(): DueTime {
    return earliest(
      ...this.waitingWebhooks().map(
        (webhook) =>
          this.storage.sql<{at: DueTime}>`SELECT min(due_at) AS at FROM delivery_queues WHERE webhook = ${webhook}`[0]
            ?.at ?? null,
      ),
    );
  }

  /** The webhooks for which events wait. */
  waitingWebhooks(): string[] {
    return distinct(this.storage.sql, sqlPart`webhook`, sqlPart`delivery_queues`);
  }

  setDelivered(delivery: StoredDelivery, now: number): void {
    const {webhook, seq, subject, attempts, tried_at, last_status, last_fault} = delivery;
    const reason = last_fault ?? (last_status === null ? null : String(last_status));
    this.storage.sql`
      UPDATE events SET accepted = json_insert(
        coalesce(accepted, '[]'), '$[#]', json_array(${webhook}, ${now}, ${attempts + 1}, ${tried_at}, ${reason}))
      WHERE seq = ${seq} AND coalesce(json_array_length(accepted), 0) < ${MAX_ACCEPTED}`;
    this.storage.sql`DELETE FROM deliveries WHERE seq = ${seq} AND webhook = ${webhook}`;
    this.#advanceQueue(webhook, subject, now);
  }

  setFailed(delivery: StoredDelivery, failure: Failure, now: number, dueAt: number): void {
    this.#recordFailure('waiting', delivery, failure, now);
    this.postpone(delivery, dueAt);
  }

  setDead(delivery: StoredDelivery, failure: Failure, now: number): void {
    this.#recordFailure('dead', delivery, failure, now);
    this.#advanceQueue(delivery.webhook, delivery.subject, now);
  }

  /** Sets when a subject is due, without counting an attempt. */
  postpone({webhook, subject}: Pick<StoredDelivery, 'webhook' | 'subject'>, dueAt: number): void {
    this.storage.sql`UPDATE delivery_queues SET due_at = ${dueAt} WHERE webhook = ${webhook} AND subject = ${subject}`;
  }

  /** Drops the waiting deliveries of a webhook that gets no more events. The events stay in the feed. */
  stop(webhook: string): void {
    this.storage.sql`DELETE FROM deliveries WHERE webhook = ${webhook} AND state = 'waiting'`;
    this.storage.sql`DELETE FROM delivery_queues WHERE webhook = ${webhook}`;
  }

  /** Deletes everything about a webhook. */
  forget(webhook: string): void {
    this.stop(webhook);
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
  ): ListedDelivery[] {
    return this.storage.sql<Row<ListedDelivery>>`
      SELECT ${COLUMNS}, ${DUE_AT} FROM deliveries d JOIN events USING (seq)
      WHERE d.seq > ${seq} AND (${webhook} IS NULL OR d.webhook = ${webhook})
      AND (${state} IS NULL OR d.state = ${state}) AND ${isVisible(visible)}
      ORDER BY d.seq, d.webhook LIMIT ${limit}`;
  }

  /** What the merchant's servers have not accepted of a subject's events, oldest first. */
  ofSubject(webhooks: readonly string[], subject: string, limit: number): ListedDelivery[] {
    return webhooks.flatMap(
      (webhook) => this.storage.sql<Row<ListedDelivery>>`
        SELECT ${COLUMNS}, ${DUE_AT} FROM deliveries d JOIN events USING (seq)
        WHERE d.webhook = ${webhook} AND d.subject = ${subject} ORDER BY d.seq LIMIT ${limit}`,
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
    return countOf(this.storage.sql<Count>`
      SELECT count(*) AS count FROM deliveries d JOIN events USING (seq)
      WHERE d.state = 'dead' AND ${isVisible(visible)}`);
  }

  /** How many events wait for delivery to a webhook; 1000 for any larger number, to read fewer rows. */
  countWaiting(webhook: string): number {
    return countOf(this.storage.sql<Count>`
      SELECT count(*) AS count FROM
      (SELECT 1 FROM deliveries WHERE webhook = ${webhook} AND state = 'waiting' LIMIT ${MAX_COUNT})`);
  }

  /**
   * How many events about money of orders wait although an attempt failed, their own or that of an earlier event of the
   * order. Reads at most a thousand queues.
   */
  countUnheardMoney(webhook: string): number {
    return countOf(this.storage.sql<Count>`
      SELECT count(*) AS count
      FROM (SELECT subject FROM delivery_queues WHERE webhook = ${webhook} LIMIT ${MAX_COUNT}) AS q
      JOIN deliveries AS d ON d.webhook = ${webhook} AND d.subject = q.subject AND d.state = 'waiting'
      JOIN events USING (seq)
      WHERE json_array_length(body, '$.data.transactions') > 0 AND EXISTS (
        SELECT 1 FROM deliveries AS f
        WHERE f.webhook = d.webhook AND f.subject = d.subject AND f.state = 'waiting' AND f.attempts > 0)`);
  }

  /**
   * Makes everything due now that waits for a later attempt. @returns how many queues now wait no longer.
   * @param webhook - Null for all.
   */
  wake(webhook: string | null, visible: Visible, now: number): number {
    return this.storage.sql`
      UPDATE delivery_queues AS q SET due_at = ${now}
      WHERE due_at > ${now} AND (${webhook} IS NULL OR webhook = ${webhook}) AND EXISTS (
        SELECT 1 FROM deliveries AS d JOIN events USING (seq)
        WHERE d.webhook = q.webhook AND d.subject = q.subject AND d.state = 'waiting' AND ${isVisible(visible)})
      RETURNING 1`.length;
  }

  /**
   * The deliveries that were not accepted. Counts at most a thousand waiting deliveries, and at most a thousand dead
   * deliveries: those that the Worker gave up last, because `sinceDeadMs` is about the last one.
   */
  backlog(now: number): DeliveryBacklog {
    const [waiting, dead] = [
      // A queue exists only while a delivery waits, so these are few rows even if very many deliveries are dead.
      sqlPart`delivery_queues CROSS JOIN deliveries USING (webhook, subject) WHERE state = 'waiting'`,
      sqlPart`deliveries WHERE state = 'dead' ORDER BY tried_at DESC`,
    ].map(
      (source) =>
        this.storage.sql<Count & {queuedAt: number | null; triedAt: number | null}>`
          SELECT count(*) AS count, min(queued_at) AS queuedAt, max(tried_at) AS triedAt FROM
          (SELECT queued_at, tried_at FROM ${source} LIMIT ${MAX_COUNT})`[0],
    );
    return {
      waiting: waiting?.count ?? 0,
      oldestMs: now - (waiting?.queuedAt ?? now),
      dead: dead?.count ?? 0,
      sinceDeadMs: typeof dead?.triedAt === 'number' ? now - dead.triedAt : null,
    };
  }

  #recordFailure(state: DeliveryState, {webhook, seq}: StoredDelivery, {status, fault}: Failure, now: number): void {
    this.storage.sql`
      UPDATE deliveries SET state = ${state}, attempts = attempts + 1, tried_at = ${now}, last_status = ${status},
        last_fault = ${fault}
      WHERE seq = ${seq} AND webhook = ${webhook}`;
  }

  #first(webhook: string, subject: string): StoredDelivery | undefined {
    return this.storage.sql<Row<StoredDelivery>>`
      SELECT ${COLUMNS} FROM deliveries d JOIN events USING (seq)
      WHERE d.webhook = ${webhook} AND d.subject = ${subject} AND d.state = 'waiting' ORDER BY d.seq LIMIT 1`[0];
  }

  /** Makes the subject's next event due now; deletes the subject's queue when there is no next event. */
  #advanceQueue(webhook: string, subject: string, now: number): void {
    if (this.#first(webhook, subject)) this.postpone({webhook, subject}, now);
    else this.storage.sql`DELETE FROM delivery_queues WHERE webhook = ${webhook} AND subject = ${subject}`;
  }
}

type Count = {count: number};

function countOf([row]: Count[]): number {
  return row?.count ?? 0;
}
