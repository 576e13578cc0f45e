/** The keys of the human check. */

import type {Mistakes} from './mistakes.ts';
import {allowsLoopback} from './origins.ts';
import type {Variables} from './variables.ts';

const TEST_KEY =
  'This is a test key, which anybody passes. It is accepted only while platform and pages are on this machine.';

export interface TurnstileConfig {
  readonly secret: string;
  /** The public key that a page renders the check with. */
  readonly sitekey: string;
  /**
   * Whether these are Turnstile's test keys. With test keys, Turnstile's answer names neither the page nor the action.
   */
  readonly forTests: boolean;
}

/**
 * The keys of the human check. With Turnstile's test keys, the check always passes or always fails, so test keys are
 * allowed only if the platform and all pages are on this machine.
 * @param remote - Whether any part of the platform is outside this machine.
 * @param mistakes - Receives the forbidden keys.
 */
export function toTurnstile(
  {TURNSTILE_SECRET: secret, TURNSTILE_SITEKEY: sitekey, ALLOWED_ORIGINS}: Variables,
  remote: boolean,
  mistakes: Mistakes,
): TurnstileConfig | null {
  if (secret === undefined || sitekey === undefined) return null;
  if (remote || !ALLOWED_ORIGINS.every(allowsLoopback)) {
    if (isTestKey(secret)) mistakes.add('TURNSTILE_SECRET', TEST_KEY);
    if (isTestKey(sitekey)) mistakes.add('TURNSTILE_SITEKEY', TEST_KEY);
  }
  return {secret, sitekey, forTests: isTestKey(secret)};
}

function isTestKey(key: string): boolean {
  return /^[123]x0{10}/.test(key);
}
