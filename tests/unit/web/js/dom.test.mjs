import assert from "node:assert/strict";
import { test } from "node:test";
import { markup } from "./dom.mjs";
import { append, commitLink, crumbs, h, replace, s, safeHref } from "/static/dom.js";

test("what is not there is left out, lists are flattened, the rest is text", () => {
  assert.equal(markup(h("p", { class: "x", title: null, lang: undefined, hidden: false, disabled: true, tabindex: 0 },
    "a ", [["b"], null, undefined, false, 0], h("b", {}, "<i>"))),
  '<p class="x" disabled="" tabindex="0">a b0<b>&lt;i></b></p>');
  assert.equal(markup(s("line", { x1: 1.5 })), '<line x1="1.5"></line>');
});

test("an attribute named on… is a listener, and no attribute", async () => {
  const heard = [];
  const button = h("button", { onclick: (event) => heard.push(event.type) });
  await button.fire("click");
  assert.deepEqual(heard, ["click"]);
  assert.equal(button.attributes.size, 0);
});

test("a page below a project leads back to it, by its title or its name", () => {
  const of = (project) => markup(crumbs(project, "a b~1", " / x"));
  assert.equal(of({ title: "A" }), '<p class="crumbs"><a href="/projects/a%20b~1">A</a> / x</p>');
  for (const project of [null, { title: "" }]) assert.match(of(project), />a b~1<\/a>/);
});

test("what an element holds is added to, or put in its place", () => {
  const list = h("ul", {}, "old");
  append(list, ["new", [null, h("li", {})]]);
  assert.equal(markup(list), "<ul>oldnew<li></li></ul>");
  replace(list, h("li", {}, 1));
  assert.equal(markup(list), "<ul><li>1</li></ul>");
  replace(list);
  assert.equal(markup(list), "<ul></ul>");
});

test("only a whole address of the web is a link", () => {
  for (const good of ["https://h/a?b#c", "http://h/"]) assert.equal(safeHref(good), good);
  for (const bad of ["javascript:alert(1)", " javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "/path",
    "//h/x", "h/x", "", null, undefined, "file:///etc/passwd", "https://", "ftp://h/"])
    assert.equal(safeHref(bad), null, String(bad));
});

const SHA = "0123456789abcdef0123456789abcdef01234567";

test("a commit leads to its host, where that is known", () => {
  const code = `<code title="${SHA}">012345678</code>`;
  assert.equal(markup(commitLink({ sha: SHA }, "https://h/c/{commit}")),
    `<a href="https://h/c/${SHA}" rel="noopener">${code}</a>`);
  assert.equal(markup(commitLink({ sha: SHA }, null)), code);
  assert.equal(markup(commitLink({ sha: SHA, short: "0123" }, null)), `<code title="${SHA}">0123</code>`);
  assert.equal(commitLink(null, "https://h/{commit}"), "unknown commit");
});

test("a commit's id or pattern makes no script", () => {
  assert.equal(commitLink({ sha: SHA }, "javascript:{commit}").tag, "code");
  assert.equal(commitLink({ sha: "a/../b?c" }, "https://h/c/{commit}").getAttribute("href"), "https://h/c/a%2F..%2Fb%3Fc");
});
