/**
 * Sends an outbox's events to one webhook. Events of one subject are sent one after another; different subjects are
 * sent in parallel. A failed event is retried with growing delays and blocks only its own subject. Webhooks do not
 * share senders, so a slow webhook delays no other webhook. The result is stored after the answer. So if the process
 * dies between the answer and the write, the event is sent again.
 */

import {HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {type Retry, retryDelayMs} from '../../lib/retry.ts';
import type {DeliveryStore, StoredDelivery} from './delivery-store.ts';
import {CONNECTIONS, type DeliveryResult, failedDelivery, type Sender} from './sender.ts';
import type {WebhookStore} from './webhook-store.ts';
import type {Target, Webhooks} from './webhooks.ts';

const SENDERS = 12;
/** The highest number of events in parallel. It is reached when a receiver accepts events and more events wait. */
const MAX_WINDOW = SENDERS * CONNECTIONS;
/** How many events are sent in parallel at first, and to a receiver that does not keep up. */
const MIN_WINDOW = CONNECTIONS;
/** When a failed attempt is repeated. */
const RETRY: Retry = {
  delaysMs: [
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
  ],
  jitter: 0.25,
};
/** How long delivery of an event is tried before the event counts as dead. */
export const GIVE_UP_AFTER_MS = 72 * HOUR_MS;
/** The longest delay that is respected if the receiver requests a delay with `Retry-After`. */
const MAX_REQUESTED_DELAY_MS = HOUR_MS;
/** HTTP 410, "Gone". In Standard Webhooks it means that the receiver never wants this event. */
const GONE = 410;
const TOO_MANY_REQUESTS = 429;

interface Dependencies {
  readonly webhook: string;
  readonly deliveries: DeliveryStore;
  readonly webhooks: WebhookStore;
  readonly target: () => Promise<Target>;
  /** @param index - From 0. */
  readonly sender: (index: number) => Pick<DurableObjectStub<Sender>, 'send'>;
  readonly allowance: () => Run;
}

class EventDelivery {
  readonly #inFlight = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  /** The connections in use, numbered over all senders. */
  readonly #connections = new Set<number>();
  #window = MIN_WINDOW;

  constructor(private readonly context: Dependencies) {}

  /** Starts sending due events in parallel with those already being sent. */
  startDue(): void {
    while (this.#running.size < this.#window) {
      const event = this.#nextDue();
      if (!event) return;
      const running = this.#deliver(event).finally(() => {
        this.#running.delete(running);
        this.startDue();
      });
      this.#running.add(running);
    }
  }

  /** Waits until no event is being sent. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  #nextDue(): StoredDelivery | undefined {
    const {webhook, deliveries, allowance} = this.context;
    if (Date.now() >= allowance().until) return undefined;
    const event = deliveries.due(webhook, Date.now(), this.#inFlight);
    if (!event || !allowance().take()) return undefined;
    this.#inFlight.add(event.subject);
    return event;
  }

  async #deliver(event: StoredDelivery): Promise<void> {
    const connection = this.#freeConnection();
    this.#connections.add(connection);
    try {
      await this.#send(event, Math.floor(connection / CONNECTIONS));
    } catch (error) {
      log('error', 'internal_error', {webhook: event.webhook, event_id: event.id, error: describeError(error)});
      // If our own code fails, wait before the retry, because an immediate retry could loop without end.
      this.context.deliveries.postpone(event, Date.now() + MINUTE_MS);
    } finally {
      this.#connections.delete(connection);
      this.#inFlight.delete(event.subject);
    }
  }

  #freeConnection(): number {
    for (let connection = 0; ; connection += 1) if (!this.#connections.has(connection)) return connection;
  }

  async #send(event: StoredDelivery, sender: number): Promise<void> {
    const {webhook, deliveries, webhooks, target} = this.context;
    const to = await target();
    if (to === null) return deliveries.stop(webhook);
    const {id, body} = event;
    const result =
      to === 'secret_unreadable'
        ? failedDelivery(to)
        : await this.#post(sender, {url: to.url, keys: to.keys, id, body});
    const now = Date.now();
    this.#adaptWindow(result);
    if (result.accepted) {
      deliveries.setDelivered(event, now);
      webhooks.recordSuccess(webhook, now);
      return;
    }
    const lastTry = event.queued_at + GIVE_UP_AFTER_MS;
    const dead = result.status === GONE || now >= lastTry;
    logFailure(dead, event, result);
    webhooks.recordFailure(webhook, result, now);
    if (dead) deliveries.setDead(event, result, now);
    else {
      const requestedMs = Math.min(result.retryAfterMs ?? 0, MAX_REQUESTED_DELAY_MS);
      const delayMs = Math.max(requestedMs, retryDelayMs(RETRY, event.attempts + 1));
      deliveries.setFailed(event, result, now, Math.min(now + delayMs, lastTry));
    }
  }

  async #post(sender: number, request: Parameters<Sender['send']>[0]): Promise<DeliveryResult> {
    try {
      return await this.context.sender(sender).send(request);
    } catch {
      return failedDelivery('interrupted');
    }
  }

  /**
   * Sends more events in parallel while the receiver accepts them and more events wait, and fewer when the receiver is
   * overloaded.
   */
  #adaptWindow({accepted, status}: DeliveryResult): void {
    if (accepted && this.#running.size >= this.#window) this.#window = Math.min(this.#window + 1, MAX_WINDOW);
    if (!accepted && (status === null || status === TOO_MANY_REQUESTS || status >= 500))
      this.#window = Math.max(Math.floor(this.#window / 2), MIN_WINDOW);
  }
}

function logFailure(dead: boolean, event: StoredDelivery, {status, fault}: DeliveryResult): void {
  log(dead ? 'error' : 'warn', dead ? 'event_dead' : 'event_refused', {
    event_id: event.id,
    type: (JSON.parse(event.body) as {type: string}).type,
    webhook: event.webhook,
    attempt: event.attempts + 1,
    ...(status !== null && {status}),
    ...(fault !== null && {fault}),
  });
}

/** How long one alarm sends events; the next alarm sends the rest. */
const MAX_RUN_MS = 5 * MINUTE_MS;
/** How many events one alarm sends. Cloudflare allows an invocation 1,000 calls. */
const MAX_CALLS = 900;

interface RunDependencies {
  readonly deliveries: DeliveryStore;
  readonly store: WebhookStore;
  readonly webhooks: Webhooks;
  readonly sender: (webhook: string, index: number) => Pick<DurableObjectStub<Sender>, 'send'>;
}

/** Delivers to all webhooks of an outbox at the same time. */
export class DeliveryRuns {
  readonly #byWebhook = new Map<string, EventDelivery>();
  #run = new Run();

  constructor(private readonly context: RunDependencies) {}

  /**
   * Sends events until no more are due, or until this run may send no more. A run that has made all its calls does not
   * wait for events that are still being sent, so that these events do not delay the next run.
   */
  async run(): Promise<void> {
    this.#run = new Run(MAX_CALLS, Date.now() + MAX_RUN_MS);
    this.startDue();
    await Promise.race([this.#idle(), this.#run.ended]);
  }

  /** Starts sending due events in parallel with those already being sent. */
  startDue(): void {
    for (const webhook of this.context.deliveries.waitingWebhooks()) this.#delivery(webhook).startDue();
  }

  get isRunning(): boolean {
    return [...this.#byWebhook.values()].some(({isRunning}) => isRunning);
  }

  async #idle(): Promise<void> {
    while (this.isRunning) await Promise.all([...this.#byWebhook.values()].map((delivery) => delivery.idle()));
  }

  #delivery(webhook: string): EventDelivery {
    let delivery = this.#byWebhook.get(webhook);
    if (!delivery) {
      const {deliveries, store, webhooks, sender} = this.context;
      delivery = new EventDelivery({
        webhook,
        deliveries,
        webhooks: store,
        target: () => webhooks.target(webhook),
        sender: (index) => sender(webhook, index),
        allowance: () => this.#run,
      });
      this.#byWebhook.set(webhook, delivery);
    }
    return delivery;
  }
}

/** What one alarm may still send to all webhooks together. */
class Run {
  readonly #ended = Promise.withResolvers<void>();

  constructor(
    private calls = 0,
    /** No event is sent after this time. */
    readonly until = 0,
  ) {}

  /** Resolves when the run has made all its calls. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  take(): boolean {
    if (this.calls === 0) return false;
    this.calls -= 1;
    if (this.calls === 0) this.#ended.resolve();
    return true;
  }
}
