import {DurableObject} from 'cloudflare:workers';
import {Semaphore} from '../../lib/async.ts';
import {type DeliveryResult, postEvent, type WebhookRequest} from './webhook-request.ts';

/** How many connections one invocation may open at the same time on Cloudflare. */
export const CONNECTIONS = 6;

/**
 * Sends events of one webhook to the merchant's server. Cloudflare allows an invocation six simultaneous connections,
 * so the outbox of a busy webhook uses several senders. A sender stores nothing: if it ends, the outbox sends again what
 * the sender was sending.
 */
export class Sender extends DurableObject<Env> {
  readonly #connections = new Semaphore(CONNECTIONS);

  /** Sends an event once. The deadline begins when one of the connections is free. */
  async send(request: WebhookRequest): Promise<DeliveryResult> {
    return this.#connections.run(() => postEvent(request));
  }
}
