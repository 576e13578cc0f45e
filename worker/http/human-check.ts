/** The human check (Cloudflare Turnstile), verified by the Worker. A check that cannot be verified counts as failed. */

import * as z from 'zod/mini';
import type {TurnstileConfig} from '../config/turnstile.ts';
import {lazily} from '../lib/lazily.ts';
import {bindLogScope} from '../lib/log-scope.ts';
import {describeError, log} from '../lib/log.ts';
import {clientIp} from './client-ip.ts';

/** The actions for which a page renders the check: an order or a PIN. A token is valid only for its own action. */
export const ORDER_ACTION = 'order';
export const PIN_ACTION = 'pin';

const VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const TIMEOUT_MS = 5_000;
const MAX_REPLY_BYTES = 16_384;

const Verdict = lazily(() =>
  z.object({success: z.boolean(), hostname: z.optional(z.string()), action: z.optional(z.string())}),
);

export type HumanCheckRefusal = 'human_check_required' | 'human_check_failed';

/**
 * Checks one visitor; null means that the visitor passed. A limit calls this function only when the limit would
 * otherwise refuse the request, and at most once per request, because a token can be verified only once. The function
 * returns a refusal and does not throw it, because a Durable Object may be the caller.
 */
export type HumanCheck = () => Promise<HumanCheckRefusal | null>;

interface HumanCheckOptions {
  /** The Turnstile token, if the page sent one. */
  readonly human: string | undefined;
  /** The action for which the token must have been made. */
  readonly action: string;
}

/** The check for the sender of a request; null if no human check is configured. */
export function humanCheckOf(
  request: Request,
  {human, action}: HumanCheckOptions,
  turnstile: TurnstileConfig | null,
): HumanCheck | null {
  if (!turnstile) return null;
  // A Durable Object may call the check, so the check keeps the log scope of the request.
  return bindLogScope(async () => {
    if (human === undefined) return 'human_check_required';
    const {hostname} = new URL(request.headers.get('origin') ?? '');
    const passed = await verifyTurnstile(turnstile, {token: human, hostname, action, address: clientIp(request)});
    return passed ? null : 'human_check_failed';
  });
}

interface TurnstileCheck {
  /** The token from the page. It can be verified once. */
  readonly token: string;
  /** Host of the page that rendered the check. */
  readonly hostname: string;
  /** The action for which the page rendered the check. */
  readonly action: string;
  /** The visitor's address. */
  readonly address: string;
}

/** Whether Turnstile accepts the token for this page and action. If Turnstile is down, every check fails. */
async function verifyTurnstile(
  {secret, forTests}: TurnstileConfig,
  {token, hostname, action, address}: TurnstileCheck,
): Promise<boolean> {
  try {
    const reply = await fetch(VERIFY_URL, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({secret, response: token, remoteip: address}),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await reply.text();
    const verdict = Verdict().parse(JSON.parse(text.slice(0, MAX_REPLY_BYTES)));
    return verdict.success && (forTests || (isHost(verdict.hostname, hostname) && verdict.action === action));
  } catch (error) {
    log('error', 'human_check_down', {error: describeError(error)});
    return false;
  }
}

/** @param written - A host, which may be in Unicode. @param hostname - A host as browsers write it. */
function isHost(written: string | undefined, hostname: string): boolean {
  return written === hostname || (written !== undefined && URL.parse(`https://${written}`)?.hostname === hostname);
}
