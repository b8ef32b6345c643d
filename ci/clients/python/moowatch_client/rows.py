"""Tidy rows: a list of flat dictionaries, one observation each, which pandas, csv and sqlite3 take as they are."""
import datetime


def _time(night):
    """The beginning of the night's date, aware, in UTC."""
    return datetime.datetime.fromisoformat(night["night"]).replace(tzinfo=datetime.timezone.utc)


def _head(night):
    return {"project": night["project"], "experiment": night["experiment"], "night": night["night"],
            "time": _time(night), "state": night["state"], "commit": night["commit"]["sha"],
            "release": night["release"]}


def _rows(night, items, keys):
    head = _head(night)
    return [{**head, **{key: item.get(key) for key in keys}} for item in items]


PORTION = ("portion", "configuration", "parent", "mean_ns", "low_ns", "high_ns", "median_ns", "median_low_ns",
           "median_high_ns", "verdict", "direction", "reason", "unit")  # unit: of the numbers; None: they are ns


def portion_rows(nights):
    """A row for each portion (T, I, C, W, …) of each night; a failed night has none."""
    return [row for night in nights for row in _rows(night, night.get("portions", ()), PORTION)]


def dimension_rows(nights, name):
    """A row for each portion of what `Client.dimension` gives of this name, whose unit mean, low, high and total have."""
    return [{"experiment": night["experiment"], "night": night["night"], "time": _time(night), "commit": night["commit"]["sha"],
             "dimension": name, **portion} for night in nights for portion in night["portions"]]


CONFIGURATION = ("name", "label", "loops", "mean_ns", "low_ns", "high_ns", "median_ns", "median_low_ns",
                 "median_high_ns")


def configuration_rows(nights):
    """A row for each configuration of each night: response times, from which portions are differences."""
    return [row for night in nights for row in _rows(night, night.get("configurations", ()), CONFIGURATION)]


def loop_rows(experiment):
    """A row for each loop (one fresh process) of an experiment, with the statistics of its calls."""
    head = _head(experiment)
    return [{**head, "configuration": configuration["name"], "loop": loop["loop"], "position": loop["position"],
             "seconds": loop["seconds"], "failed": loop["failed"], "disturbed": loop["disturbed"],
             **(loop["summary"] or {})}
            for configuration in experiment["configurations"] for loop in configuration["loop_results"]]


def alert_rows(alerts):
    """A row for each portion whose time an alert's change has moved; other dimensions have other units."""
    return [{"alert": alert["id"], "project": alert["project"], "state": alert["state"],
             "from_night": alert["from"]["night"], "to_night": alert["to"]["night"],
             "from_commit": alert["from"]["commit"]["sha"], "to_commit": alert["to"]["commit"]["sha"],
             "portion": moved["portion"], "configuration": moved["configuration"], "direction": moved["direction"],
             "before_ns": moved["before"]["mean_ns"], "after_ns": moved["after"]["mean_ns"],
             "difference_ns": moved["difference"]["mean_ns"], "low_ns": moved["difference"]["low_ns"],
             "high_ns": moved["difference"]["high_ns"], "percent": moved["difference"]["percent"]}
            for alert in alerts for moved in alert["portions"] if moved.get("dimension", "time") == "time"]


def data_frame(rows):
    """The rows as a pandas.DataFrame, in their order."""
    try:
        import pandas
    except ImportError:
        raise ImportError("data frames need pandas: pip install 'moowatch-client[frames]'") from None
    return pandas.DataFrame(list(rows))
