/**
 * Sends an outbox's events to the merchant's server. Each subject's events go one after another, subjects beside each
 * other: one that fails waits longer each time and keeps only its own subject waiting. What was sent is written
 * down after the answer, so an event that the process dies over is sent again.
 */

import type {Webhook} from '../../config/notifications.ts';
import {HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {readRetryAfter} from '../../platform/transport.ts';
import {runSafely} from '../alarm.ts';
import type {StoredEvent, OutboxStore} from './outbox-store.ts';

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

const encoder = new TextEncoder();
/** A receiver that takes longer to answer has not taken the event. */
const DEADLINE_MS = 15_000;

interface DeliveryResult {
  /** Whether the event was taken: any 2xx. */
  readonly accepted: boolean;
  /** HTTP status; null where no answer came in time. */
  readonly status: number | null;
  /** How long the receiver wants to be left alone, where it says so. */
  readonly retryAfterMs: number | null;
}

/** Sends an event once. What the receiver says is not read; where it sends us on to is not followed. Never throws. */
async function postEvent(
  {url, keys}: Webhook,
  {id, body}: {readonly id: string; readonly body: string},
  now: number,
): Promise<DeliveryResult> {
  // A timer that runs on keeps an object from sleeping, which `AbortSignal.timeout` would do after every event.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), DEADLINE_MS);
  try {
    const timestamp = String(Math.floor(now / 1000));
    const signatures = await Promise.all(keys.map((key) => sign(key, `${id}.${timestamp}.${body}`)));
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Vezne',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
      },
      body,
      redirect: 'manual',
      signal: deadline.signal,
    });
    void response.body?.cancel().catch(() => {});
    return {accepted: response.ok, status: response.status, retryAfterMs: readRetryAfter(response.headers)};
  } catch {
    return {accepted: false, status: null, retryAfterMs: null};
  } finally {
    clearTimeout(timer);
  }
}

async function sign(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const imported = await crypto.subtle.importKey('raw', key, {name: 'HMAC', hash: 'SHA-256'}, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)));
  return `v1,${btoa(String.fromCharCode(...signature))}`;
}
