"""A site of files, as `moowatch site` writes it of a real service with upstream's nights, behind a plain file server in
a folder below its root. Then site_files.mjs walks its pages and holds its answers against the service's."""
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
        subprocess.run([moowatch.BUILD / "ci" / "moowatch", "site", root / "below" / "overhead", "--server", service.url,
                        "--url", "https://example.org/overhead/"], check=True)
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
