#!/usr/bin/env bash
# prom-client's default metrics, which many Node services export, have the event loop's lag: least, mean and percentiles. One expects
# about 0 of a process that only sleeps. Each is 10 ms more than the lag: Node's monitorEventLoopDelay() gives the time between
# two looks, and looks every 10 ms. A lag that doubles from 1 to 2 ms shows as a rise of a tenth. Needs Node.
set -euo pipefail
version=15.1.3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund "prom-client@$version" >log 2>&1 || {
    cat log >&2
    exit 2
}
cat >probe.mjs <<'JS'
import client from "prom-client";

client.collectDefaultMetrics();
await client.register.metrics();
await new Promise((done) => setTimeout(done, 3000));
const of = async (what) => 1000 * (await client.register.getSingleMetric(`nodejs_eventloop_lag_${what}_seconds`).get()).values[0].value;
await client.register.metrics();
const seen = [await of("min"), await of("p50")];
console.log(`seen: least ${seen[0].toFixed(2)} ms, median ${seen[1].toFixed(2)} ms`);
process.exit(seen.every((ms) => ms > 5) ? 0 : 1);
JS
echo "prom-client $version, Node $(node --version)"
echo "expected: of a process that sleeps for three seconds less than 1 ms"
node probe.mjs
