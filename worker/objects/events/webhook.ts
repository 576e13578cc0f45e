/**
 * Standard Webhooks: how a merchant's server knows that an event is ours. The signature is HMAC-SHA256 over
 * `<id>.<timestamp>.<body>`, as `v1,<base64>`, one for each secret while one is rotated.
 */

import type {Webhook} from '../../config/notifications.ts';
import {readRetryAfter} from '../../platform/transport.ts';

const encoder = new TextEncoder();
/** A receiver that takes longer to answer has not taken the event. */
const DEADLINE_MS = 15_000;

export interface DeliveryResult {
  /** Whether the event was taken: any 2xx. */
  readonly accepted: boolean;
  /** HTTP status; null where no answer came in time. */
  readonly status: number | null;
  /** How long the receiver wants to be left alone, where it says so. */
  readonly retryAfterMs: number | null;
}

/** Sends an event once. What the receiver says is not read; where it sends us on to is not followed. Never throws. */
export async function postEvent(
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
