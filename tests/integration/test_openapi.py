"""Every answer is what server/openapi.yaml says, and every route is in it."""
import base64
import hashlib
import json
import re
import subprocess
import unittest

import jsonschema
import yaml

import moowatch
import promtool
import http_case
import runner_calls

SPEC = yaml.safe_load((moowatch.SOURCE / "server" / "openapi.yaml").read_text())
# pages and their files are for people, not for programs
PAGES = {"/", "/jobs", "/jobs/{}", "/projects/{}", "/experiments/{}", "/alerts/{}", "/incidents/{}", "/sweeps/{}", "/pull-requests", "/pull-requests/{}", "/compare", "/static/{}", "/favicon.ico"}


def resolve(value):
    while isinstance(value, dict) and "$ref" in value:
        target = SPEC
        for part in value["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        value = target
    return value


def operation(method, path):
    """The path template and operation that a request is answered by; literal segments win over parameters."""
    best = None
    for template, item in SPEC["paths"].items():
        pattern = re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path) and method.lower() in item and (best is None or template.count("{") < best[0]):
            best = (template.count("{"), template, item[method.lower()])
    return best and best[1:]


class Contract(runner_calls.Runner):
    seen = set()

    def ask(self, path, method="GET", body=None, headers=None, token=None):
        answer = super().ask(path, method, body, headers, token)
        if method != "HEAD":
            self.check(method, path.split("?")[0], answer)
        return answer

    def check(self, method, path, answer):
        found = operation(method, path)
        if not found:
            return
        template, spec = found
        status, headers, body = answer
        reply = resolve(spec["responses"].get(str(status)) or spec["responses"].get("default"))
        self.assertIsNotNone(reply, f"{method} {path}: {status} is not in the contract")
        if status in (204, 304):
            return
        content = reply["content"]
        self.assertIn(headers["Content-Type"], content, f"{method} {path}: {status}")
        schema = content[headers["Content-Type"]].get("schema")
        if schema:
            jsonschema.Draft202012Validator({**schema, "components": SPEC["components"]}).validate(json.loads(body))
        self.seen.add((method, template, status))

    def test_whole_protocol(self):
        super().test_whole_protocol()
        for path in ["status", "projects", "projects/demo", "projects/demo/nights", "projects/demo/nights?portions=brief", "projects/demo/nights?portions=columns", "projects/demo/alerts", "alerts",
                     "incidents", "projects/demo/incidents", "incidents/99", "incidents?state=open",
                     "jobs", "jobs/1", "experiments/1", "experiments/1/calls/none/1", "compare?a=1&b=1", "compare?a=x", "alerts/1", "alerts/99/profiles/none/before", "alerts/99/profiles/none/now", "jobs?limit=0", "projects/nope",
                     "projects/demo/dimensions", "projects/demo/dimensions?dimension=peak_mb", "projects/demo/dimensions?dimension=x",
                     "projects/demo/commits", f"projects/demo/commits?after={'0' * 40}&until={'0' * 40}"]:
            self.ask("/api/v1/" + path)
        for path in ["/healthz", "/readyz", "/metrics", "/charts/demo.svg", "/charts/demo.png", "/charts/demo.pdf", "/charts/demo.gif",
                     "/flames/99/none.svg", "/flames/99/none.json", "/flames/99/none.gif", "/flames/99/none.png?view=side",
                     "/embed/demo", "/embed/demo?theme=dark&view=lines&value=median", "/embed/nope", "/embed/demo?view=pie",
                     "/charts/demo.svg?view=lines", "/charts/demo.svg?value=mode", "/charts/demo.svg?range=full", "/charts/demo.svg?range=half",
                     "/embed/demo?range=full", "/embed/demo?range=half",
                     "/feed.atom", "/projects/demo/feed.atom", "/projects/demo/badge.svg", "/projects/demo/badge.json"]:
            self.ask(path)
        self.ask("/metrics", headers={"Accept": "application/openmetrics-text; version=1.0.0"})
        metrics = self.ask("/metrics")[2].decode()
        self.assertTrue(metrics.endswith("# EOF\n"))
        self.assertIn('overhead_portion_seconds{project="demo",portion="T"', metrics)
        promtool.check(metrics)
        head = self.repository._git("rev-parse", "HEAD~1")
        self.assertEqual(self.ask("/api/v1/projects/demo/jobs", "POST", {"commit": head}, token=self.run_token)[0] // 100, 2)
        for status in (201, 200):
            answer = self.ask("/api/v1/projects/demo/sweeps", "POST", {"commit": head}, token=self.run_token)
            self.assertEqual((answer[0], json.loads(answer[2])["sweep"]), (status, 1))
        self.assertEqual(self.ask("/api/v1/projects/demo/sweeps", "POST", {"commit": "x"}, token=self.run_token)[0], 400)
        self.assertEqual(self.ask("/api/v1/projects/nope/sweeps", "POST", {"commit": head}, token=self.run_token)[0], 404)
        self.assertEqual(self.ask("/api/v1/projects/demo/sweeps", "POST", {"commit": head})[0], 401)
        for path in ("projects/demo/sweeps", "projects/demo/sweeps?limit=0", "sweeps/1", "sweeps/99"):
            self.ask("/api/v1/" + path)
        notes, run = "/api/v1/projects/demo/notes", {"token": self.run_token}
        note = {"night": "2024-01-02", "text": "JDK updated"}
        self.assertEqual(self.ask(notes, "POST", note, **run)[0], 201)
        self.assertEqual(self.ask(notes, "POST", {**note, "night": "today"}, **run)[0], 400)
        self.assertEqual(self.ask(notes, "POST", note)[0], 401)
        self.ask(notes)
        for status in (200, 404):
            self.assertEqual(self.ask("/api/v1/notes/1/remove", "POST", {"reason": "wrong"}, **run)[0], status)
        levels = "/api/v1/projects/demo/baselines"
        nights = json.loads(self.ask("/api/v1/projects/demo/nights")[2])["items"]
        level = {"night": next(n["night"] for n in nights if n["state"] == "measured"), "reason": "new compiler"}
        answer = self.ask(levels, "POST", level, **run)
        self.assertEqual(answer[0], 400)
        self.assertIn("is the first of its series", json.loads(answer[2])["detail"])
        for wrong in ({}, {"night": "today"}, {"night": 3}, {"alert": "x"}, {"night": "2999-01-01"}):
            self.assertEqual(self.ask(levels, "POST", {"reason": "x", **wrong}, **run)[0], 400)
        self.assertEqual(self.ask(levels, "POST", {"reason": "x", "alert": 99}, **run)[0], 404)
        self.assertEqual(self.ask(levels, "POST", level)[0], 401)
        self.assertEqual(json.loads(self.ask(levels)[2])["items"], [])
        self.assertEqual(self.ask("/api/v1/baselines/1/undo", "POST", {"reason": "wrong"}, **run)[0], 404)
        pulls = "/api/v1/projects/demo/pull-requests"
        answer = self.ask(pulls, "POST", {"commit": head}, token=self.run_token)
        self.assertEqual((answer[0], json.loads(answer[2])), (202, {"pull_request": 1}))
        for commit, status in (("x", 400), (head[:9], 400)):
            self.assertEqual(self.ask(pulls, "POST", {"commit": commit}, token=self.run_token)[0], status)
        self.assertEqual(self.ask(pulls, "POST", {"commit": head})[0], 401)
        for path in (pulls, pulls + "?limit=0", "/api/v1/pull-requests/1", "/api/v1/pull-requests/99"):
            self.ask(path)
        self.assertEqual(self.ask("/api/v1/projects/demo/poll", "POST", token=self.run_token)[0], 202)
        self.assertEqual(self.ask("/api/v1/projects/nope/poll", "POST", token=self.run_token)[0], 404)
        job = self.service.get("/api/v1/jobs?state=queued")["items"][0]["id"]
        self.assertEqual(self.ask(f"/api/v1/jobs/{job}/cancel", "POST", {}, token=self.run_token)[0], 400)
        status, _, body = self.ask(f"/api/v1/jobs/{job}/cancel", "POST", {"reason": "not today"}, token=self.run_token)
        self.assertEqual((status, json.loads(body)["state"]), (200, "cancelled"))
        self.assertEqual(self.ask(f"/api/v1/jobs/{job}/cancel", "POST", {"reason": "again"}, token=self.run_token)[0], 409)
        node = self.service.get("/api/v1/status")["nodes"][0]["name"]
        self.assertEqual(self.ask(f"/api/v1/nodes/{node}", "POST", {"paused": True, "reason": "new kernel"})[0], 401)
        for body in ({}, {"paused": 1}, {"paused": True}, {"paused": True, "reason": ""}, {"paused": True, "reason": "x" * 1001}):
            self.assertEqual(self.ask(f"/api/v1/nodes/{node}", "POST", body, token=self.run_token)[0], 400)
        self.assertEqual(self.ask("/api/v1/nodes/nobody", "POST", {"paused": False}, token=self.run_token)[0], 404)
        status, _, body = self.ask(f"/api/v1/nodes/{node}", "POST", {"paused": True, "reason": "new kernel"}, token=self.run_token)
        self.assertEqual((status, json.loads(body)["name"]), (200, node))
        paused = [n for n in json.loads(self.ask("/api/v1/status")[2])["nodes"] if n["name"] == node][0]
        self.assertTrue(paused["paused"].endswith(": new kernel"), paused)
        self.assertEqual(self.ask(f"/api/v1/nodes/{node}", "POST", {"paused": False}, token=self.run_token)[0], 200)
        export = subprocess.run([http_case.daemon(), "export", "--config", self.service.folder / "moowatchd.yaml", "--project",
                                 "demo"], check=True, capture_output=True).stdout
        admin = self.token("admin", "admin")
        self.assertEqual(self.ask("/api/v1/tokens", token=admin)[0], 200)
        self.assertEqual(self.ask("/api/v1/audit?limit=1", token=admin)[0], 200)
        self.assertEqual(self.ask("/api/v1/audit", token=self.run_token)[0], 403)
        self.assertEqual(self.ask("/api/v1/projects/copy/import", "POST", export, token=admin)[0], 200)
        self.assertEqual(self.ask("/api/v1/projects/copy/import", "POST", export + b"x\n", token=admin)[0], 400)
        for path, body, status in (("demo/archive", {}, 409), ("copy/archive", {"archived": 1}, 400), ("copy/archive", {}, 200),
                                   ("copy/rename", {}, 400), ("copy/rename", {"name": "old"}, 200), ("demo/rename", {"name": "x"}, 409),
                                   ("old/delete", {}, 409), ("old/delete", {"confirm": "old"}, 200), ("old/delete", {}, 404)):
            self.assertEqual(self.ask(f"/api/v1/projects/{path}", "POST", {"reason": "x", **body}, token=self.run_token)[0], 403)
            self.assertEqual(self.ask(f"/api/v1/projects/{path}", "POST", {"reason": "x", **body}, token=admin)[0], status, path)
        artifact = f"/api/v1/projects/demo/artifacts/{head}/agent.jar"
        digest = {"Content-Digest": f"sha-256=:{base64.b64encode(hashlib.sha256(b'bytes').digest()).decode()}:"}
        for body, status in ((b"bytes", 201), (b"bytes", 200), (b"other", 400), (b"", 400)):
            self.assertEqual(self.ask(artifact, "PUT", body, headers=digest, token=self.run_token)[0], status)
        self.assertEqual(self.ask("/api/v1/projects/demo/artifacts")[0], 200)
        self.assertEqual(self.ask(artifact, token=self.run_token)[0], 200)
        self.assertEqual(self.ask(artifact)[0], 401)
        self.assertEqual(self.ask(artifact, "DELETE", token=self.run_token)[0], 204)
        self.assertEqual(self.ask(artifact, "DELETE", token=self.run_token)[0], 404)
        self.assertEqual(self.ask("/api/v1/alerts/99/state", "POST", {"state": "accepted", "reason": "x"},
                                  token=self.run_token)[0], 404)
        self.assertEqual(self.ask("/api/v1/incidents/99/state", "POST", {"state": "closed", "reason": "x"},
                                  token=self.run_token)[0], 404)
        for body, status in (({}, 400), ({"token": "a.b.c"}, 403)):
            self.assertEqual(self.ask("/api/v1/job-tokens", "POST", body)[0], status)
        self.assertEqual(self.ask("/api/v1/hooks/github/demo", "POST", {})[0], 401)
        self.assertEqual(self.ask("/api/v1/hooks/generic/demo", "POST", {"commit": head}, token=self.run_token)[0], 202)
        # one of this server's project files is broken: it may be the one that is meant
        self.assertEqual(self.ask("/api/v1/hooks/generic", "POST", {"commit": head}, token=self.run_token)[0], 503)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        asked = {(method, template) for method, template, _ in cls.seen}
        every = {(method.upper(), template) for template, item in SPEC["paths"].items() for method in item
                 if method in ("get", "post", "put", "delete")}
        # the stream never ends; the tests of the stream read it
        missing = every - asked - {("GET", "/api/v1/events")}
        assert not missing, f"not asked: {sorted(missing)}"


class Routes(unittest.TestCase):
    def test_table_and_contract_agree(self):
        text = "".join(file.read_text() for file in (moowatch.SOURCE / "server" / "routes").glob("*.c"))
        text = text.replace("SRV_API \"", "\"/api/v1/")
        rows = {(method, path.replace("{*}", "{}")) for method, path in re.findall(r'\{"([A-Z]+)",\s*"([^"]+)"', text)}
        rows = {row for row in rows if row[1] not in PAGES}
        spec = {(method.upper(), re.sub(r"\{[^}]*\}", "{}", template)) for template, item in SPEC["paths"].items()
                for method in item if method in ("get", "post", "put", "delete")}
        self.assertEqual(rows, spec)

    def test_contract_is_whole(self):
        def walk(value):
            if isinstance(value, dict):
                if "$ref" in value:
                    self.assertIsNotNone(resolve(value))
                for child in value.values():
                    walk(child)
            elif isinstance(value, list):
                for child in value:
                    walk(child)
        walk(SPEC)
        for schema in SPEC["components"]["schemas"].values():
            jsonschema.Draft202012Validator.check_schema(schema)
        ids = [o["operationId"] for item in SPEC["paths"].values() for o in item.values() if isinstance(o, dict) and "operationId" in o]
        self.assertEqual(len(ids), len(set(ids)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
