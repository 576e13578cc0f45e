/**
 * Calls the platform through a relay (`relay/`), which runs on a host whose IP address the platform knows. Every
 * request to the relay is a POST request, which no runtime repeats. The request also carries a nonce. If the request
 * arrives twice, the relay forwards it only once.
 */

import {EgressError, readBytes, type ReplyBounds} from '../transport.ts';
import {
  type BaseId,
  newStamp,
  type RequestStamp,
  encodeRequest,
  encodeStamp,
  type Purpose,
  SIGNATURE_HEADER,
  SigningKey,
  type RelayInfo,
  decodeReply,
  type RelayReply,
} from './protocol.ts';

export interface RelayOptions {
  /** The relay's URL. */
  readonly url: string;
  /**
   * The current secret first. The Worker signs a request with every secret. The relay signs its reply with the secret
   * that it knows.
   */
  readonly secrets: readonly string[];
  /** The platform's base URLs, by the relay's names for them. */
  readonly bases: ReadonlyMap<BaseId, string>;
  readonly fetch: typeof fetch;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * By how much the relay's time limit is shorter than the Worker's time limit. So the relay's reply, for example
 * "nothing was sent", arrives before the Worker gives up.
 */
const RETURN_MARGIN_MS = 300;
/** Maximum length of a reply's first line. */
const MAX_HEAD_BYTES = 16_384;

export class RelayClient {
  readonly #options: RelayOptions;
  readonly #bases: readonly (readonly [id: BaseId, address: string])[];
  #keys: Promise<SigningKey[]> | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    // `new URL` normalizes the base URLs in the way in which `Request` normalizes a URL, so `#locate` can compare them.
    this.#bases = [...options.bases].map(([id, address]) => [id, new URL(address).href.replace(/\/$/, '')]);
  }

  /**
   * Sends a request through the relay. @throws {EgressError} when the relay did not send the request, or when the
   * Worker cannot know whether the relay sent the request.
   */
  async fetch(url: string, {timeoutMs, maxReplyBytes, ...init}: RequestInit & ReplyBounds): Promise<Response> {
    const request = new Request(url, init);
    const {base, path} = this.#locate(request.url);
    const stamp = newStamp(this.#options.now());
    const bytes = encodeRequest(stamp, {
      deadlineMs: Math.ceil(Math.max(timeoutMs - RETURN_MARGIN_MS, timeoutMs / 2)),
      maxReplyBytes,
      base,
      method: request.method,
      path,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    });
    const {head, body} = await this.#post('forward', stamp, bytes, maxReplyBytes, init.signal);
    if (head.outcome === 'answered')
      return new Response(body.length > 0 ? body : null, {status: head.status, headers: head.headers});
    if (head.outcome === 'about') throw unsignedReply();
    const {outcome, reason, retry_after_ms: retryAfterMs} = head;
    throw new EgressError(
      outcome === 'unsent' ? {outcome, retryAfterMs, tried: true} : {outcome, fault: faultOf(reason)},
      `relay: ${reason}`,
      outcome === 'unknown' || reason === 'busy' ? retryAfterMs : 0,
    );
  }

  /** Returns what the relay reports about itself. @throws {EgressError} when no relay with our secret answers. */
  async about(signal: AbortSignal): Promise<RelayInfo> {
    const stamp = newStamp(this.#options.now());
    const {head} = await this.#post('about', stamp, encodeStamp(stamp), 0, signal);
    if (head.outcome !== 'about') throw unsignedReply();
    return head;
  }

  #locate(url: string): {base: BaseId; path: string} {
    for (const [base, address] of this.#bases) {
      if (url === address || url.startsWith(`${address}/`) || url.startsWith(`${address}?`))
        return {base, path: url.slice(address.length)};
    }
    throw new TypeError('The URL is not below a base URL of the platform.');
  }

  async #post(
    purpose: Purpose & ('forward' | 'about'),
    {nonce}: RequestStamp,
    bytes: Uint8Array,
    maxReplyBytes: number,
    signal?: AbortSignal | null,
  ): Promise<RelayReply> {
    const {url, fetch} = this.#options;
    const keys = await (this.#keys ??= Promise.all(this.#options.secrets.map((secret) => SigningKey.of(secret))));
    const signatures = await Promise.all(keys.map((key) => key.sign(purpose, bytes)));
    const response = await fetch(`${url}/v1/${purpose}`, {
      method: 'POST',
      headers: {'content-type': 'application/octet-stream', [SIGNATURE_HEADER]: signatures.join(' ')},
      body: bytes,
      redirect: 'manual',
      signal: signal ?? null,
    });
    const signature = response.headers.get(SIGNATURE_HEADER) ?? '';
    const replyBytes = await readBytes(response, maxReplyBytes + MAX_HEAD_BYTES);
    const matches = replyBytes
      ? await Promise.all(keys.map((key) => key.verify(signature, `reply ${nonce}`, replyBytes)))
      : [];
    const reply = replyBytes && matches.includes(true) ? decodeReply(replyBytes) : null;
    if (!reply) throw unsignedReply();
    return reply;
  }
}

/**
 * The error for a reply without a valid signature. Such a reply is possibly not from the relay, so the outcome is
 * unknown.
 */
function unsignedReply(): EgressError {
  return new EgressError({outcome: 'unknown', fault: 'connection'}, 'relay: not signed');
}

function faultOf(reason: string): 'timeout' | 'unreadable' | 'connection' {
  if (reason === 'deadline') return 'timeout';
  return reason === 'too_large' ? 'unreadable' : 'connection';
}
