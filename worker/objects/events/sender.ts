import {DurableObject} from 'cloudflare:workers';
import type {Webhook} from '../../config/notifications.ts';
import {Semaphore} from '../../lib/async.ts';
import {utf8} from '../../lib/crypto.ts';
import {readRetryAfter} from '../../platform/transport.ts';

/** How many connections one invocation may open at the same time on Cloudflare. */
export const CONNECTIONS = 6;
/** If the receiver's answer takes longer, the event counts as not accepted. */
const DEADLINE_MS = 15_000;

interface WebhookRequest extends Webhook {
  /** Id of the event. */
  readonly id: string;
  readonly body: string;
}

/**
 * Why no answer came. `interrupted`: the object that sent the event ended. `secret_unreadable`: the webhook's secret
 * was stored with a `SESSION_SECRET` that is not configured any more.
 */
export type DeliveryFault = 'timeout' | 'connection' | 'interrupted' | 'secret_unreadable';

export interface DeliveryResult {
  /** Whether the receiver accepted the event, which it does with any status from 200 to 299. */
  readonly accepted: boolean;
  /** HTTP status; null when no answer came in time. */
  readonly status: number | null;
  readonly fault: DeliveryFault | null;
  /** The delay that the receiver requests; null when it requests no delay. */
  readonly retryAfterMs: number | null;
}

export const failedDelivery = (fault: DeliveryFault): DeliveryResult => ({
  accepted: false,
  status: null,
  fault,
  retryAfterMs: null,
});

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

/**
 * Sends an event once. Requests follow the specification Standard Webhooks, so that the merchant's server can verify that
 * an event is ours. The signature is an HMAC-SHA256 over `<id>.<timestamp>.<body>`, written as `v1,<base64>`. During a
 * rotation, there is one signature per secret. Ignores the answer's body, follows no redirect and never
 * throws.
 */
async function postEvent({url, keys, id, body}: WebhookRequest): Promise<DeliveryResult> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signatures = await Promise.all(keys.map((key) => sign(key, `${id}.${timestamp}.${body}`)));
  // `AbortSignal.timeout` would keep its timer after the answer, and a running timer keeps the object from sleeping.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), DEADLINE_MS);
  try {
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
    const {ok: accepted, status, headers} = response;
    return {accepted, status, fault: null, retryAfterMs: readRetryAfter(headers)};
  } catch {
    return failedDelivery(deadline.signal.aborted ? 'timeout' : 'connection');
  } finally {
    clearTimeout(timer);
  }
}

async function sign(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const imported = await crypto.subtle.importKey('raw', key, {name: 'HMAC', hash: 'SHA-256'}, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8(text)));
  return `v1,${btoa(String.fromCharCode(...signature))}`;
}
