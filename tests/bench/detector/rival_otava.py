"""Apache Otava beside our detector: asked each night anew, as a nightly job would.

rival_otava.py default|strict DIR   prints "history night portion direction" for each alarm
rival_otava.py default-series FILE  the same of one series, a value a line: "night direction"
rival_otava.py pass N               prints the CPU seconds of one pass over N nights
rival_otava.py nightly N            the same of N nights, each with the hundred before it
"""

import csv
import os
import random
import sys
import time

from otava.analysis import compute_change_points

HISTORY = 100  # nights that each analysis sees: two of Otava's windows
SAME = 5  # nights within which two change points are one
SETTINGS = {
    "default": {"window_len": 50, "max_pvalue": 0.001, "min_magnitude": 0.0},
    "strict": {"window_len": 50, "max_pvalue": 0.000001, "min_magnitude": 0.02},
}


def portions(path):
    """Nightly means of I, C and W."""
    with open(path, newline="", encoding="ascii") as file:
        rows = list(csv.reader(file))[1:]
    result = [[], [], []]
    for row in rows:
        values = [float(x) for x in row[1:]]
        loops = len(values) // 4
        means = [sum(values[c * loops : (c + 1) * loops]) / loops for c in range(4)]
        for p in range(3):
            result[p].append(means[p + 1] - means[p])
    return result


def alarms(series, settings):
    """Nights on which a change point appears that was not there before, with its direction."""
    told = []
    for night in range(12, len(series)):
        start = max(0, night + 1 - HISTORY)
        points, _ = compute_change_points(series[start : night + 1], **settings)
        for point in points:
            at = start + point.index
            if all(abs(at - old) > SAME for old in told):
                told.append(at)
                before = series[max(0, at - 10) : at]
                after = series[at : night + 1]
                up = sum(after) / len(after) > sum(before) / len(before)
                yield night, 1 if up else -1


def main():
    if sys.argv[1] in ("pass", "nightly"):
        nights = int(sys.argv[2])
        rng = random.Random(1)
        series = [1000 + 20 * rng.gauss(0, 1) for _ in range(nights + HISTORY)]
        start = time.process_time()
        if sys.argv[1] == "pass":
            compute_change_points(series[:nights], **SETTINGS["default"])
        else:
            for night in range(nights):
                compute_change_points(series[night : night + HISTORY], **SETTINGS["default"])
        print(time.process_time() - start)
        return
    if sys.argv[1].endswith("-series"):
        with open(sys.argv[2], encoding="ascii") as file:
            series = [float(line) for line in file]
        for night, direction in alarms(series, SETTINGS[sys.argv[1].removesuffix("-series")]):
            print(night, direction)
        return
    settings = SETTINGS[sys.argv[1]]
    for name in sorted(os.listdir(sys.argv[2])):
        for p, series in enumerate(portions(os.path.join(sys.argv[2], name))):
            for night, direction in alarms(series, settings):
                print(int(name[1:4]), night, p + 1, direction)


main()
