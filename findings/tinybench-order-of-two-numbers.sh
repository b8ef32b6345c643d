#!/usr/bin/env bash
# tinybench prints latency and throughput of each task. One expects 1 divided by the one to be the other, and both to put two tasks in the same
# order. Throughput is the mean of each call's rate, in which a call that takes long hardly counts. A task whose every tenth call
# takes a hundred times as long, as one that flushes a buffer, is told to be four times as fast as one that needs half as long in all.
# The clock is the script's own, so the numbers are the same in each run. Needs Node.
set -euo pipefail
version=6.2.5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund "tinybench@$version" >log 2>&1 || {
    cat log >&2
    exit 2
}
cat >probe.mjs <<'JS'
import { Bench } from "tinybench";

let clock = 0;
let calls = 0;
const bench = new Bench({ now: () => clock, iterations: 1000, time: 0, warmup: false });
bench.add("even", () => {
  clock += 5;
});
bench.add("flushing", () => {
  clock += ++calls % 10 ? 1 : 100;
});
await bench.run();
const [even, flushing] = bench.tasks.map((task) => task.result);
const ms = (result) => result.latency.mean.toFixed(1);
const rate = (result) => result.throughput.mean.toFixed(0);
const runs = (result) => (1000 / result.latency.mean).toFixed(0);
console.log(`expected: what takes ${ms(even)} ms runs ${runs(even)} times a second, what takes ${ms(flushing)} ms ${runs(flushing)} times`);
console.log(`seen: ${rate(even)} and ${rate(flushing)} times`);
process.exit(flushing.latency.mean > 2 * even.latency.mean && flushing.throughput.mean > 4 * even.throughput.mean ? 0 : 1);
JS
echo "tinybench $version, Node $(node --version)"
node probe.mjs
