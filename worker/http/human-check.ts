/** The human check of a visitor: Cloudflare's Turnstile, asked by the Worker. A check that cannot be verified was not passed. */

import * as z from 'zod';
import type {TurnstileConfig} from '../config/turnstile.ts';
import {describeError, log} from '../lib/log.ts';
import {clientIp} from './client-ip.ts';

/** What a page renders the check for: before an order, and before a PIN. A token made for anything else is refused. */
export const ORDER_ACTION = 'order';
export const PIN_ACTION = 'pin';

const VERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const DEADLINE_MS = 5_000;
const MAX_REPLY_BYTES = 16_384;

const Verdict = z.object({success: z.boolean(), hostname: z.string().optional(), action: z.string().optional()});

export type HumanCheckRefusal = 'human_check_required' | 'human_check_failed';

/**
 * Has one visitor show to be human; null where they did. Limits call it at most once a request, and only when they would
 * refuse: a token is good for one question. It may be called from another object, so it answers and does not throw.
 */
export type HumanCheck = () => Promise<HumanCheckRefusal | null>;

interface HumanCheckOptions {
  /** Token of the check, where the page sent one. */
  readonly human: string | undefined;
  /** What it has to be made for. */
  readonly action: string;
}

/** The check of the visitor who sent this request; null where none is configured. */
export function humanCheckOf(
  request: Request,
  {human, action}: HumanCheckOptions,
  turnstile: TurnstileConfig | null,
): HumanCheck | null {
  if (!turnstile) return null;
  return async () => {
    if (human === undefined) return 'human_check_required';
    const {hostname} = new URL(request.headers.get('origin') ?? '');
    const passed = await verifyTurnstile(turnstile, {token: human, hostname, action, address: clientIp(request)});
    return passed ? null : 'human_check_failed';
  };
}

interface TurnstileCheck {
  /** What the page was given; it is good for one question. */
  readonly token: string;
  /** Host of the page it was made on. */
  readonly hostname: string;
  /** What it was made for. */
  readonly action: string;
  /** The visitor's address. */
  readonly address: string;
}

/** Whether the token was made by a person, on this page, for this. A check that is down lets nobody pass. */
async function verifyTurnstile(
  {secret, forTests}: TurnstileConfig,
  {token, hostname, action, address}: TurnstileCheck,
): Promise<boolean> {
  try {
    const reply = await fetch(VERIFY, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({secret, response: token, remoteip: address}),
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await reply.text();
    const verdict = Verdict.parse(JSON.parse(text.slice(0, MAX_REPLY_BYTES)));
    return verdict.success && (forTests || (verdict.hostname === hostname && verdict.action === action));
  } catch (error) {
    log('error', 'human_check_down', {error: describeError(error)});
    return false;
  }
}
