// An S3 server in a folder, for buckets of the tests: node s3.mjs PORT FOLDER BUCKET [SECONDS its clock is ahead]
import { createRequire } from "node:module";

const [port, directory, bucket, ahead = "0"] = process.argv.slice(2);
const Now = Date;
globalThis.Date = class extends Now {
  constructor(...given) {
    super(...(given.length ? given : [Now.now() + 1000 * Number(ahead)]));
  }
};
const S3rver = createRequire(import.meta.url)("s3rver");
const server = new S3rver({ address: "127.0.0.1", port: Number(port), silent: true, directory, vhostBuckets: false,
  configureBuckets: [{ name: bucket }] });
await server.run();
console.log("listening");
