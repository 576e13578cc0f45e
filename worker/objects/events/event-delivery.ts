/**
 * Sends an outbox's events to the merchant's server. Each subject's events go one after another, subjects beside each
 * other: one that fails waits longer each time and keeps only its own subject waiting. What was sent is written
 * down after the answer, so an event that the process dies over is sent again.
 */

import type {Webhook} from '../../config/notifications.ts';
import {describeError, log} from '../../lib/log.ts';
import type {KeptEvent, OutboxStore} from './outbox-store.ts';
import {postEvent, type Receipt} from './webhook.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How many events are on their way at once. */
const LANES = 16;
/** After the first failed attempt, the second, …; the last one again and again. Each is a quarter longer or shorter. */
const PAUSES_MS = [
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
const TRIED_MS = 72 * HOUR_MS;
/** The longest pause that a receiver may ask for. */
const LONGEST_ASKED_MS = HOUR_MS;
/** An alarm must not run for ever; what is still due then is due for the next one. */
const LONGEST_RUN_MS = 5 * MINUTE_MS;
/** "Gone": the receiver does not want the event, now or later (Standard Webhooks). */
const GONE = 410;

export class EventDelivery {
  readonly #onTheirWay = new Set<string>();
  readonly #lanes = new Set<Promise<void>>();
  #until = 0;

  constructor(
    private readonly store: OutboxStore,
    private readonly webhook: () => Webhook | null,
  ) {}

  /** Sends what is due until nothing is. */
  async run(): Promise<void> {
    this.#until = Date.now() + LONGEST_RUN_MS;
    this.hurry();
    while (this.#lanes.size > 0) await Promise.all(this.#lanes);
  }

  /** What became due while others are on their way goes beside them. */
  hurry(): void {
    while (this.#lanes.size < LANES) {
      const event = this.#take();
      if (!event) return;
      const lane = this.#lane(event).finally(() => this.#lanes.delete(lane));
      this.#lanes.add(lane);
    }
  }

  get running(): boolean {
    return this.#lanes.size > 0;
  }

  async #lane(first: KeptEvent): Promise<void> {
    for (let event: KeptEvent | undefined = first; event; event = this.#take()) {
      try {
        await this.#send(event);
      } catch (error) {
        // An alarm that throws is given up after a few tries, and one that comes back at once would never end.
        log('error', 'internal_error', {error: describeError(error)});
        this.store.postpone(event, Date.now() + MINUTE_MS);
      } finally {
        this.#onTheirWay.delete(event.subject);
      }
    }
  }

  #take(): KeptEvent | undefined {
    if (Date.now() >= this.#until) return undefined;
    const event = this.store.due(Date.now(), this.#onTheirWay);
    if (event) this.#onTheirWay.add(event.subject);
    return event;
  }

  async #send(event: KeptEvent): Promise<void> {
    const webhook = this.webhook();
    if (!webhook) return this.store.stopDelivering();
    const receipt = await postEvent(webhook, event, Date.now());
    const now = Date.now();
    if (receipt.taken) return this.store.setDelivered(event, now);
    const lastTry = event.queued_at + TRIED_MS;
    const dead = receipt.status === GONE || now >= lastTry;
    log(dead ? 'error' : 'warn', dead ? 'event_dead' : 'event_refused', {
      ...(receipt.status !== null && {status: receipt.status}),
    });
    if (dead) this.store.setDead(event, receipt.status, now);
    else this.store.setFailed(event, receipt.status, now, Math.min(now + pauseAfter(event.attempts, receipt), lastTry));
  }
}

function pauseAfter(attempts: number, {retryAfterMs}: Receipt): number {
  const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length - 1)] ?? HOUR_MS;
  const asked = Math.min(retryAfterMs ?? 0, LONGEST_ASKED_MS);
  return Math.max(asked, Math.round(pauseMs * (0.75 + Math.random() / 2)));
}
