/**
 * Sends an outbox's events to the merchant's server. Each subject's events go one after another, subjects beside each
 * other: one that fails waits longer each time and keeps only its own subject waiting. What was sent is written
 * down after the answer, so an event that the process dies over is sent again.
 */

import type {Webhook} from '../../config/notifications.ts';
import {HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {runSafely} from '../alarm.ts';
import type {StoredEvent, OutboxStore} from './outbox-store.ts';
import {postEvent, type DeliveryResult} from './webhook.ts';

/** How many events are on their way at once. */
const CONCURRENCY = 16;
/** After the first failed attempt, the second, …; the last one again and again. Each is a quarter longer or shorter. */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
];
/** How long an event is tried before it counts as dead. */
const GIVE_UP_AFTER_MS = 72 * HOUR_MS;
/** The longest pause that a receiver may ask for. */
const MAX_REQUESTED_DELAY_MS = HOUR_MS;
/** An alarm must not run for ever; what is still due then is due for the next one. */
const MAX_RUN_MS = 5 * MINUTE_MS;
/** "Gone": the receiver does not want the event, now or later (Standard Webhooks). */
const GONE = 410;

export class EventDelivery {
  readonly #inFlight = new Set<string>();
  readonly #deliveries = new Set<Promise<void>>();
  #until = 0;

  constructor(
    private readonly store: OutboxStore,
    private readonly webhook: () => Webhook | null,
  ) {}

  /** Sends what is due until nothing is. */
  async run(): Promise<void> {
    this.#until = Date.now() + MAX_RUN_MS;
    this.startDue();
    while (this.#deliveries.size > 0) await Promise.all(this.#deliveries);
  }

  /** What became due while others are on their way goes beside them. */
  startDue(): void {
    while (this.#deliveries.size < CONCURRENCY) {
      const event = this.#nextDue();
      if (!event) return;
      const delivery = this.#deliverFrom(event).finally(() => this.#deliveries.delete(delivery));
      this.#deliveries.add(delivery);
    }
  }

  get isRunning(): boolean {
    return this.#deliveries.size > 0;
  }

  async #deliverFrom(first: StoredEvent): Promise<void> {
    for (let event: StoredEvent | undefined = first; event; event = this.#nextDue()) {
      try {
        // Later, and not at once: that would never end.
        await runSafely(
          {},
          () => this.#send(event),
          () => this.store.postpone(event, Date.now() + MINUTE_MS),
        );
      } finally {
        this.#inFlight.delete(event.subject);
      }
    }
  }

  #nextDue(): StoredEvent | undefined {
    if (Date.now() >= this.#until) return undefined;
    const event = this.store.due(Date.now(), this.#inFlight);
    if (event) this.#inFlight.add(event.subject);
    return event;
  }

  async #send(event: StoredEvent): Promise<void> {
    const webhook = this.webhook();
    if (!webhook) return this.store.stopDelivering();
    const result = await postEvent(webhook, event, Date.now());
    const now = Date.now();
    if (result.accepted) return this.store.setDelivered(event, now);
    const lastTry = event.queued_at + GIVE_UP_AFTER_MS;
    const dead = result.status === GONE || now >= lastTry;
    log(dead ? 'error' : 'warn', dead ? 'event_dead' : 'event_refused', {
      ...(result.status !== null && {status: result.status}),
    });
    if (dead) this.store.setDead(event, result.status, now);
    else
      this.store.setFailed(event, result.status, now, Math.min(now + retryDelayAfter(event.attempts, result), lastTry));
  }
}

function retryDelayAfter(attempts: number, {retryAfterMs}: DeliveryResult): number {
  const delayMs = RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length - 1)] ?? HOUR_MS;
  const requestedMs = Math.min(retryAfterMs ?? 0, MAX_REQUESTED_DELAY_MS);
  return Math.max(requestedMs, Math.round(delayMs * (0.75 + Math.random() / 2)));
}
