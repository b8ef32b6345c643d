"""A site of files of a real service with upstream's nights: as `moowatch site` writes it over HTTP, as the daemon does by
itself, and as `moowatchd site` does of the database, all three the same. Then site_files.mjs walks the pages of the first,
behind a plain file server in a folder below its root, and holds its answers against the service's."""
import functools
import http.server
import os
import pathlib
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "integration"))
import histories  # noqa: E402
import moowatch  # noqa: E402

SUITES = ("Kieker-java", "OpenTelemetry-java")
NIGHTS = 250


BASE = "https://example.org/overhead"
OF_A_RUN = {"api/v1/written.json", "api/v1/status.json", "moowatch-site.json"}  # when it was written, since when it runs


def files_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def expect_the_same(one, other):
    a, b = files_of(one), files_of(other)
    assert len(a) > 500 and set(a) == set(b), set(a) ^ set(b)
    differing = {name for name in a if a[name] != b[name]} - OF_A_RUN
    assert not differing, differing


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main():
    with moowatch.Service(settings={"poll_seconds": 86400}) as service:
        database = service.folder / "data" / "moowatch.db"
        database.parent.mkdir(mode=0o700)
        subprocess.run([moowatch.BUILD / "tests" / "bench" / "history" / "bench_history", "--fill", "70", database], check=True)
        service.start()
        histories.token(service)
        for name in SUITES:
            entries = histories.suite_entries(histories.SUITES / f"{name}.csv")[-NIGHTS:]
            file = histories.write(service.folder / "data.js", name, entries)
            subprocess.run(histories.command(service, name, file), check=True, capture_output=True)
        root = service.folder / "www"
        site, own, other = root / "below" / "overhead", service.folder / "own", service.folder / "other"
        subprocess.run([moowatch.BUILD / "ci" / "moowatch", "site", site, "--server", service.url, "--url", BASE + "/"], check=True)
        service.stop()
        subprocess.run([moowatch.BUILD / "ci" / "moowatch", "site", other, "--config", service.folder / "moowatchd.yaml", "--url", BASE], check=True)
        service.settings["site"] = {"folder": str(own), "base": BASE}
        service.start()
        service.wait(lambda: (own / "moowatch-site.json").exists(), "the daemon's own site")
        expect_the_same(site, other)
        expect_the_same(site, own)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=root))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            sys.exit(subprocess.run(["node", "--test", "site_files.mjs"], cwd=HERE, check=False, timeout=600, env={
                **os.environ, "BASE_URL": service.url, "BASE_PROJECT": SUITES[0].lower(),
                "SITE_URL": f"http://127.0.0.1:{server.server_port}/below/overhead/"}).returncode)
        finally:
            server.shutdown()


if __name__ == "__main__":
    main()
