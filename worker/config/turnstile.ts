/** The human check's keys. */

import {allowsLoopback, type OriginPattern} from './origins.ts';

export interface TurnstileConfig {
  readonly secret: string;
  /** What a page shows it with; public. */
  readonly sitekey: string;
  /** Whether it is one of the keys for tests, whose answers name neither our page nor our action. */
  readonly forTests: boolean;
}

interface Variables {
  readonly TURNSTILE_SECRET?: string | undefined;
  readonly TURNSTILE_SITEKEY?: string | undefined;
  readonly ALLOWED_ORIGINS: readonly OriginPattern[];
}

/**
 * Both keys, or none. Keys for tests let everybody pass, or nobody: they are good for this machine, its platform and its
 * pages, and for nothing else.
 * @param remote whether any part of the platform is elsewhere.
 * @param invalidBindings takes the names of bindings that are.
 */
export function toTurnstile(
  {TURNSTILE_SECRET: secret, TURNSTILE_SITEKEY: sitekey, ALLOWED_ORIGINS}: Variables,
  remote: boolean,
  invalidBindings: Set<string>,
): TurnstileConfig | null {
  if (secret === undefined && sitekey === undefined) return null;
  if (secret === undefined) invalidBindings.add('TURNSTILE_SECRET');
  if (sitekey === undefined) invalidBindings.add('TURNSTILE_SITEKEY');
  if (secret === undefined || sitekey === undefined) return null;
  if (remote || !ALLOWED_ORIGINS.every(allowsLoopback)) {
    if (isTestKey(secret)) invalidBindings.add('TURNSTILE_SECRET');
    if (isTestKey(sitekey)) invalidBindings.add('TURNSTILE_SITEKEY');
  }
  return {secret, sitekey, forTests: isTestKey(secret)};
}

function isTestKey(key: string): boolean {
  return /^[123]x0{10}/.test(key);
}
