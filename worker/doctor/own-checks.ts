/** The checks that need no call to the platform: one list for the doctor, `/health` and the metrics. */

import type {Context} from '../context.ts';
import type {CheckName} from '../contract/checks.ts';
import {type AccountLimit, accountLimitOf} from '../lib/account-limit.ts';
import {describeError, log} from '../lib/log.ts';
import {books} from './check-books.ts';
import {configuration} from './check-configuration.ts';
import {egress} from './check-egress.ts';
import {keys} from './check-keys.ts';
import {limits} from './check-limits.ts';
import {quotas} from './check-quotas.ts';
import {searches} from './check-searches.ts';
import {webhooks} from './check-webhooks.ts';
import type {Gauges, OwnCheck} from './check.ts';
import type {CalledCheck} from './explain.ts';

/** The doctor's checks that call the platform. */
export type PlatformCheckName = CalledCheck | 'clock';

/** In the sequence in which `/health` shows problems. What the doctor shows has the name of its answer. */
const OWN_CHECKS = {configuration, limits, searches, webhooks, egress, keys, books, quotas} satisfies Readonly<
  Record<Exclude<CheckName, PlatformCheckName> | 'searches' | 'quotas', OwnCheck<unknown>>
>;

type OwnCheckName = keyof typeof OWN_CHECKS;
type FactOf<Name extends OwnCheckName> = (typeof OWN_CHECKS)[Name] extends OwnCheck<infer Fact> ? Fact : never;

/** A check with the fact that it read. */
interface Reading<Fact> {
  readonly check: OwnCheck<Fact>;
  /** Null if the fact could not be read. */
  readonly fact: Fact | null;
  /** The limit of the account that refused the reading. */
  readonly limit: AccountLimit | null;
}

export type Readings = {readonly [Name in OwnCheckName]?: Reading<FactOf<Name>>};

/**
 * Reads the facts of some checks, in the sequence of the list.
 * @param isShown - Selects the checks.
 * @param route - The reader, for the log.
 */
export async function readChecks(
  isShown: (check: OwnCheck<unknown>) => unknown,
  context: Context,
  route: string,
): Promise<Readings> {
  const shown = Object.entries<OwnCheck<unknown>>(OWN_CHECKS).filter(([, check]) => isShown(check));
  const readings = shown.map(async ([name, check]) => [name, await readCheck(check, context, route)] as const);
  return Object.fromEntries(await Promise.all(readings)) as Readings;
}

async function readCheck<Fact>(check: OwnCheck<Fact>, context: Context, route: string): Promise<Reading<Fact>> {
  try {
    return {check, fact: await check.read(context), limit: null};
  } catch (error) {
    log('warn', 'internal_error', {route, error: describeError(error)});
    return {check, fact: null, limit: accountLimitOf(error)};
  }
}

export const readingsOf = (readings: Readings) => Object.entries<Reading<unknown>>(readings);

/** What the metrics show of these checks. A fact that could not be read has no gauges. */
export function gaugesOf(readings: Readings): Gauges {
  const gauges = readingsOf(readings).map(([, {check, fact}]) => (fact === null ? {} : check.gauges?.(fact)));
  return Object.assign({}, ...gauges) as Gauges;
}
