/** Plays histories: one, many at a time, or the same one with fewer steps. */

import {Driver, type Failure} from './driver.ts';
import {type Bundle, CRASH} from './world.ts';

export type History = Readonly<{seed: number; steps: number; skipped?: ReadonlySet<number>}>;

/** Plays a history. */
export async function play(bundle: Bundle, {seed, steps, skipped}: History, trace: (line: string) => void = () => {}) {
  const driver = new Driver(bundle, seed, trace);
  const failure = await driver.play(steps, skipped);
  const digest = driver.digest.digest('hex').slice(0, 16);
  return {failure, digest, steps: driver.advances, situations: driver.accountant.situations};
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

/** Whether a failure is one of the Worker, and not of workerd. */
export const isOfWorker = ({failure}: {readonly failure: Failure}): boolean => failure.rule !== CRASH;

export type Totals = Awaited<ReturnType<typeof playAll>>;

/** Plays histories, so many at the same time, until `next`, which gets whether one has failed, returns null. */
export async function playAll(bundle: Bundle, next: (hasFailed: boolean) => History | null, lanes: number) {
  const situations = new Map<string, number>();
  const failures: {history: History; failure: Failure; at: number}[] = [];
  const digests = new Map<number, string>();
  let steps = 0;
  let histories = 0;
  const lane = async () => {
    for (let history = next(false); history !== null; history = next(failures.some(isOfWorker))) {
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
