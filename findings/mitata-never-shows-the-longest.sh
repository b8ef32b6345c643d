#!/usr/bin/env bash
# mitata prints min and max of what it measured. One expects max to be the longest call. The two shortest and the two longest samples are always
# left out, of ten thousand as of thirteen: two pauses of 400 ms, as of a collection or of an exporter that sends, are in no
# number, neither max nor mean. Needs Node.
set -euo pipefail
version=1.0.34
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund "mitata@$version" >log 2>&1 || {
    cat log >&2
    exit 2
}
cat >probe.mjs <<'JS'
import { measure } from "mitata";

const PAUSES = new Set([100, 200]);
const wait = (ms) => {
  for (const end = performance.now() + ms; performance.now() < end; );
};
let calls = 0;
let longest = 0;
let total = 0;
const stats = await measure(() => {
  const begin = performance.now();
  wait(PAUSES.has(++calls) ? 400 : 0.2);
  longest = Math.max(longest, performance.now() - begin);
  total += performance.now() - begin;
});
const [max, mean] = [stats.max / 1e6, stats.avg / 1e6];
console.log(`expected: max is ${longest.toFixed(0)} ms, and ${calls} calls take ${(total / calls).toFixed(1)} ms in the mean`);
console.log(`seen: max ${max.toFixed(1)} ms, mean ${mean.toFixed(1)} ms`);
process.exit(longest > 390 && max < 200 && mean < total / calls / 2 ? 0 : 1);
JS
echo "mitata $version, Node $(node --version)"
node probe.mjs
