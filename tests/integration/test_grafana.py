"""The Grafana dashboard: against Grafana's own types, and its queries against what a daemon says."""
import json
import re
import subprocess
import unittest

import fetched
import moowatch
import test_import

DASHBOARD = moowatch.SOURCE / "ci" / "clients" / "grafana" / "project.json"
VERSIONS = ("typescript@5.6.3", "@grafana/schema@11.3.0")


def types():
    """A folder with Grafana's schema package and the compiler that checks a literal against it."""
    def fetch(place):
        place.mkdir()
        (place / "package.json").write_text('{"private": true, "type": "module"}')
        fetched.run("Grafana's schema", "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *VERSIONS, cwd=place)
    return fetched.fetched("grafana-schema", fetch)


def checked(name, dashboard):
    """What the compiler says of it; "" when it is fine. As a literal: then a member that Grafana does not know is an error."""
    place = types()
    file = place / f"{name}.ts"
    # JSON has an enumeration's words where TypeScript wants its members.
    file.write_text('import { type Dashboard } from "@grafana/schema";\n'
                    "type Json<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Json<T[K]> } : T;\n"
                    f"export const dashboard: Json<Dashboard> = {json.dumps(dashboard)};\n")
    done = subprocess.run([place / "node_modules/.bin/tsc", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022",
                           "--module", "nodenext", file], cwd=place, capture_output=True, text=True, timeout=240)
    return done.stdout + done.stderr if done.returncode else ""


class Grafana(unittest.TestCase):
    dashboard = json.loads(DASHBOARD.read_text())

    def targets(self):
        return [target for panel in self.dashboard["panels"] for target in panel["targets"]]

    def test_grafanas_schema_takes_it(self):
        self.assertEqual(checked("project", self.dashboard), "")
        wrong = json.loads(json.dumps(self.dashboard))
        wrong["panels"][0]["gridPos"]["x"] = "left"
        self.assertIn("not assignable", checked("wrong", wrong))  # the check does check

    def test_panels_have_their_own_place_and_number(self):
        numbers = [panel["id"] for panel in self.dashboard["panels"]]
        self.assertEqual(len(set(numbers)), len(numbers))
        cells = [(x, y) for panel in self.dashboard["panels"] for at in [panel["gridPos"]]
                 for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])]
        self.assertEqual(len(set(cells)), len(cells))
        self.assertLess(max(x for x, _ in cells), 24)

    def test_its_metrics_and_columns_are_the_servers(self):
        with moowatch.Service({"public_read": True}) as service:
            (service.folder / "moowatchd.yaml").write_text("data_dir: data\nport: 0\n")
            (service.folder / "data.js").write_text(test_import.data_js())
            lines = subprocess.run([moowatch.BUILD / "ci" / "moowatch", "import", "--project", "history", "data.js"],
                                   cwd=service.folder, check=True, capture_output=True, text=True).stdout
            subprocess.run([moowatch.BUILD / "server" / "moowatchd", "import", "--config", service.folder / "moowatchd.yaml"],
                           input=lines, check=True, capture_output=True, text=True)
            service.start()
            families = dict(re.findall(r"(?m)^# TYPE (\S+) (\S+)$", service.status("/metrics")[2].decode()))
            labels = set(re.findall(r'[{,](\w+)="', service.status("/metrics")[2].decode()))
            variables = [v["query"]["query"] for v in self.dashboard["templating"]["list"] if v["type"] == "query"]
            asked = [t["expr"] for t in self.targets() if "expr" in t] + variables
            self.assertGreater(len(asked), 6)
            for expression in asked:
                for metric in re.findall(r"(?:moowatch|overhead)_\w+", expression):
                    self.assertIn(metric, families, expression)
                for label in re.findall(r"by \((\w+)\)|[{,](\w+)=", expression):
                    self.assertIn("".join(label), labels | {"state"}, expression)
            for target in self.targets():
                if "url" not in target:
                    continue
                items = service.get(target["url"].replace("${project}", "history"))[target["root_selector"]]
                self.assertTrue(items, target["url"])
                for column in target["columns"]:
                    value = items[0]
                    for part in column["selector"].split("."):
                        self.assertIn(part, value, column)
                        value = value[part]


if __name__ == "__main__":
    unittest.main(verbosity=2)
