// stdin: {"secret", "body", "signature"}; prints true when GitHub's own library accepts the signature.
import { readFileSync } from "node:fs";
import { verify } from "@octokit/webhooks-methods";

const { secret, body, signature } = JSON.parse(readFileSync(0, "utf8"));
console.log(await verify(secret, body, signature));
