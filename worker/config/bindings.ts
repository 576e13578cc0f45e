import * as z from 'zod';
import {isLoopback} from './origins.ts';

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
  'TURNSTILE_SECRET',
].flatMap((name) => [name, `${name}_PREVIOUS`]);

const BINDINGS_WITH_SECRETS: ReadonlySet<string> = new Set([...SECRET_NAMES, 'SERVICES', 'MICROPAYMENT_HEADERS']);

const NOT_JSON = 'not JSON';

const BASE_ADDRESSES = ['PHS_URL', 'MICROPAYMENT_URL', 'PAYMENT_PAGE_URL', 'LANDING_URL'] as const;

/** A variable of `wrangler.toml` may be a table or, as `--var` gives it, JSON text. */
export const tableOrJson = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.issues.push({code: 'custom', message: NOT_JSON, input: undefined});
      return z.NEVER;
    }
  }, schema);

/** What is wrong inside of a table. Of those that hold secrets nothing is said: one may stand where a name belongs. */
export function describeIssues(issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[]): string[] {
  return issues
    .filter(
      ({path, message}) => (path.length > 1 || message === NOT_JSON) && !BINDINGS_WITH_SECRETS.has(String(path[0])),
    )
    .map(({path, message}) => `${path.join('.')}: ${message}`);
}

/** Whether any part of the platform is elsewhere than on this machine. */
export function isOutsideLoopback(env: Record<string, unknown>): boolean {
  return BASE_ADDRESSES.some((name) => {
    const address = env[name];
    return typeof address === 'string' && URL.canParse(address) && !isLoopback(new URL(address));
  });
}

/** The sandbox's secrets are public: they are good for a platform on this machine and for nothing else. */
export function findSandboxSecrets(env: Record<string, unknown>): string[] {
  return [...SECRET_NAMES, 'SERVICES'].filter((name) => {
    const value = env[name];
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return /^sandbox-|"sandbox-/.test(text);
  });
}
