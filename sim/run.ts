/** The simulator's command; see `HELP`. */

import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {moodOf, prefersSubscriptions} from './chance.ts';
import {type History, isOfWorker, play, playAll, shorten, type Totals} from './history.ts';
import {mutations} from './mutations.ts';
import {SITUATIONS, SITUATIONS_AFTER_STEPS} from './situations.ts';
import {type Bundle, bundle} from './world.ts';

const HELP = `npm run sim -- <seed> [choices]     plays one history, with the log of what a failure concerns
npm run sim -- --test               plays the seeds of the tests, which are always the same, and a fresh one
npm run sim -- --hours <number>     plays fresh seeds, and fails if a situation was never met
npm run sim -- --mutations [text]   plants faults, and says how long it takes to find each`;
const SHORT = 300;
const TESTED = 150;
/**
 * `npm test` plays these, which meet many situations in few steps and end with a look at what is stored, and a fresh one
 * that ends with late money. The one that is played twice must give the same digest.
 */
const FIXED_SEEDS = [40, 44, 44];
const LONG = 1_200;
/** Each waits for its objects most of the time. */
const LANES = 5;
const SHORTEN_MS = 60_000;
/** A minute of two cores, for histories that are mostly about the part with the fault. Other work does not shorten it. */
const MUTATION_SECONDS = 120;

const scratch = mkdtempSync(path.join(tmpdir(), 'vezne-sim-'));
const isLog = (line: string): boolean => line.startsWith('   ');
const scopeOf = (line: string): string | undefined => /"(?:request|alarm)_id":"([^"]+)"/.exec(line)?.[1];
const freshSeed = (): number => Math.floor(Math.random() * 2 ** 31);

try {
  const [first = '', second] = process.argv.slice(2);
  if (first === '--test')
    await playFor(
      0,
      [freshSeed() | 1, ...FIXED_SEEDS].map((seed) => ({seed, steps: TESTED})),
    );
  else if (first === '--hours') await playFor(Number(second) * 3_600_000, []);
  else if (first === '--mutations') await findMutations(second ?? '');
  else if (/^\d*$/.test(first))
    await replay(await bundle(scratch), {seed: Number(first || freshSeed()), steps: Number(second ?? LONG)});
  else console.log(HELP);
} finally {
  rmSync(scratch, {recursive: true, force: true});
}

/** Plays these histories, and then fresh seeds until the time is over. */
async function playFor(ms: number, fixed: readonly History[]): Promise<void> {
  const built = await bundle(scratch);
  const [startedAt, processorAt] = [performance.now(), processorSeconds()];
  const waiting = [...fixed];
  const next = (): History | null => {
    const isOver = performance.now() - startedAt > ms;
    const history = waiting.shift() ?? (isOver ? null : {seed: freshSeed(), steps: LONG});
    if (history !== null) console.log(`seed ${history.seed}`);
    return history;
  };
  const totals = await playAll(built, next, LANES);
  printTotals(totals, (performance.now() - startedAt) / 1_000, processorSeconds() - processorAt);
  for (const {history, failure} of totals.failures.slice(0, 2)) {
    console.log(`\nseed ${history.seed} fails at choice ${failure.step}: ${failure.rule}: ${failure.detail}`);
    await replay(built, await shorten(built, history, failure, performance.now() + SHORTEN_MS));
    console.log(`Again: npm run sim -- ${history.seed} ${history.steps}`);
  }
  if (totals.failures.length > 0) process.exitCode = 1;
}

function printTotals({steps, histories, situations, failures}: Totals, seconds: number, processor: number): void {
  for (const [rule, all] of Map.groupBy(failures, ({failure}) => failure.rule))
    console.log(`  ${rule}: seeds ${all.map(({history}) => history.seed).join(' ')}`);
  const counts = SITUATIONS.map((name) => ({name, count: situations.get(name) ?? 0}));
  for (const {name, count} of counts) console.log(`${String(count).padStart(9)}  ${name}`);
  const missed = counts.filter(({count}) => count === 0).map(({name}) => name);
  const speed = `${Math.round(steps / seconds)}/s, ${((processor / steps) * 1_000).toFixed(1)} ms of a processor each`;
  console.log(
    `| ${histories} histories, ${steps} steps in ${Math.round(seconds)} s (${speed}) | ` +
      `${counts.length - missed.length} of ${counts.length} situations | ${failures.length} findings |`,
  );
  if (steps < SITUATIONS_AFTER_STEPS || missed.length === 0) return;
  console.log(`Never met: ${missed.join('; ')}`);
  process.exitCode = 1;
}

async function replay(built: Bundle, history: History): Promise<void> {
  const lines: string[] = [];
  const {failure, digest, steps} = await play(built, history, (line) => lines.push(line));
  if (failure) console.log(linesAbout(failure.detail, lines).join('\n'));
  if (failure) process.exitCode = 1;
  const verdict = failure ? `${failure.rule}: ${failure.detail}` : 'nothing found';
  console.log(`seed ${history.seed}, ${steps} steps, digest ${digest}: ${verdict}`);
}

/** The choices, and the log of the requests and alarms that name something that the text names too. */
function linesAbout(text: string, lines: readonly string[]): string[] {
  const names = text.match(/[\w-]*\d[\w-]{2,}/g) ?? [];
  const scopes = new Set(lines.filter((line) => names.some((name) => line.includes(name))).map(scopeOf));
  return lines.filter((line) => !isLog(line) || scopes.has(scopeOf(line) ?? '-'));
}

async function findMutations(text: string): Promise<void> {
  for (const {name, edit} of mutations().filter((mutation) => mutation.name.includes(text))) {
    const built = await bundle(scratch, edit);
    const [startedAt, cpuAt] = [performance.now(), processorSeconds()];
    let seed = 0;
    const isFit = () => prefersSubscriptions((topic) => moodOf(seed, 1, topic)) === edit.file.includes('/subscriber/');
    const next = (found: boolean): History | null => {
      do seed += 1;
      while (!isFit());
      return found || processorSeconds() - cpuAt > MUTATION_SECONDS ? null : {seed, steps: SHORT};
    };
    const {failures} = await playAll(built, next, LANES);
    const first = failures.find(isOfWorker);
    const seconds = (((first?.at ?? performance.now()) - startedAt) / 1_000).toFixed(0).padStart(3);
    const verdict = first ? `${first.failure.rule}, seed ${first.history.seed}` : 'NOT FOUND';
    console.log(`${seconds} s, ${(processorSeconds() - cpuAt).toFixed(0)} s of a processor  ${name}: ${verdict}`);
    if (!first) process.exitCode = 1;
  }
}

/** The processor time of this process and of those that it started and that have ended. */
function processorSeconds(): number {
  const ticks = readFileSync('/proc/self/stat', 'utf8').replace(/.*\) /, '').split(' ').slice(11, 15);
  return ticks.reduce((sum, count) => sum + Number(count), 0) / 100;
}
