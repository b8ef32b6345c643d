#!/usr/bin/env bash
# hot-shots sends metrics to a StatsD server whose name it is given once. One expects it to look the name up once, or once in a while. It asks for
# the address of each metric anew, in one of Node's four threads that files and other names wait for, too: 1,000 increments are 1,000
# lookups. With an address in place of the name there is none. Needs Node.
set -euo pipefail
version=17.1.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund "hot-shots@$version" >log 2>&1 || {
    cat log >&2
    exit 2
}
cat >probe.cjs <<'JS'
const { createHook } = require("async_hooks");
const { createSocket } = require("dgram");
const StatsD = require("hot-shots");

let lookups = 0;
createHook({ init: (_, type) => { lookups += type === "GETADDRINFOREQWRAP"; } }).enable();
const server = createSocket("udp4");

/** How many lookups 1,000 metrics take. */
async function asked(host) {
  const before = lookups;
  const client = new StatsD({ host, port: server.address().port });
  for (let sent = 0; sent < 10; sent++) {
    for (let i = 0; i < 100; i++) client.increment("calls");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await new Promise((resolve) => client.close(resolve));
  return lookups - before;
}

server.bind(0, "127.0.0.1", async () => {
  const address = await asked("127.0.0.1"), name = await asked("localhost");
  console.log("expected: 1,000 metrics for localhost take 1 lookup, and 0 for 127.0.0.1");
  console.log(`seen: ${name}, and ${address}`);
  process.exit(name >= 1000 && address === 0 ? 0 : 1);
});
JS
echo "hot-shots $version, Node $(node --version)"
node probe.cjs
