/** Captures what the Worker logs during a test, and checks that no line contains forbidden data. */

import {expect, vi} from 'vitest';
import {PERSONAL_DATA} from '../../support/leak-scanner.ts';
import {plantedSecrets} from './configured-secrets.ts';

export interface Line {
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Every field that a log line may have. Before you add a field, make sure that it cannot contain personal data. */
const FIELDS = new Set([
  'level',
  'event',
  'request_id',
  'alarm_id',
  'state',
  'method',
  'route',
  'status',
  'code',
  'asked_by',
  'operation',
  'platform_status',
  'fault',
  'service',
  'order',
  'transaction',
  'command',
  'task',
  'event_id',
  'type',
  'webhook',
  'attempt',
  'searches',
  'day',
  'rows',
  'store',
  'version',
  'duration_ms',
  'retry_in_ms',
  'names',
  'error',
]);

/**
 * What no log line may contain: personal data, platform tokens, sessions, secrets, IP addresses, platform messages.
 */
const SECRETS = [
  ...PERSONAL_DATA.map(([, pattern]) => pattern),
  /\{[0-9A-F]{8}-/,
  /eyJ/,
  /sandbox-/,
  /127\.0\.0\.1/,
  /192\.0\.2\./,
  /2001:db8/,
  /IP Not Allow|Invalid \w+:/,
];

let texts: string[] = [];

export function captureLog(): void {
  texts = [];
  for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...args: unknown[]) => void texts.push(args.map(String).join(' ')));
  }
}

export function logLines(event?: string): Line[] {
  const lines = texts.map((text) => JSON.parse(text) as Line);
  return event === undefined ? lines : lines.filter((line) => line.event === event);
}

/** A text of four digits may be a PIN, except in these fields, which contain the sandbox's ids and statuses. */
const FOUR_DIGITS = /^\d{4}$/;
const MAY_BE_FOUR_DIGITS = new Set(['transaction', 'platform_status']);

const LINE_FORMAT = /^\{"level":"(info|warn|error)","event":"[a-z_]+".*\}$/;

/**
 * Checks that every line is one JSON object with only known fields and without personal data and secrets. One assertion
 * checks all lines, because tests log many lines and each assertion takes long.
 */
export function checkLog(): void {
  expect(texts.flatMap((text) => faultsIn(text).map((fault) => ({fault, text})))).toEqual([]);
}

/** What is wrong with a line: its format, unknown fields, a PIN, secrets. */
function faultsIn(text: string): string[] {
  if (!LINE_FORMAT.test(text)) return ['format'];
  const fields = Object.entries(JSON.parse(text) as Line);
  return [
    ...fields.flatMap(([field]) => (FIELDS.has(field) ? [] : [`field ${field}`])),
    ...fields.flatMap(([field, value]) =>
      typeof value === 'string' && FOUR_DIGITS.test(value) && !MAY_BE_FOUR_DIGITS.has(field) ? [`PIN in ${field}`] : [],
    ),
    ...SECRETS.flatMap((secret) => (secret.test(text) ? [String(secret)] : [])),
    ...plantedSecrets.findIn(text),
  ];
}
