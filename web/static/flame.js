// The flame graph of a portion: before, after, or what changed; all of it, or what is below one function. What is shown
// stands in the address, so that it can be linked to.
import { h, replace } from "/static/dom.js";
import { VIEWS, addressOf, flameOf, hashOf } from "/static/flamelink.js";
import { currentTheme } from "/static/frame.js";
import { contentWidth } from "/static/parts.js";
import { isSite, picture } from "/static/place.js";

/** A figure and show(frame), which goes to a function: of an alert's portion, with the functions it has. */
export function flame(alert, portion) {
  const { configuration } = portion;
  const start = { configuration, view: "difference", frame: "" };
  const linked = flameOf(location.hash);
  let shown = linked?.configuration === configuration ? linked : start;
  const image = h("img", { class: "chart", alt: "" });
  const names = `frames-${configuration}`;
  const search = h("input", { type: "search", list: names, placeholder: "a function",
    "aria-label": `Show what is below a function of ${portion.portion}` });
  const views = h("span", { class: "choice" });
  const draw = () => {
    const width = Math.max(240, Math.min(contentWidth(), 2400));
    picture(image, addressOf(alert, shown, { theme: currentTheme(), width }));
    image.alt = `${VIEWS[shown.view]} in ${portion.portion}${shown.frame ? ` below ${shown.frame}` : ""}: ${portion.sentence}`;
    search.value = shown.frame;
    const hadFocus = views.contains(document.activeElement);
    replace(views, Object.entries(VIEWS).map(([view, words]) => h("button", { type: "button",
      "aria-pressed": String(view === shown.view), onclick: () => go({ ...shown, view }) }, words)));
    if (hadFocus) views.querySelector('[aria-pressed="true"]').focus();
  };
  const go = (next) => {
    shown = next;
    history.replaceState(null, "", hashOf(shown));
    draw();
  };
  addEventListener("themechange", function follow() { // until the page is drawn anew
    if (image.isConnected) draw();
    else globalThis.removeEventListener("themechange", follow);
  });
  const form = h("form", { class: "flamesearch", onsubmit: (event) => {
    event.preventDefault();
    go({ ...shown, frame: search.value.trim() });
  } }, search, h("button", { type: "submit" }, "Show what is below"),
  h("button", { type: "button", onclick: () => go({ ...shown, frame: "" }) }, "Show all"));
  draw();
  return { show: (frame) => go({ ...shown, frame }), element: h("figure", { class: "flame" },
    h("div", { class: "flamebar" }, views, isSite ? null : form), image,
    h("datalist", { id: names }, portion.functions.map((f) => h("option", { value: f.name })))) };
}
