/** The names of the settings with secrets, and how to recognize the sandbox's secrets, which everybody knows. */

import {ApiKey, Credentials} from './setting-schemas.ts';
import type {Values} from './settings.ts';
import {isOutsideLoopback, namesOf} from './variables.ts';

export const BINDINGS_WITH_SECRETS: ReadonlySet<string> = new Set(
  namesOf(({kind, mayHoldSecrets}) => kind === 'secret' || mayHoldSecrets),
);

/**
 * Finds bindings that contain secrets of the sandbox. These secrets are public, so they are allowed only with a
 * platform on this machine.
 */
export function findSandboxSecrets(env: Values): readonly string[] {
  // The sandbox requires no credentials of mobile billing, and those of a platform may look like its secrets.
  return namesOf(
    ({schema}, name) => BINDINGS_WITH_SECRETS.has(name) && schema !== Credentials && isSandboxSecret(env[name]),
  );
}

/** @param value - A text, or a table or its JSON text with such texts. */
function isSandboxSecret(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').includes('"sandbox-');
}

/** Whether the text is usable as `MERCHANT_API_KEY` with these bindings. The other bindings may be invalid. */
export function isUsableApiKey(key: unknown, env: Values): key is string {
  return ApiKey().safeParse(key).success && !(isOutsideLoopback(env) && isSandboxSecret(key));
}
