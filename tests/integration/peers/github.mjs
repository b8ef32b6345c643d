// stdin: [{"method", "path", "body"}]; prints what GitHub's published description finds wrong, a line each.
import { readFileSync } from "node:fs";
import { check } from "./github-api.mjs";

for (const { method, path, body } of JSON.parse(readFileSync(0, "utf8")))
  for (const problem of check(method.toLowerCase(), path, body)) console.log(problem);
