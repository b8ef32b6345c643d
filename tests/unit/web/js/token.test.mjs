import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { endWords, token, unlock } from "/static/token.js";

function stored(values = {}) {
  globalThis.sessionStorage = { getItem: (key) => values[key] ?? null, setItem: (key, text) => { values[key] = text; } };
  return values;
}

async function asking(ask) {
  const form = unlock("Logs are for those with a token.", ask);
  form.one("input").value = "mwt_1";
  await form.fire("submit", {});
  return form;
}

test("the token is kept by the tab, and what it shows is asked for with it", async () => {
  const values = stored();
  const form = await asking(async () => token.get() === "mwt_1");
  assert.equal(values.token, "mwt_1");
  assert.match(form.textContent, /Logs are for those with a token/);
  assert.doesNotMatch(form.textContent, /may not/);
});

test("a token that shows no more is told, and so is a server that does not answer", async () => {
  stored();
  assert.match((await asking(async () => false)).textContent, /This token does not give access to it\./);
  assert.match((await asking(async () => { throw new Error("no answer"); })).textContent, /no answer/);
});

test("a token that ends soon, or has ended, is marked", () => {
  const day = 86400e3, now = 1000 * day;
  for (const [expires_ms, word] of [[null, null], [now - 1, "expired"], [now, "expired"], [now + day, "soon"],
    [now + 13.9 * day, "soon"], [now + 14 * day, null]])
    assert.equal(endWords({ expires_ms }, now), word);
});
