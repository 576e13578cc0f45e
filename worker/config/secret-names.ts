/** The names of the bindings with secrets, and how to recognize the sandbox's secrets, which everybody knows. */

const SECRET_NAMES = [
  'MERCHANT_KEY',
  'MERCHANT_PRIVATE_KEY',
  'LANDING_AUTHORIZATION',
  'PAYMENT_PAGE_SECRET',
  'SERVICE_PRIVATE_KEYS',
  'SESSION_SECRET',
  'MERCHANT_API_KEY',
  'WEBHOOK_SECRET',
  'RELAY_SECRET',
  'NOTIFICATION_KEY',
  'TURNSTILE_SECRET',
].flatMap((name) => [name, `${name}_PREVIOUS`]);

export const BINDINGS_WITH_SECRETS: ReadonlySet<string> = new Set([
  ...SECRET_NAMES,
  'SERVICES',
  'MICROPAYMENT_HEADERS',
  'MICROPAYMENT_QUERY',
  'MICROPAYMENT_BODY',
]);

/**
 * Finds bindings that contain secrets of the sandbox. These secrets are public, so they are allowed only with a
 * platform on this machine.
 */
export function findSandboxSecrets(env: Record<string, unknown>): string[] {
  return [...SECRET_NAMES, 'SERVICES'].filter((name) => isSandboxSecret(env[name]));
}

export function isSandboxSecret(value: unknown): boolean {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return /^sandbox-|"sandbox-/.test(text);
}
