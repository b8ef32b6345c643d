import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { answering } from "./dom.mjs";
import { ApiError, debounce, get, getMore, list, listen, projectsOf, send } from "/static/api.js";

const settled = async () => { for (let i = 0; i < 20; i++) await Promise.resolve(); };

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** What a promise comes to while the clock is wound on as far as it asks. */
async function outcome(promise) {
  let done = false;
  const result = promise.then((value) => ({ value }), (error) => ({ error })).finally(() => { done = true; });
  for (let i = 0; !done && i < 20; i++) {
    await settled();
    mock.timers.tick(10_000);
  }
  return result;
}

test("an answer is the JSON of it", async () => {
  const asked = answering([200, { items: [1] }]);
  assert.deepEqual((await outcome(projectsOf())).value, [1]);
  assert.equal(asked[0].path, "/api/v1/projects");
  assert.equal(asked[0].headers.accept, "application/json");
  answering([200, { items: [2] }]);
  assert.deepEqual((await outcome(projectsOf("a b"))).value, [2]);
});

test("what is no time has its unit beside each of its intervals", async () => {
  const portion = { portion: "ram", configuration: "ram", unit: "MiB", mean_ns: 54, reference: { mean_ns: 50 }, judged: null };
  answering([200, { portions: [portion, { portion: "T", configuration: "none", mean_ns: 3, reference: { mean_ns: 3 } }],
    configurations: [{ name: "ram", mean_ns: 54 }, { name: "none", mean_ns: 3 }], total: { mean_ns: 54 } }]);
  const night = (await outcome(get("/x"))).value;
  assert.equal(night.portions[0].reference.unit, "MiB");
  assert.equal("unit" in night.portions[1].reference, false);
  assert.deepEqual(night.configurations.map((c) => c.unit), ["MiB", undefined]);
  assert.equal(night.total.unit, "MiB");
});

test("a refusal says why, and is not tried again", async () => {
  for (const [answer, message] of [[[404, { detail: "no project p", title: "Not Found" }], "no project p"],
    [[400, { title: "Bad Request" }, "x"], "Bad Request"], [[401, {}, "Unauthorized"], "Unauthorized"],
    [[500, "<html>", "Internal Server Error"], "Internal Server Error"], [[500, "<html>"], "no reason given"]]) {
    const asked = answering(answer);
    const { error } = await outcome(get("/x"));
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.message, asked.length], [answer[0], message, 1]);
  }
});

test("a server that restarts is asked three times", async () => {
  for (const passing of [[502, {}], [503, {}], [504, {}], new TypeError("network")]) {
    let asked = answering(passing, passing, [200, "good".length]);
    assert.equal((await outcome(get("/x"))).value, 4);
    assert.equal(asked.length, 3);
    asked = answering(passing, passing, passing, [200, 1]);
    const { error } = await outcome(get("/x"));
    assert.deepEqual([error.status, asked.length], [passing[0] ?? 0, 3]);
    assert.match(error.message, /tries again by itself/);
  }
});

test("it waits longer before the third try", async () => {
  const asked = answering([503, {}], [503, {}], [200, 1]);
  const result = get("/x");
  for (const [ms, count] of [[0, 1], [599, 1], [1, 2], [1199, 2], [1, 3]]) {
    mock.timers.tick(ms);
    await settled();
    assert.equal(asked.length, count, `${ms} ms on`);
  }
  assert.equal(await result, 1);
});

test("a decision is sent once, with its token", async () => {
  const asked = answering([200, { id: 1 }], new TypeError("network"), [403, { detail: "scope run is needed" }]);
  assert.deepEqual(await send("/alerts/1/state", { state: "open" }, "t7"), { id: 1 });
  assert.equal(asked[0].method, "POST");
  assert.equal(asked[0].body, '{"state":"open"}');
  assert.equal(asked[0].headers.authorization, "Bearer t7");
  const away = await outcome(send("/x", {}, "t"));
  assert.deepEqual([away.error.status, away.error.message], [0, "the server does not answer"]);
  const refused = await outcome(send("/x", {}, "t"));
  assert.deepEqual([refused.error.status, refused.error.message], [403, "scope run is needed"]);
  assert.equal(asked.length, 3);
});

test("what anybody may see is shown without the token, too", async () => {
  for (const status of [401, 403, 429]) {
    const asked = answering([status, {}], [200, { withheld: true }]);
    assert.deepEqual((await outcome(getMore("/jobs/1", "t"))).value, { withheld: true });
    assert.deepEqual(asked.map((a) => a.headers.authorization), ["Bearer t", undefined]);
  }
  for (const [secret, status] of [["t", 404], ["", 401]]) {
    const asked = answering([status, { detail: "no" }]);
    assert.equal((await outcome(getMore("/jobs/1", secret))).error.status, status);
    assert.equal(asked.length, 1);
  }
});

test("a list comes page by page, and no more of it than asked for", async () => {
  const pages = () => [[200, { items: [1, 2], next: "a&b" }], [200, { items: [3, 4], next: "c" }], [200, { items: [5], next: null }]];
  let asked = answering(...pages());
  assert.deepEqual(await list("/nights", 5000), [1, 2, 3, 4, 5]);
  assert.deepEqual(asked.map((a) => a.path), ["/api/v1/nights?limit=5000", "/api/v1/nights?limit=4998&cursor=a%26b",
    "/api/v1/nights?limit=4996&cursor=c"]);
  asked = answering(...pages());
  assert.deepEqual(await list("/nights?state=measured", 3), [1, 2, 3, 4]);
  assert.deepEqual(asked.map((a) => a.path), ["/api/v1/nights?state=measured&limit=3",
    "/api/v1/nights?state=measured&limit=1&cursor=a%26b"]);
});

test("of a burst only the last call runs", () => {
  let calls = 0;
  const run = debounce(() => calls++, 400);
  for (let i = 0; i < 5; i++) { run(); mock.timers.tick(399); }
  assert.equal(calls, 0);
  mock.timers.tick(1);
  assert.equal(calls, 1);
});

/** An EventSource that a test speaks through. */
class Source {
  static open = [];
  listeners = new Map();
  constructor(path) { this.path = path; Source.open.push(this); }
  addEventListener(name, call) { this.listeners.set(name, call); }
  close() { Source.open = Source.open.filter((s) => s !== this); }
  static get one() { assert.equal(Source.open.length, 1); return Source.open[0]; }
}

function listening(on = {}) {
  const told = [];
  Source.open = [];
  globalThis.EventSource = Source;
  globalThis.addEventListener = (name, call) => told.push([name, call]);
  document.hidden = false;
  document.listeners.clear();
  const log = [];
  listen(on, { onState: (state) => log.push(state), refresh: () => log.push("refresh") });
  return { log, leave: () => told.find(([name]) => name === "pagehide")[1]() };
}

test("events reach those who listen, and a wrong one ends nothing", () => {
  const jobs = [];
  listening({ job: (data) => jobs.push(data) });
  assert.equal(Source.one.path, "/api/v1/events");
  const warn = mock.method(console, "warn", () => {});
  Source.one.listeners.get("job")({ data: "{" });
  Source.one.listeners.get("job")({ data: '{"id":1}' });
  assert.deepEqual(jobs, [{ id: 1 }]);
  assert.equal(warn.mock.callCount(), 1);
  warn.mock.restore();
});

test("a lost connection comes back, later each time, and what was missed is asked for", () => {
  const random = mock.method(Math, "random", () => 0.5);
  const { log } = listening();
  Source.one.onopen();
  assert.deepEqual(log, ["live"]);
  for (const wait of [1000, 2000, 4000, 8000, 16000, 30000, 30000]) {
    Source.one.onerror();
    assert.equal(Source.open.length, 0);
    mock.timers.tick(wait - 1);
    assert.equal(Source.open.length, 0, `not before ${wait} ms`);
    mock.timers.tick(1);
    assert.equal(Source.open.length, 1);
  }
  log.length = 0;
  Source.one.onopen();
  assert.deepEqual(log, ["live", "refresh"]);
  Source.one.onerror();
  mock.timers.tick(1000); // from the beginning again
  assert.equal(Source.open.length, 1);
  random.mock.restore();
});

test("a hidden page listens to nothing", async () => {
  const { log, leave } = listening();
  Source.one.onopen();
  document.hidden = true;
  await document.fire("visibilitychange");
  assert.equal(Source.open.length, 0);
  document.hidden = false;
  await document.fire("visibilitychange");
  Source.one.onopen();
  assert.deepEqual(log, ["live", "live", "refresh"]);
  await document.fire("visibilitychange"); // shown already: no second connection
  assert.equal(Source.open.length, 1);
  leave();
  assert.equal(Source.open.length, 0);
});
