import {READINGS} from '../../../../sandbox/records/readings.ts';

/**
 * Chooses combinations of one value per name, so that any two values of different names occur together in at least one
 * combination. All possible combinations would be far too many to test.
 */
export function allPairs<V extends string>(values: Readonly<Record<string, readonly V[]>>): Record<string, V>[] {
  const names = Object.keys(values);
  const pairs = new Set(
    names.flatMap((name, index) =>
      names
        .slice(index + 1)
        .flatMap((other) =>
          (values[name] ?? []).flatMap((value) =>
            (values[other] ?? []).map((otherValue) => pairOf(name, value, other, otherValue)),
          ),
        ),
    ),
  );
  const combinations: Record<string, V>[] = [];
  while (pairs.size > 0) {
    const best = everyCombination(values)
      .map((combination) => ({combination, covered: pairsOf(combination).filter((pair) => pairs.has(pair))}))
      .reduce((former, next) => (next.covered.length > former.covered.length ? next : former));
    for (const pair of best.covered) pairs.delete(pair);
    combinations.push(best.combination);
  }
  return combinations;
}

function everyCombination<V extends string>(values: Readonly<Record<string, readonly V[]>>): Record<string, V>[] {
  let combinations: (readonly [string, V])[][] = [[]];
  for (const [name, ofName] of Object.entries(values))
    combinations = combinations.flatMap((former) => ofName.map((value) => former.concat([[name, value]])));
  return combinations.map((entries) => Object.fromEntries(entries));
}

function pairsOf(combination: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(combination);
  return entries.flatMap(([name, value], index) =>
    entries.slice(index + 1).map(([other, otherValue]) => pairOf(name, value, other, otherValue)),
  );
}

function pairOf(...parts: string[]): string {
  return parts.join(' ');
}

/** Every two values of two readings about searches occur together in one of these combinations. */
export const ALL_SEARCH_READINGS = allPairs<string>({
  end_date: READINGS.end_date,
  missing_end_date: READINGS.missing_end_date,
  search_days: READINGS.search_days,
  latest_end_date: READINGS.latest_end_date,
  search_time_of: READINGS.search_time_of,
  search_order: READINGS.search_order,
  search_length: READINGS.search_length,
  records_filtered: READINGS.records_filtered,
  phs_limit: ['none', '20'],
  phs_limit_reply: READINGS.phs_limit_reply,
});

/** `npm run bench -- sweep` runs all combinations; `npm test` runs the first four, in which each value occurs. */
export function searchReadings(scale: number): Record<string, string>[] {
  return scale < 1 ? ALL_SEARCH_READINGS.slice(0, 4) : ALL_SEARCH_READINGS;
}
