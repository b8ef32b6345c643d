// stdin: [{"method", "path", "body"}]; prints what GitHub's published description finds wrong, a line each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv";
import formats from "ajv-formats";

const require = createRequire(import.meta.url);
const api = require("@octokit/openapi/generated/api.github.com.deref.json");
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

function find(path) {
  const parts = path.split("/");
  return Object.keys(api.paths).filter((known) => {
    const pattern = known.split("/");
    return pattern.length === parts.length && pattern.every((part, i) => part.startsWith("{") || part === parts[i]);
  }).sort((a, b) => a.split("{").length - b.split("{").length)[0];
}

for (const { method, path, body } of JSON.parse(readFileSync(0, "utf8"))) {
  const known = find(path.split("?")[0]);
  const operation = known && api.paths[known][method.toLowerCase()];
  if (!operation) {
    console.log(`${method} ${path}: there is no such call`);
    continue;
  }
  const schema = operation.requestBody?.content?.["application/json"]?.schema;
  if (body !== null && !schema) console.log(`${method} ${path}: takes no body`);
  if (schema && !ajv.validate(plain(schema), body)) console.log(`${method} ${path}: ${ajv.errorsText()}`);
}
