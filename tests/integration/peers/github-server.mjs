// A GitHub of its own: answers with the examples of GitHub's published description, filled in with what was asked
// for, and writes down whatever does not fit that description. Arguments: the App's public key (PEM).
// stdout: its port. POST /__set merges into the state; GET /__log tells calls and problems.
import { createServer } from "node:http";
import { createVerify } from "node:crypto";
import { readFileSync } from "node:fs";
import { api, check, find } from "./github-api.mjs";

const publicKey = readFileSync(process.argv[2]);
const state = {
  skew: 0, pulls: {}, comments: [], issues: [], tokens: [], installation: 77, lifetime: 3600,
  calls: [], problems: [],
};

const example = (known, method, status, name) => {
  const examples = api.paths[known][method].responses[status].content["application/json"].examples;
  return structuredClone(examples[name ?? Object.keys(examples)[0]].value);
};
const now = () => Math.floor(Date.now() / 1000) + state.skew;

// Returns what is wrong with an App's JWT; "" when nothing is.
function jwtProblem(jwt) {
  const [head, body, signature] = jwt.split(".");
  if (!signature) return "no JWT";
  const claims = JSON.parse(Buffer.from(body, "base64url"));
  if (JSON.parse(Buffer.from(head, "base64url")).alg !== "RS256") return "alg";
  if (!createVerify("RSA-SHA256").update(`${head}.${body}`).verify(publicKey, signature, "base64url"))
    return "signature";
  if (claims.iss !== "4711") return "iss";
  if (!(claims.iat <= now())) return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
  if (!(claims.exp > now())) return "'Expiration time' claim ('exp') must be a numeric value representing the future time";
  if (!(claims.exp <= now() + 600)) return "'Expiration time' claim ('exp') is too far in the future";
  return "";
}

const forApp = (path) => path.startsWith("/app/") || path.endsWith("/installation");

function denied(path, bearer) {
  if (forApp(path)) return jwtProblem(bearer);
  const token = state.tokens.find((t) => t.token === bearer);
  return !token ? "Bad credentials" : token.expires <= now() ? "expired" : "";
}

function answer(known, method, path, body, page) {
  const reply = (status, change = {}, name = undefined) =>
    [+status, Object.assign(example(known, method, status, name), change)];
  const number = +(path.match(/\/issues\/(\d+)/)?.[1] ?? 0);
  switch (`${method} ${known}`) {
    case "get /repos/{owner}/{repo}/installation":
      return reply("200", { id: state.installation });
    case "post /app/installations/{installation_id}/access_tokens": {
      if (!path.includes(`/${state.installation}/`)) return [404, { message: "Not Found" }];
      const token = `ghs_${state.tokens.length}_secret`;
      state.tokens.push({ token, expires: now() + state.lifetime });
      return reply("201", { token, expires_at: new Date((now() + state.lifetime) * 1000).toISOString().replace(/\.\d+/, "") });
    }
    case "get /repos/{owner}/{repo}/commits/{commit_sha}/pulls": {
      const sha = path.split("/").at(-2);
      const [pull] = example(known, method, "200");
      return [200, Object.entries(state.pulls).filter(([, p]) => p.commits.includes(sha)).map(([n, p]) => ({
        ...structuredClone(pull), number: +n, state: p.state, head: { ...pull.head, sha: p.commits.at(-1) } }))];
    }
    case "get /repos/{owner}/{repo}/issues/{issue_number}/comments":
      return [200, state.comments.filter((c) => c.issue === number).slice((page - 1) * 100, page * 100)
        .map((c) => ({ ...example(known, method, "200")[0], id: c.id, body: c.body }))];
    case "post /repos/{owner}/{repo}/issues/{issue_number}/comments":
      state.comments.push({ issue: number, id: state.comments.length + 1, body: body.body });
      return reply("201", { id: state.comments.length, body: body.body });
    case "patch /repos/{owner}/{repo}/issues/comments/{comment_id}": {
      const comment = state.comments.find((c) => c.id === +path.split("/").at(-1));
      if (!comment) return [404, { message: "Not Found" }];
      comment.body = body.body;
      return reply("200", { id: comment.id, body: body.body });
    }
    case "get /repos/{owner}/{repo}/issues":
      return [200, state.issues.map((issue) => ({ ...example(known, method, "200")[0], ...issue }))];
    case "post /repos/{owner}/{repo}/issues":
      state.issues.push({ number: state.issues.length + 1, state: "open", title: body.title, body: body.body });
      return reply("201", state.issues.at(-1));
    case "patch /repos/{owner}/{repo}/issues/{issue_number}":
      return reply("200", Object.assign(state.issues.find((i) => i.number === number), body));
    case "post /repos/{owner}/{repo}/check-runs":
      return reply("201", { name: body.name, head_sha: body.head_sha }, "example-of-completed-conclusion");
    case "post /repos/{owner}/{repo}/statuses/{sha}":
      return reply("201", { state: body.state });
  }
  return [404, { message: "Not Found" }];
}

function serve(request, text) {
  const [path, query] = request.url.split("?");
  const method = request.method.toLowerCase();
  const body = text ? JSON.parse(text) : null;
  if (path === "/__set") return [200, Object.assign(state, body)];
  if (path === "/__log") return [200, state];
  const known = find(path, method);
  const bearer = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
  const call = { method, path, known, body, app: forApp(path), status: 0 };
  state.calls.push(call);
  const result = judge(method, path, query, known, body, request, bearer);
  call.status = result[0];
  return result;
}

function judge(method, path, query, known, body, request, bearer) {
  state.problems.push(...check(method, path, body));
  if (request.headers.accept !== "application/vnd.github+json") state.problems.push(`${path}: Accept`);
  if (!request.headers["user-agent"]) state.problems.push(`${path}: GitHub refuses calls without User-Agent`);
  const why = denied(path, bearer);
  if (why) return [401, { message: why, documentation_url: "https://docs.github.com/rest" }];
  return known ? answer(known, method, path, body, +(new URLSearchParams(query).get("page") ?? 1)) : [404, { message: "Not Found" }];
}

const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => (text += part));
  request.on("end", () => {
    let result;
    try {
      result = serve(request, text);
    } catch (error) {
      state.problems.push(String(error.stack));
      result = [500, { message: String(error) }];
    }
    response.sendDate = false;
    response.writeHead(result[0], { "Content-Type": "application/json", Date: new Date(now() * 1000).toUTCString() });
    response.end(JSON.stringify(result[1]));
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
