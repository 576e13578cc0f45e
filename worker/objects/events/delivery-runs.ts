/** Delivers to all webhooks of an outbox at the same time. */

import {MINUTE_MS} from '../../lib/durations.ts';
import type {DeliveryStore} from './delivery-store.ts';
import {type RunAllowance, EventDelivery} from './event-delivery.ts';
import type {Sender} from './sender.ts';
import type {WebhookStore} from './webhook-store.ts';
import type {Webhooks} from './webhooks.ts';

/** How long one alarm sends events; the next alarm sends the rest. */
const MAX_RUN_MS = 5 * MINUTE_MS;
/** How many events one alarm sends. Cloudflare allows an invocation 1,000 calls. */
const MAX_CALLS = 900;

interface Dependencies {
  readonly deliveries: DeliveryStore;
  readonly store: WebhookStore;
  readonly webhooks: Webhooks;
  readonly sender: (webhook: string, index: number) => Pick<DurableObjectStub<Sender>, 'send'>;
}

export class DeliveryRuns {
  readonly #byWebhook = new Map<string, EventDelivery>();
  #run = new Run();

  constructor(private readonly context: Dependencies) {}

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

/** What one alarm may send. */
class Run implements RunAllowance {
  readonly #ended = Promise.withResolvers<void>();

  constructor(
    private calls = 0,
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
