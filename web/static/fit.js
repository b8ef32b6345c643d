// Numbers behind the comparison of frameworks.

/** items: [{of, depth}]. The depths that all of them (told apart by `of`) have, ascending. */
export function sharedDepths(items) {
  const sets = grouped(items, (item) => item.of).map(([, own]) => new Set(own.map((item) => item.depth)));
  return [...sets[0] ?? []].filter((depth) => Number.isInteger(depth) && sets.every((set) => set.has(depth)))
    .sort((a, b) => a - b);
}

/** [[key, items], …] in the order of the keys' first items. */
export function grouped(items, key) {
  const groups = new Map();
  for (const item of items) {
    const k = key(item);
    groups.set(k, [...groups.get(k) ?? [], item]);
  }
  return [...groups];
}
