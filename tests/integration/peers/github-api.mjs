// GitHub's published description of its REST API, and what of a call does not fit it.
import { createRequire } from "node:module";
import Ajv from "ajv";
import formats from "ajv-formats";

const require = createRequire(import.meta.url);
export const api = require("@octokit/openapi/generated/api.github.com.deref.json");
const ajv = new Ajv({ strict: false, allErrors: true });
formats(ajv);

// OpenAPI 3.0 allows "nullable" without a type, JSON Schema does not.
function plain(schema) {
  if (Array.isArray(schema)) return schema.map(plain);
  if (schema === null || typeof schema !== "object") return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, plain(value)]));
  if (copy.nullable !== true || copy.type) return copy;
  delete copy.nullable;
  return { anyOf: [copy, { type: "null" }] };
}

// The described path that fits best and has the method; undefined when there is none.
export function find(path, method) {
  const parts = path.split("/");
  return Object.keys(api.paths).filter((known) => {
    const pattern = known.split("/");
    return pattern.length === parts.length && api.paths[known][method] &&
      pattern.every((part, i) => part.startsWith("{") || part === parts[i]);
  }).sort((a, b) => a.split("{").length - b.split("{").length)[0];
}

export function check(method, path, body) {
  const known = find(path.split("?")[0], method);
  if (!known) return [`${method} ${path}: there is no such call`];
  const schema = api.paths[known][method].requestBody?.content?.["application/json"]?.schema;
  if (body !== null && !schema) return [`${method} ${path}: takes no body`];
  return schema && !ajv.validate(plain(schema), body ?? {}) ? [`${method} ${path}: ${ajv.errorsText()}`] : [];
}
