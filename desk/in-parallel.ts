/** Does several things at the same time. */

/**
 * Runs a job for each item, some of them at the same time, in the sequence of the items.
 * @returns The results in that sequence. Rejects with the first failure, after which no job begins.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  run: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let hasFailed = false;
  const runWaiting = async () => {
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      try {
        results[index] = await run(item, index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({length: atOnce}, runWaiting));
  return results;
}
