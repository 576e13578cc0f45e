import {DurableObject} from 'cloudflare:workers';
import {Semaphore} from '../../lib/async.ts';
import {type DeliveryResult, postEvent, type WebhookRequest} from './webhook-request.ts';

/** How many connections one invocation may open at the same time on Cloudflare. */
export const CONNECTIONS = 6;

/**
 * Sends events of one webhook to the merchant's server. Cloudflare allows an invocation six simultaneous connections,
 * so the outbox of a busy webhook uses several senders. A sender stores nothing: if it ends, the outbox sends again
 * what the sender was sending, and the merchant's server may get such an event twice.
 *
 * The outbox gives a sender at most one event for each connection at the same time. But after a restart of the outbox,
 * the sender may still be sending events from before the restart. In that case, new events wait in the sender.
 */
export class Sender extends DurableObject<Env> {
  /** Shared by all calls, because an object's calls may share their connections, too. */
  readonly #connections = new Semaphore(CONNECTIONS);

  /**
   * Sends an event once, and never throws. The deadline begins when a connection is free, so that waiting for a
   * connection does not count as a slow answer.
   */
  async send(request: WebhookRequest): Promise<DeliveryResult> {
    return this.#connections.run(() => postEvent(request));
  }
}
