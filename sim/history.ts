/** Plays histories: one, many at a time, or the same one with fewer steps. */

import {readFileSync} from 'node:fs';
import {parseEnv} from 'node:util';
import {repoPath} from '../scripts/lib/repo.mjs';
import {OFFERS, toText, WEBHOOK_SECRET} from './books.ts';
import {Driver, type Failure} from './driver.ts';
import {QUOTAS} from './quotas.ts';
import {ORIGIN} from './requests.ts';
import {type Bundle, World} from './world.ts';

const PLATFORM = 'http://localhost:8790';
const lamp = {kind: 'payment', service: 'DEMO', title: {tr: 'Lamba', en: 'Lamp'}};
const club = {kind: 'subscription', title: {tr: 'Kulüp', en: 'Club'}, terms: {tr: 'Şartlar', en: 'Terms'}};
/** The configuration of the Worker and of the sandbox, which have one environment. The secrets are the sandbox's. */
const VARS = {
  ...parseEnv(readFileSync(repoPath('.dev.vars'), 'utf8')),
  MERCHANT_ID: '123',
  MERCHANT_IP: '127.0.0.1',
  WEBHOOK_SECRET,
  WEBHOOK_URL: 'https://hooks.example/vezne',
  PHS_URL: `${PLATFORM}/phs`,
  MICROPAYMENT_URL: `${PLATFORM}/micropayment`,
  PAYMENT_PAGE_URL: `${PLATFORM}/pay`,
  LANDING_URL: `${PLATFORM}/landing`,
  NOTIFY_URL: 'https://pay.example/hooks/refund-result',
  PAYMENT_NOTIFY_URL: 'https://pay.example/hooks/payment',
  NOTIFICATIONS: 'payment',
  ONE_CLICK: 'on',
  SERVICES: '{"DEMO":{"micropaymentId":1}}',
  ALLOWED_ORIGINS: ORIGIN,
  OFFERS: JSON.stringify({
    ...Object.fromEntries(
      Object.entries(OFFERS).map(([name, {kurus, hours}]) => [name, {...lamp, amount: toText(kurus), hours}]),
    ),
    club: {...club, product: 77, price: '12.00', period: 'weekly', operators: [{id: 1, name: 'Telemavi'}]},
  }),
  QUOTAS: JSON.stringify(Object.fromEntries(Object.values(QUOTAS))),
  LIMITS: '{"address_sessions_per_minute":null}',
};

export interface History {
  readonly seed: number;
  readonly steps: number;
  readonly skipped?: ReadonlySet<number>;
}

/** Plays a history. The digest is of all choices, of what came of them, and of the verdict. */
export async function play(
  bundle: Bundle,
  {seed, steps, skipped}: History,
  trace: (line: string) => void = () => {},
): Promise<{failure: Failure | null; digest: string; steps: number; situations: ReadonlyMap<string, number>}> {
  const world = await World.open(bundle, VARS);
  try {
    const driver = new Driver(world, seed, trace);
    const failure = await driver.play(steps, skipped);
    return {failure, digest: driver.digest, steps: driver.advances, situations: driver.accountant.situations};
  } finally {
    await world.close();
  }
}

/** Leaves out steps of a failing history as long as it fails by the same rule, until the time is over. */
export async function shorten(
  bundle: Bundle,
  {seed, steps}: History,
  failure: Failure,
  deadline: number,
): Promise<History> {
  let skipped: ReadonlySet<number> = new Set();
  const length = Math.min(steps, failure.step);
  for (let size = Math.ceil(length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let first = 1; first <= length; first += size) {
      if (performance.now() > deadline) return {seed, steps: length, skipped};
      const range = Array.from({length: size}, (_, index) => first + index);
      const fewer = new Set([...skipped, ...range]);
      if (fewer.size === skipped.size) continue;
      const {failure: again} = await play(bundle, {seed, steps: length, skipped: fewer});
      if (again?.rule === failure.rule) skipped = fewer;
    }
  return {seed, steps: length, skipped};
}

export type Totals = Awaited<ReturnType<typeof playAll>>;

/**
 * Plays histories, so many at the same time.
 * @param next - The next history; null if there are no more. Gets whether a history has failed.
 */
export async function playAll(bundle: Bundle, next: (hasFailed: boolean) => History | null, lanes: number) {
  const situations = new Map<string, number>();
  const failures: {history: History; failure: Failure; at: number}[] = [];
  const digests = new Map<number, string>();
  let steps = 0;
  let histories = 0;
  const lane = async () => {
    for (let history = next(false); history !== null; history = next(failures.length > 0)) {
      const played = await play(bundle, history);
      steps += played.steps;
      histories += 1;
      for (const [name, count] of played.situations) situations.set(name, (situations.get(name) ?? 0) + count);
      const before = digests.get(history.seed) ?? played.digest;
      digests.set(history.seed, played.digest);
      if (before !== played.digest)
        throw new Error(`Seed ${history.seed} gave two digests: ${before}, ${played.digest}`);
      if (played.failure) failures.push({history, failure: played.failure, at: performance.now()});
    }
  };
  await Promise.all(Array.from({length: lanes}, lane));
  return {steps, histories, situations, failures};
}
