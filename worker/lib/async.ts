import {describeError, log} from './log.ts';

/** Runs a task for every item, at most so many at once; the results stand in the items' order. */
export async function mapConcurrent<T, R>(
  limit: number,
  items: readonly T[],
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await task(item);
  };
  await Promise.all(Array.from({length: Math.min(limit, items.length)}, worker));
  return results;
}

const RECORD_TRIES = 3;

/**
 * Tells an object what the platform has done already. A request does not fail because of it: that would undo nothing.
 * @param what was to be noted, for the log.
 */
export async function recordWithRetry(what: string, record: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; attempt <= RECORD_TRIES; attempt += 1) {
    try {
      await record();
      return;
    } catch (error) {
      log('error', 'note_failed', {names: [what], error: describeError(error)});
    }
  }
}
