/** Webhooks of the Worker: Standard Webhooks, signed with HMAC-SHA256. */

import type {MerchantEvent} from './contract.ts';
import {WebhookError} from './errors.ts';

export interface SignedWebhook {
  /** `WEBHOOK_SECRET` of the Worker, `whsec_…` or text; while it is rotated a list of both. */
  readonly secret: string | readonly string[];
  /** Of the request: a `Headers`, Node's `request.headers`, or any object, in any case. */
  readonly headers:
    | {get(name: string): string | null}
    | {readonly [name: string]: string | readonly string[] | undefined};
  /** The body as it came, before anything parsed it: a single space makes another body. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** How far its time may be from now, seconds; 300 unless said. */
  readonly toleranceSeconds?: number | undefined;
}

const encoder = new TextEncoder();
/** Bytes: the least that Standard Webhooks takes. */
const MIN_KEY_BYTES = 24;

/**
 * The event of a webhook, once its signature and its time are right.
 *
 * An event may come more than once, and after a later one of another order: do its work once, by its `id`. A newer Worker
 * may send types that this client does not know; answer 2xx to them too.
 * @throws {WebhookError} where it is not to be taken.
 * @throws {TypeError} where a secret is none, or the body was parsed already. It does not repeat the secret.
 */
export async function verifyWebhook({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
}: SignedWebhook): Promise<MerchantEvent> {
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
  // All pairs, so that time does not tell which secret or signature it was.
  const matches = expected.flatMap((ours) => given.map((theirs) => isEqual(ours, theirs)));
  if (!matches.includes(true))
    throw new WebhookError(
      'signature_invalid',
      'It was signed with another secret, or its body was changed on the way.',
    );
  return parseEvent(bytes);
}

function parseSecrets(secret: SignedWebhook['secret']): Uint8Array[] {
  // A variable of the environment that is not set is no secret either.
  const keys = [secret].flat().map((each) => parseSecret(each ?? ''));
  if (keys.length > 0 && keys.every((key) => key.length >= MIN_KEY_BYTES)) return keys;
  throw new TypeError('`secret` is the Worker’s WEBHOOK_SECRET: whsec_ and base64, or text of its length.');
}

/** As the Worker reads it: base64 behind `whsec_`, else text that is the key itself. */
function parseSecret(secret: string): Uint8Array {
  return secret.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : encoder.encode(secret);
}

function readBytes(body: SignedWebhook['body']): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('`body` is the body as it came, text or bytes: what a parser made of it cannot be verified.');
}

function readHeader(headers: SignedWebhook['headers'], name: string): string {
  const value =
    typeof headers['get'] === 'function'
      ? headers['get'](name)
      : Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  const [text, ...more] = [value].flat();
  if (typeof text === 'string' && text !== '' && more.length === 0) return text;
  throw new WebhookError('header_missing', `There is no ${name}.`);
}

function checkTime(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('timestamp_invalid', 'webhook-timestamp is not a number of seconds.');
  const ageSeconds = Date.now() / 1000 - Number(timestamp);
  if (ageSeconds > toleranceSeconds)
    throw new WebhookError('too_old', `It was signed ${Math.round(ageSeconds)} seconds ago.`);
  if (-ageSeconds > toleranceSeconds)
    throw new WebhookError('too_new', `It is of ${Math.round(-ageSeconds)} seconds from now: a clock is wrong.`);
}

/** `v1,<base64>`; other versions are not ours. */
function parseSignature(text: string): Uint8Array[] {
  return text.startsWith('v1,') ? [decodeBase64(text.slice(3))] : [];
}

async function sign(key: Uint8Array, signed: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, {name: 'HMAC', hash: 'SHA-256'}, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, signed));
}

/** In a time that depends on lengths alone. */
function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}

/** Nothing where it is no base64: too short to be a key or a signature. */
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
    // Said below.
  }
  throw new WebhookError('body_unreadable', 'It is no JSON object.');
}
