// The pages' modules name each other as the browser asks for them: "/static/…" is the folder web/static.
// What a site of files has of its own is in web/site.
import { existsSync } from "node:fs";

const FOLDERS = ["static", "site"].map((name) => new URL(`../../../../web/${name}/`, import.meta.url));
const urlOf = (name) => FOLDERS.map((folder) => new URL(name, folder)).find((url) => existsSync(url)) ?? new URL(name, FOLDERS[0]);

export function resolve(specifier, context, next) {
  return specifier.startsWith("/static/")
    ? { url: urlOf(specifier.slice("/static/".length)).href, format: "module", shortCircuit: true }
    : next(specifier, context);
}
