/** Runs a task for every item, at most so many at once; the results stand in the items' order. */
export async function mapAtOnce<T, R>(most: number, items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await task(item);
  };
  await Promise.all(Array.from({length: Math.min(most, items.length)}, lane));
  return results;
}
