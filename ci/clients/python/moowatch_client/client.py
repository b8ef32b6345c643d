"""The calls of the API, one method each."""
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

BUSY = (429, 503)  # the server says when to come again
PAGE = 500  # items of a page; more are an expensive request


class ApiError(Exception):
    """The server refused: status is the HTTP status (0: no answer), detail says what to do."""

    def __init__(self, status, detail):
        super().__init__(f"{status}: {detail}" if status else detail)
        self.status = status
        self.detail = detail


def _detail(error):
    try:
        problem = json.loads(error.read())
        return problem.get("detail") or problem.get("title") or error.reason
    except (ValueError, AttributeError):
        return str(error.reason)


def _wait_s(error):
    try:
        return max(0.0, min(60.0, float(error.headers.get("Retry-After", "1"))))
    except ValueError:
        return 1.0


class Client:
    """A server at `url`; `token` (else $MOOWATCH_TOKEN) for what not everybody may do.

    timeout_s  of one request; tries  how often a server that is busy is asked before ApiError
    """

    def __init__(self, url, token=None, timeout_s=60, tries=5):
        self.url = url.rstrip("/")
        if urllib.parse.urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"{url!r} is not a server address: one begins with http:// or https://")
        self.token = token if token is not None else os.environ.get("MOOWATCH_TOKEN")
        self.timeout_s = timeout_s
        self.tries = max(1, tries)

    def _open(self, method, path, query, body):
        address = self.url + path
        asked = {key: value for key, value in (query or {}).items() if value is not None}
        if asked:
            address += "?" + urllib.parse.urlencode(asked)
        headers = {"Accept": "application/json, */*;q=0.5", "User-Agent": "moowatch-client/0.1.0"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        request = urllib.request.Request(address, data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=self.timeout_s) as answer:
            return answer.read()

    def request(self, method, path, query=None, body=None):
        """The bytes of an answer. Raises ApiError. A refused call had no effect, so it is safe to repeat."""
        for left in reversed(range(self.tries)):
            try:
                return self._open(method, path, query, body)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in BUSY or not left:
                        raise ApiError(error.code, _detail(error)) from None
                    pause_s = _wait_s(error)
            except (urllib.error.URLError, OSError) as error:
                raise ApiError(0, f"{self.url} does not answer: {getattr(error, 'reason', error)}") from None
            time.sleep(pause_s)
        raise AssertionError("not reached")

    def get(self, path, **query):
        """A path below /api/v1, as a dictionary."""
        return json.loads(self.request("GET", "/api/v1" + path, query))

    def post(self, path, body):
        answer = self.request("POST", "/api/v1" + path, body=body)
        return json.loads(answer) if answer else {}

    def items(self, path, most=None, **query):
        """All items of a list, page by page, newest first; at most `most`."""
        cursor = None
        while most is None or most > 0:
            limit = PAGE if most is None else min(PAGE, most)
            page = self.get(path, limit=limit, cursor=cursor, **query)
            yield from page["items"]
            most = most if most is None else most - len(page["items"])
            cursor = page["next"]
            if cursor is None:
                return

    # What is read

    def status(self):
        return self.get("/status")

    def projects(self):
        return self.get("/projects")["items"]

    def project(self, name):
        return self.get(f"/projects/{_part(name)}")

    def nights(self, project, since=None, until=None, most=None):
        """Newest first; since, until: dates (YYYY-MM-DD), both included."""
        return self.items(f"/projects/{_part(project)}/nights", most, since=_date(since), until=_date(until))

    def dimension(self, project, name, most=None):
        """What the nights say beside time ("cpu_ms", "start_ms", "lost_percent", …), newest first."""
        return self.items(f"/projects/{_part(project)}/dimensions", most, dimension=name)

    def experiment(self, number):
        """Everything about one night; night["experiment"] is its number."""
        return self.get(f"/experiments/{int(number)}")

    def raw_calls(self, experiment, configuration, loop):
        """The raw file of one loop, unpacked: bytes, one line a call."""
        path = f"/api/v1/experiments/{int(experiment)}/raw/{_part(configuration)}/{int(loop)}"
        return self.request("GET", path, {"format": "csv"})

    def alerts(self, project=None, state=None, most=None):
        where = f"/projects/{_part(project)}/alerts" if project else "/alerts"
        return self.items(where, most, state=state)

    def alert(self, number):
        return self.get(f"/alerts/{int(number)}")

    def incidents(self, project=None, state=None, most=None):
        where = f"/projects/{_part(project)}/incidents" if project else "/incidents"
        return self.items(where, most, state=state)

    def jobs(self, project=None, state=None, most=None):
        return self.items("/jobs", most, project=project, state=state)

    def job(self, number):
        return self.get(f"/jobs/{int(number)}")

    def sweeps(self, project, most=None):
        return self.items(f"/projects/{_part(project)}/sweeps", most)

    def sweep(self, number):
        return self.get(f"/sweeps/{int(number)}")

    def commits(self, project, after, until, limit=100):
        return self.get(f"/projects/{_part(project)}/commits", after=after, until=until, limit=limit)["items"]

    def chart(self, project, kind="svg", **options):
        """The bytes of a chart: kind svg, png or pdf; options as in /charts (nights, view, width, …)."""
        return self.request("GET", f"/charts/{_part(project)}.{kind}", options)

    # What is written, with a token

    def measure(self, project, commit, night=None):
        """Queues a commit (scope run): {"job", "queued"}."""
        body = {"commit": commit} if night is None else {"commit": commit, "night": _date(night)}
        return self.post(f"/projects/{_part(project)}/jobs", body)

    def set_alert(self, number, state, reason):
        """acknowledged, accepted, false, fixed or open (scope run); the alert as it is then."""
        return self.post(f"/alerts/{int(number)}/state", {"state": state, "reason": reason})

    def set_incident(self, number, state, reason):
        """closed or open (scope run)."""
        return self.post(f"/incidents/{int(number)}/state", {"state": state, "reason": reason})

    def poll(self, project):
        """The server looks for new commits now (scope submit)."""
        return self.post(f"/projects/{_part(project)}/poll", {})


def _part(text):
    return urllib.parse.quote(str(text), safe="")


def _date(value):
    """A date, a datetime or text."""
    return value.isoformat()[:10] if hasattr(value, "isoformat") else value
