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
