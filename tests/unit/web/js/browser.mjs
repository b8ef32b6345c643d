// Loaded before a test: what the modules expect of a browser when they are loaded, and no more.
import { register } from "node:module";

register("./hooks.mjs", import.meta.url);
globalThis.location = new URL("http://moowatch.test/projects/demo");
class NeverTold { observe() {} } // nothing is laid out here
Object.assign(globalThis, { ResizeObserver: NeverTold, MutationObserver: NeverTold });
