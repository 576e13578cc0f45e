/** Concurrency and retries. */

import {describeError, log} from './log.ts';

/** Runs a task for every item, at most `limit` at the same time. Results are in the order of the items. */
export async function mapConcurrent<T, R>(
  limit: number,
  items: readonly T[],
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await task(item);
  };
  await Promise.all(Array.from({length: Math.min(limit, items.length)}, worker));
  return results;
}

/** Like `Promise.all`, but an error is thrown only after all promises have settled. */
export async function allSettledOrThrow<T extends readonly unknown[]>(
  promises: T,
): Promise<{-readonly [P in keyof T]: Awaited<T[P]>}> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

const RECORD_TRIES = 3;

/**
 * Records in a Durable Object what the platform has already done. If all tries fail, the function does not throw,
 * because an error would undo nothing at the platform.
 * @param name - What is recorded, such as `order`, for the log. @returns undefined if nothing was recorded.
 */
export async function recordWithRetry<T>(name: string, record: () => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; attempt <= RECORD_TRIES; attempt += 1) {
    try {
      return await record();
    } catch (error) {
      log('error', 'record_failed', {names: [name], error: describeError(error)});
    }
  }
  return undefined;
}

/** The task's result. What the task does goes on after an error. @throws the error if the task does not end in time. */
export async function inTime<T>(task: Promise<T>, ms: number, errorOf: () => Error): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(errorOf()), ms);
  try {
    return await Promise.race([task, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets at most `permits` tasks run at the same time. The other tasks wait, in the order in which they came. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #permits: number;

  constructor(permits: number) {
    this.#permits = permits;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#permits > 0) this.#permits -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The permit passes to the next task directly, so no later task can take it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#permits += 1;
    }
  }
}
