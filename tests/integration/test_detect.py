"""moowatch detect: what it says of a history; wrong input is told."""

import json
import os
import random
import subprocess
import sys
import tempfile

MOOWATCH = sys.argv[1]


def run(*arguments, expect=(0, 1)):
    result = subprocess.run(
        [MOOWATCH, "detect", *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert result.returncode in expect, (arguments, result.returncode, result.stderr)
    return result


def history(nights):
    """A quiet history of 4 configurations x 5 loops; C rises by 20 % at night 40."""
    rng = random.Random(7)
    lines = ["night," + ",".join(f"c{c}_{l}" for c in range(4) for l in range(1, 6))]
    for n in range(nights):
        levels = [70, 270, 1170 + (180 if n >= 40 else 0), 3670 + (180 if n >= 40 else 0)]
        values = [level * (1 + 0.01 * rng.gauss(0, 1)) for level in levels for _ in range(5)]
        lines.append(f"{n}," + ",".join(f"{v:.4f}" for v in values))
    return lines


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "h.csv")
        lines = history(60)
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        whole = run(path)
        assert whole.returncode == 1
        verdicts = [json.loads(line) for line in whole.stdout.splitlines()]
        assert len(verdicts) == 240
        changes = [(v["night"], v["portion"], v["direction"]) for v in verdicts if v["verdict"] == "anomaly"]
        assert changes == [("41", "C", "up")], changes
        ends = [(v["from"], v["to"]) for v in verdicts if v["verdict"] == "anomaly"]
        assert ends == [({"night": "39"}, {"night": "40"})], ends
        assert not any(v["from"] or v["to"] for v in verdicts if v["verdict"] == "ok")
        sure = run(path, "--confidence", "0.99").stdout
        assert all(json.loads(line)["level"] == 0.99 for line in sure.splitlines()) and "95 % interval" not in sure
        dated = os.path.join(folder, "dated.csv")
        with open(dated, "w", encoding="ascii") as file:
            file.write(lines[0] + "\n")
            for n, line in enumerate(lines[1:]):
                file.write(f"2026-0{1 + n // 28}-{1 + n % 28:02},{line.split(',', 1)[1]}\n")
        [by_date] = [v for line in run(dated).stdout.splitlines() for v in [json.loads(line)] if v["verdict"] == "anomaly"]
        assert (by_date["night"], by_date["to"], by_date["direction"]) == ("2026-02-14", {"night": "2026-02-13"}, "up"), by_date
        assert "2026-02-12" in by_date["reason"], by_date["reason"]
        dry = run(path, "--changes", "--direction", "down")
        assert dry.returncode == 0 and dry.stdout == ""
        faster = [json.loads(line) for line in run(path, "--trim", "slow").stdout.splitlines()]
        assert [(v["night"], v["portion"]) for v in faster if v["verdict"] == "anomaly"] == [("41", "C")]
        assert "judged by the fastest loops" in next(v["reason"] for v in faster if v["verdict"] == "anomaly")
        assert "--trim ends or slow" in run(path, "--trim", "fast", expect=(2,)).stderr
        assert "out of range" in run(path, "--confidence", "95", expect=(2,)).stderr
        assert "--chain" in run(path, "--chain", "T,I", expect=(2,)).stderr
        assert "cannot be opened" in run(os.path.join(folder, "none"), expect=(3,)).stderr


main()
