/** Verifies webhooks of the Worker, which follow Standard Webhooks and are signed with HMAC-SHA256. */

import {WebhookError} from './errors.ts';
import type {MerchantEvent} from './generated/contract.ts';

export interface SignedWebhook {
  /** The secret of the webhook: `whsec_…` or text. While you rotate it, pass a list of the old and the new secret. */
  readonly secret: string | readonly string[];
  /** Headers of the request: a `Headers`, Node's `request.headers`, or any object with names in any case. */
  readonly headers:
    | {get(name: string): string | null}
    | {readonly [name: string]: string | readonly string[] | undefined};
  /** The body exactly as it was received. A parsed body does not work, because the signature covers every byte. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** Maximum difference between the webhook's time and the current time, in seconds; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
}

const encoder = new TextEncoder();
/** The shortest key that Standard Webhooks allows. */
const MIN_KEY_BYTES = 24;

/**
 * Verifies the signature and the time of a webhook, and returns its event.
 *
 * The Worker may deliver an event more than once, or after a later event of a different order. Store the `id` and
 * process each event once. A newer Worker may send types of events that this client does not know. Answer these events
 * with a 2xx status, so that the Worker does not send them again.
 * @throws {WebhookError} if the webhook is not valid.
 * @throws {TypeError} if a secret or the tolerance is invalid, or the body was already parsed. The message does not contain the secret.
 */
export async function verifyWebhook({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
}: SignedWebhook): Promise<MerchantEvent> {
  // Every age would be accepted with NaN, such as `Number(…)` of a variable that is not set.
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds <= 0)
    throw new TypeError('`toleranceSeconds` must be a number of seconds above 0.');
  const keys = parseSecrets(secret);
  const bytes = readBytes(body);
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  checkTime(timestamp, toleranceSeconds);

  const prefix = encoder.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + bytes.length);
  signed.set(prefix);
  signed.set(bytes, prefix.length);
  const given = signatures.split(' ').flatMap(parseSignature);
  const expected = await Promise.all(keys.map((key) => sign(key, signed)));
  // Compare all pairs, so that the response time does not reveal which secret or signature matched.
  const matches = expected.flatMap((a) => given.map((b) => isEqual(a, b)));
  if (!matches.includes(true))
    throw new WebhookError(
      'signature_invalid',
      'The webhook was signed with a different secret, or its content was changed in transit.',
    );
  return parseEvent(bytes);
}

function parseSecrets(secret: SignedWebhook['secret']): Uint8Array[] {
  // A merchant may pass an environment variable that is not set.
  const keys = [secret].flat().map((each) => parseSecret(each ?? ''));
  if (keys.length > 0 && keys.every((key) => key.length >= MIN_KEY_BYTES)) return keys;
  throw new TypeError(
    '`secret` must be the Worker’s WEBHOOK_SECRET: `whsec_` followed by base64, or text. It needs at least 24 bytes.',
  );
}

/** Parses a secret as the Worker does: base64 after `whsec_`, otherwise the text itself is the key. */
function parseSecret(secret: string): Uint8Array {
  return secret.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : encoder.encode(secret);
}

function readBytes(body: SignedWebhook['body']): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('`body` must be the raw body, as text or bytes. A parsed body cannot be verified.');
}

function readHeader(headers: SignedWebhook['headers'], name: string): string {
  const value =
    typeof headers['get'] === 'function'
      ? headers['get'](name)
      : Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  const [text, ...more] = [value].flat();
  if (typeof text === 'string' && text !== '' && more.length === 0) return text;
  throw new WebhookError('header_missing', `The header ${name} is missing or repeated.`);
}

function checkTime(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('timestamp_invalid', 'webhook-timestamp is not a number of seconds.');
  const ageSeconds = Date.now() / 1000 - Number(timestamp);
  if (ageSeconds > toleranceSeconds)
    throw new WebhookError('too_old', `The webhook was signed ${Math.round(ageSeconds)} seconds ago.`);
  if (-ageSeconds > toleranceSeconds)
    throw new WebhookError(
      'too_new',
      `The webhook’s time is ${Math.round(-ageSeconds)} seconds in the future. One of the clocks is wrong.`,
    );
}

/** Parses `v1,<base64>`. The Worker does not use other versions. */
function parseSignature(text: string): Uint8Array[] {
  return text.startsWith('v1,') ? [decodeBase64(text.slice(3))] : [];
}

async function sign(key: Uint8Array, signed: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, {name: 'HMAC', hash: 'SHA-256'}, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, signed));
}

/** Compares two byte arrays in a time that depends only on their lengths. */
function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}

/**
 * Returns no bytes if the text is not base64. The callers refuse an empty result, as a secret that is too short or as a
 * wrong signature.
 */
function decodeBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function parseEvent(bytes: Uint8Array): MerchantEvent {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value as MerchantEvent;
  } catch {
    // The body is not JSON, which the error below reports.
  }
  throw new WebhookError('body_unreadable', 'The body is not a JSON object.');
}
