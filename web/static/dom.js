// Elements from data: texts become text nodes, never markup.
import { place } from "/static/place.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, given] of Object.entries(attributes ?? {})) {
    const value = name === "href" || name === "src" ? place(given) : given;
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** Appends nodes and texts; null, undefined and false are left out, arrays are flattened. */
export function append(element, children) {
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
}

/** h("a", {href: "/"}, "text") makes an HTML element; attributes named on… are listeners. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Puts children in place of what element holds, keeping scroll and focus outside of it. */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** href only if it is a whole http(s) address: what comes from a repository must not become a script,
  nor a path a page. */
export function safeHref(href) {
  try {
    const url = new URL(href);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}

/** A link to a commit on its host if the project has a pattern, else just its short id. */
export function commitLink(commit, pattern) {
  if (!commit) return "unknown commit";
  const short = commit.short ?? (commit.sha ?? "").slice(0, 9);
  const href = pattern ? safeHref(pattern.replace("{commit}", encodeURIComponent(commit.sha))) : null;
  const code = h("code", { title: commit.sha }, short);
  return href ? h("a", { href, rel: "noopener" }, code) : code;
}

/** Where a project is, as a page and in the API. */
export const projectPath = (name) => `/projects/${encodeURIComponent(name)}`;

/** The way back from a page below a project; project: null where it cannot be had. */
export const crumbs = (project, name, ...more) =>
  h("p", { class: "crumbs" }, h("a", { href: projectPath(name) }, project?.title || name), more);

/** A sentence of the server's: what stands in backticks is the name of a function. */
export const spoken = (text) => text.split("`").map((part, i) => i % 2 ? h("code", {}, h("bdi", {}, part)) : part);
