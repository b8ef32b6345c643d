// A form for two nights of any projects: a release, a commit or a date on each side.
import { list } from "/static/api.js";
import { h, projectPath, replace } from "/static/dom.js";
import { place } from "/static/place.js";
import { isNumber, joinWish, splitWish, suggestions } from "/static/wish.js";

const NIGHTS_MAX = 1000;

/** One side: {element, value()}. chosen: what the address says; side: of the comparison shown, or null; alike: are both
  of one commit, which names neither? */
function sideOf(letter, projects, chosen, side, alike) {
  const { project, word } = isNumber(chosen) ? { project: side?.project,
    word: (alike ? null : side?.commit?.short) ?? side?.night ?? "" } : splitWish(chosen);
  const names = h("datalist", { id: `nights-${letter}` });
  const select = h("select", { id: `project-${letter}`, onchange: () => { field.value = ""; fill(); } },
    projects.map((p) => h("option", { value: p.name, selected: p.name === project }, p.title || p.name)));
  const field = h("input", { id: `night-${letter}`, type: "text", list: `nights-${letter}`, value: word ?? "",
    autocomplete: "off",
    spellcheck: "false", placeholder: "the newest night" });
  async function fill() {
    const nights = await list(`${projectPath(select.value)}/nights?portions=brief`, NIGHTS_MAX).catch(() => []);
    replace(names, suggestions(nights).map((s) => h("option", { value: s.word }, s.text)));
  }
  field.addEventListener("focus", fill, { once: true });
  return { value: () => joinWish(select.value, field.value.trim()),
    element: h("fieldset", {}, h("legend", {}, letter.toUpperCase()),
      h("div", {}, h("label", { for: select.id }, "Project"), select),
      h("div", {}, h("label", { for: field.id }, "Release, commit, subject, author or date"), field, names)) };
}

/** comparison: what is shown now, or null. Choosing leads to an address that names both. */
export function chooser(projects, a, b, comparison = null) {
  if (projects.length === 0) return h("p", {}, "There is no project yet.");
  const alike = comparison && comparison.a.commit?.sha === comparison.b.commit?.sha;
  const sides = [sideOf("a", projects, a, comparison?.a, alike), sideOf("b", projects, b, comparison?.b, alike)];
  return h("form", { class: "chooser", onsubmit: (event) => {
    event.preventDefault();
    const [first, second] = sides.map((s) => encodeURIComponent(s.value()).replaceAll("%40", "@"));
    location.href = place(`/compare?a=${first}&b=${second}`);
  } }, sides.map((s) => s.element), h("button", { type: "submit" }, "Compare"));
}
