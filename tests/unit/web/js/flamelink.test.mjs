import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, flameOf, hashOf } from "/static/flamelink.js";

test("what is shown stands in the address", () => {
  const shown = { dimension: "time", configuration: "collecting", view: "after", frame: "operator/(a b)#1" };
  assert.deepEqual(flameOf(hashOf(shown)), shown);
  assert.deepEqual(flameOf(hashOf({ ...shown, frame: "" })), { ...shown, frame: "" });
  assert.equal(hashOf({ configuration: "c", view: "difference", frame: "" }), "#flame=c/difference");
  const bytes = { ...shown, dimension: "bytes" };
  assert.deepEqual(flameOf(hashOf(bytes)), bytes);
  assert.match(hashOf(bytes), /^#allocated=collecting\/after\//);
});

test("other addresses show nothing of a flame graph", () => {
  for (const hash of ["", "#where", "#flame=", "#flame=c", "#flame=c/side", "#flame=c/toString", "#flame=%/after", "#allocated=c", "#allocation=c/after"])
    assert.equal(flameOf(hash), null, hash);
});

test("the picture is of the page's width and theme", () => {
  assert.equal(addressOf(3, { configuration: "c", view: "before", frame: "" }, { theme: "dark", width: 390.4 }),
    "/flames/3/c.svg?view=before&theme=dark&width=390");
  assert.equal(addressOf(3, { configuration: "c", view: "after", frame: "a b&c" }, { theme: "light", width: 900 }),
    "/flames/3/c.svg?view=after&theme=light&width=900&frame=a+b%26c");
  assert.equal(addressOf(3, { dimension: "bytes", configuration: "c", view: "after", frame: "" }, { theme: "light", width: 900 }),
    "/flames/3/c.svg?view=after&theme=light&width=900&dimension=bytes");
  assert.match(addressOf(3, { configuration: "c", view: "after", frame: "" }, { theme: "light", width: 900, type: "json" }), /^\/flames\/3\/c\.json\?/);
});
