// Numbers behind the comparison of frameworks.

/** Least squares of y over x: {slope, start}; all at one x is a level line. */
export function fit(points) {
  const n = points.length, mx = points.reduce((a, p) => a + p.x, 0) / n, my = points.reduce((a, p) => a + p.y, 0) / n;
  const sxx = points.reduce((a, p) => a + (p.x - mx) ** 2, 0);
  const slope = sxx > 0 ? points.reduce((a, p) => a + (p.x - mx) * (p.y - my), 0) / sxx : 0;
  return { slope, start: my - slope * mx };
}

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
