/**
 * Random histories of a page, for the model tests. They are the same in every run. `VEZNE_HISTORIES=20000` plays that many
 * others, and `VEZNE_SEED` repeats them.
 */

import * as fc from 'fast-check';
import {test} from 'vitest';

const {VEZNE_HISTORIES, VEZNE_SEED} = process.env;
const HISTORIES = Number(VEZNE_HISTORIES ?? 300);
const SEED = Number(VEZNE_SEED ?? (VEZNE_HISTORIES === undefined ? 1 : Date.now() % 2 ** 31));

interface Model<World> {
  /** What can happen, by name. A step that is not possible returns undefined or the same world. */
  readonly steps: Readonly<Record<string, (world: World) => World | undefined>>;
  /** Steps that would otherwise end most histories soon. */
  readonly isRare?: (step: string) => boolean;
  /** How histories begin, by name. */
  readonly beginnings: Readonly<Record<string, () => World>>;
  readonly maxSteps: number;
  /** What is wrong with a world. */
  readonly brokenRules: (world: World) => readonly string[];
  /** The names of what is shown of it. */
  readonly shown: (world: World) => readonly string[];
}

/** Defines the test that every rule holds after each step of random histories. */
export function testHistories<World>({
  steps,
  isRare = () => false,
  beginnings,
  maxSteps,
  brokenRules,
  shown,
}: Model<World>): void {
  const {rare = [], usual = []} = Object.groupBy(Object.keys(steps), (step) => (isRare(step) ? 'rare' : 'usual'));
  const step = fc.oneof(
    {weight: 12, arbitrary: fc.constantFrom(...usual)},
    ...(rare.length > 0 ? [{weight: 1, arbitrary: fc.constantFrom(...rare)}] : []),
  );
  const history = fc.tuple(
    fc.constantFrom(...Object.keys(beginnings)),
    fc.array(step, {minLength: 5, maxLength: maxSteps}),
  );
  test(`keeps every rule in ${HISTORIES} random histories`, {timeout: 600_000}, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(history, ([beginning, names]) => {
        let world = (beginnings[beginning] as () => World)();
        for (const name of names) {
          world = steps[name]?.(world) ?? world;
          const broken = brokenRules(world);
          if (broken.length > 0) throw new Error(`After “${name}”: ${broken.join('; ')}.`);
          for (const view of shown(world)) seen.add(view);
        }
      }),
      {numRuns: HISTORIES, seed: SEED},
    );
    console.info(`${HISTORIES} histories from the seed ${SEED} showed ${seen.size} views.`);
  });
}
