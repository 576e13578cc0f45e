/** Numbers that look random and follow from a seed. */

/** One number from several. Similar inputs give unrelated numbers. */
export function mix(...parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    hash = Math.imul(hash ^ (part >>> 0), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** One of the things that can happen next. */
export type Choice = Readonly<{name: string; weight: number; run: () => void | Promise<void>}>;

/** What can be done with a subject, if there is one. */
export const of = <T>(name: string, weight: number, subject: T | undefined, run: (subject: T) => unknown): Choice => ({
  name,
  weight: subject === undefined ? 0 : weight,
  run: () => void run(subject as T),
});

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    return mix((this.#state = (this.#state + 0x6d2b79f5) >>> 0)) / 2 ** 32;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  happens(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly [T, ...T[]]): T;
  pick<T>(list: readonly T[]): T | undefined;
  pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.next() * list.length)];
  }

  /** Like `pick`, but prefers the last entries. */
  recent<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(list.length * (1 - this.next() ** 2.5))] ?? list.at(-1);
  }

  /** Picks by weight times bias; entries without weight are never picked. */
  weighted<T extends {readonly weight: number}>(list: readonly T[], biasOf: (index: number) => number): T | undefined {
    const weights = list.map(({weight}, index) => weight * biasOf(index));
    let left = this.next() * weights.reduce((sum, weight) => sum + weight, 0);
    return list[weights.findIndex((weight) => weight > 0 && (left -= weight) < 0)];
  }
}

/** After so many steps, a history prefers other choices. */
const MOOD_STEPS = 300;

/** What a history prefers for a while. @param topic - A number for each of its choices, or another one. */
export const moodOf = (seed: number, step: number, topic: number): Chance =>
  new Chance(mix(seed, Math.ceil(step / MOOD_STEPS), topic, 11));

/** Whether the choices of a history are mostly about subscriptions for a while. */
export const prefersSubscriptions = (mood: (topic: number) => Chance): boolean => mood(0).happens(0.3);
