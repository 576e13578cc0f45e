/**
 * Sends an outbox's events to the merchant's server. Events of one subject are sent one after another; different
 * subjects are sent in parallel. A failed event is retried with growing delays and blocks only its own subject. The
 * result is stored after the answer, so if the process dies between the answer and the write, the event is sent again.
 *
 * Requests follow the specification Standard Webhooks, so that the merchant's server can verify that an event is ours.
 * The signature is an HMAC-SHA256 over `<id>.<timestamp>.<body>`, written as `v1,<base64>`. During a rotation, there is
 * one signature per secret.
 */

import type {Webhook} from '../../config/notifications.ts';
import {HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {readRetryAfter} from '../../platform/transport.ts';
import {runSafely} from '../alarm.ts';
import type {StoredEvent, OutboxStore} from './outbox-store.ts';

/** How many events are sent in parallel. */
const CONCURRENCY = 16;
/**
 * Delays after the first failed attempt, after the second, and so on. The last delay repeats. Each delay varies at
 * random by up to a quarter.
 */
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
/** How long delivery of an event is tried before the event counts as dead. */
const GIVE_UP_AFTER_MS = 72 * HOUR_MS;
/** The longest delay that the receiver may request with `Retry-After`. */
const MAX_REQUESTED_DELAY_MS = HOUR_MS;
/** How long one alarm sends events; the next alarm sends the rest. */
const MAX_RUN_MS = 5 * MINUTE_MS;
/** HTTP 410, "Gone". In Standard Webhooks it means that the receiver never wants this event. */
const GONE = 410;

export class EventDelivery {
  readonly #inFlight = new Set<string>();
  readonly #deliveries = new Set<Promise<void>>();
  #until = 0;

  constructor(
    private readonly store: OutboxStore,
    private readonly webhook: () => Webhook | null,
  ) {}

  /** Sends events until no more are due. */
  async run(): Promise<void> {
    this.#until = Date.now() + MAX_RUN_MS;
    this.startDue();
    while (this.#deliveries.size > 0) await Promise.all(this.#deliveries);
  }

  /** Starts sending due events in parallel with those already being sent. */
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
        // If our own code fails, wait before the retry, because an immediate retry could loop without end.
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
/** If the receiver's answer takes longer, the event counts as not accepted. */
const DEADLINE_MS = 15_000;

interface DeliveryResult {
  /** Whether the receiver accepted the event: any 2xx. */
  readonly accepted: boolean;
  /** HTTP status; null when no answer came in time. */
  readonly status: number | null;
  /** The delay that the receiver requests; null when it requests no delay. */
  readonly retryAfterMs: number | null;
}

/** Sends an event once. It ignores the answer's body, follows no redirect and never throws. */
async function postEvent(
  {url, keys}: Webhook,
  {id, body}: {readonly id: string; readonly body: string},
  now: number,
): Promise<DeliveryResult> {
  // `AbortSignal.timeout` would keep its timer after the answer, and a running timer keeps the object from sleeping.
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
