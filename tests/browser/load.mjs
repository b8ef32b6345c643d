// What the first visit of a page brings over the wire: every answer's bytes, headers included.

export const LIMIT_BYTES = 150_000;
const LIMIT_MS = 60_000; // of a machine that hangs
const PACKABLE = /^(text|application\/json|image\/svg)/, PACKED = /gzip|br/, PACKED_FROM = 1024;

/**
 * The first visit of base + path by a browser that has seen nothing: {total, bytes: {path: bytes}, streams, plain: answers
 * that could have been packed}. needed: in the path of an answer that must be among them, such as "/nights".
 */
export async function firstLoad(browser, base, path, needed) {
  const context = await browser.newContext(), page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const paths = new Map(), bytes = {}, open = new Set();
  let plain = 0, streams = 0;
  network.on("Network.requestWillBeSent", ({ requestId }) => open.add(requestId));
  network.on("Network.loadingFailed", ({ requestId }) => open.delete(requestId));
  network.on("Network.responseReceived", ({ requestId, response, type }) => {
    paths.set(requestId, response.url.slice(base.length));
    if (type === "EventSource") { // never ends
      streams += 1;
      open.delete(requestId);
    } else if (PACKABLE.test(response.mimeType) && !PACKED.test(response.headers["Content-Encoding"] ?? ""))
      plain += Number(response.headers["Content-Length"]) > PACKED_FROM ? 1 : 0;
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes[paths.get(requestId)] = encodedDataLength;
    open.delete(requestId);
  });
  await page.goto(base + path);
  await page.waitForSelector("main h1");
  await page.waitForLoadState("load");
  // The page knows that it has its data before we are told of their bytes.
  const isThere = () => Object.keys(bytes).some((one) => one.includes(needed));
  for (const from = Date.now(); open.size > 0 || !isThere();) {
    if (Date.now() - from > LIMIT_MS)
      throw new Error(`${path}: after ${LIMIT_MS / 1000} s ${isThere() ? `still open: ${[...open].map((id) => paths.get(id) ?? id)}` : `no answer has "${needed}" in its path: ${Object.keys(bytes)}`}`);
    await new Promise((later) => setTimeout(later, 50));
  }
  await context.close();
  return { total: Object.values(bytes).reduce((sum, n) => sum + n, 0), bytes, streams, plain };
}
