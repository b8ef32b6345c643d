// Loaded before a test: what the modules expect of a browser when they are loaded, and no more.
import { register } from "node:module";

register("./hooks.mjs", import.meta.url);
globalThis.location = new URL("http://moowatch.test/projects/demo");
