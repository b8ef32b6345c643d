// As much of a document as the pages' modules ask for: elements with attributes, texts, listeners and a focus.
// Imported by a test before it uses a module; what a browser lays out or paints is tests/browser's.

export class Node {
  remove() { this.parent?.nodes.splice(this.parent.nodes.indexOf(this), 1); }
}

class Text extends Node {
  constructor(text) {
    super();
    this.textContent = text;
  }
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

class Element extends Node {
  constructor(tag) {
    super();
    Object.assign(this, { tag, attributes: new Map(), nodes: [], listeners: new Map(), style: {}, dataset: {} });
  }

  setAttribute(name, value) { this.attributes.set(name, String(value)); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  get id() { return this.getAttribute("id") ?? ""; }

  append(...nodes) {
    for (const node of nodes) {
      node.parent = this;
      this.nodes.push(node);
    }
  }
  replaceChildren(...nodes) {
    this.nodes = [];
    this.append(...nodes);
  }

  get textContent() { return this.nodes.map((node) => node.textContent).join(""); }
  set textContent(text) { this.replaceChildren(new Text(text)); }

  addEventListener(type, call, { once = false } = {}) {
    this.listeners.set(type, [...this.listeners.get(type) ?? [], { call, once }]);
  }
  /** Calls the listeners and waits for what they promise. */
  async fire(type, event = {}) {
    const calls = this.listeners.get(type) ?? [];
    this.listeners.set(type, calls.filter((l) => !l.once));
    await Promise.all(calls.map((l) => l.call({ type, target: this, preventDefault() {}, ...event })));
  }
  focus() { document.activeElement = this; }

  /** All elements below with this tag, and class if one is asked for. */
  all(tag, className = null) {
    return this.nodes.flatMap((node) => node instanceof Element ? [
      ...node.tag === tag && (!className || node.getAttribute("class")?.split(" ").includes(className)) ? [node] : [],
      ...node.all(tag, className)] : []);
  }
  one(tag, className) { return this.all(tag, className)[0] ?? null; }
}

/** <tag name="value">…</tag> of an element, to compare. */
export function markup(node) {
  if (!(node instanceof Element)) return escaped(node.textContent);
  const attributes = [...node.attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
  return `<${node.tag}${attributes}>${node.nodes.map(markup).join("")}</${node.tag}>`;
}

const main = new Element("main");
main.clientWidth = 700;

globalThis.Node = Node;
globalThis.document = Object.assign(new Element("document"), {
  hidden: false, activeElement: null,
  createElement: (tag) => Object.assign(new Element(tag), { value: "", disabled: false }),
  createElementNS: (_, tag) => new Element(tag),
  createTextNode: (text) => new Text(text),
  getElementById: (id) => id === "main" ? main : null,
});
globalThis.getComputedStyle = () => ({ paddingLeft: "20px", paddingRight: "20px" });

/** The page's content is so many pixels wide, its padding of 40 among them. */
export function roomOf(width) { main.clientWidth = width; }

/** fetch answers these in turn: [status, body], or an Error that it fails with. Returns what it was asked. */
export function answering(...answers) {
  const asked = [];
  globalThis.fetch = async (path, options = {}) => {
    asked.push({ path, ...options });
    const answer = answers.shift() ?? [404, { detail: "the test has no more answers" }];
    if (answer instanceof Error) throw answer;
    const [status, body, statusText = ""] = answer;
    return { ok: status >= 200 && status < 300, status, statusText,
      json: async () => { if (typeof body === "string") throw new SyntaxError(body); return body; } };
  };
  return asked;
}
