// The pages' modules name each other as the browser asks for them: "/static/…" is the folder web/static.
const FOLDER = new URL("../../../../web/static/", import.meta.url);

export function resolve(specifier, context, next) {
  return specifier.startsWith("/static/")
    ? { url: new URL(specifier.slice("/static/".length), FOLDER).href, format: "module", shortCircuit: true }
    : next(specifier, context);
}
