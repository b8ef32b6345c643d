"""Two servers on one PostgreSQL and one bucket, behind a relay that takes each connection to one of them; faults happen to all of it."""
import shutil
import signal
import subprocess
import tempfile
import unittest

from world import Programs, World, moowatch

import peers_npm  # world has put the folder into the path
from test_bucket import BUCKET, KEY, Bucket

TOOL = moowatch.SOURCE / "tests" / "postgres"


class Servers(World):
    """The second server sees the first one's files, as through a network file system. Raw files are in a bucket, if npm's registry is there."""

    def __init__(self, seed, libraries, nights):
        super().__init__(seed, libraries, nights)
        self.database = tempfile.mkdtemp(prefix="moowatch-pg-", dir="/tmp")
        shutil.rmtree(self.database)
        folder, self.second_port, self.moved, self.turn = self.service.folder, moowatch.Port(), False, 0
        self.service.settings.update({
            "database": f"postgresql:host={self.database} user=moowatch dbname=postgres",
            "shared_dir": str(folder / "data"), "projects_dir": str(folder / "projects.d")})
        self.bucket = self.make_bucket(folder)
        self.second = Programs({**self.service.settings, "port": self.second_port.number}, None)
        self.second.environment = self.service.environment
        self.relay.ports.append(self.second_port.number)
        self.victims = [self.service, self.second, "runner", "postgres"] + (["bucket"] if self.bucket else [])

    def make_bucket(self, folder):
        try:
            peers_npm.folder()
        except unittest.SkipTest as missing:
            print(f"without a bucket: {missing}", flush=True)
            return None
        bucket, key = Bucket(folder / "s3"), folder / "bucket.key"
        key.write_text(f"{KEY}\n{KEY}\n")
        key.chmod(0o600)
        self.service.settings["bucket"] = {"url": bucket.url, "credentials_file": str(key)}
        return bucket

    def __enter__(self):
        if self.bucket:
            self.bucket.start()
        subprocess.run([TOOL, "start", self.database], check=True)
        super().__enter__()
        self.second.start()
        return self

    def __exit__(self, *_):
        super().__exit__()
        self.second.__exit__()
        self.second_port.close()
        if self.bucket:
            self.bucket.end()
        subprocess.run([TOOL, "stop", self.database], check=True)

    def server(self):
        self.turn += 1
        return (self.service, self.second)[self.turn % 2 if self.second.url else 0]

    def strike(self):
        """kill -9 of one of them, and it is started again."""
        victim = self.random.choice(self.victims)
        if victim == "bucket":
            self.bucket.kill()
            self.bucket.start()
        elif victim == "postgres":
            subprocess.run([TOOL, "crash", self.database], check=True)
            subprocess.run([TOOL, "resume", self.database], check=True)
        elif victim == "runner":
            super().restart("runner")
        else:
            self.kill_server(victim)

    def kill_server(self, service):
        self.living("moowatchd", service.daemon)
        service.kill_hard(service.daemon)
        service.start(with_runner=False)

    def restart(self, *names):
        for service in (self.service, self.second) if "moowatchd" in names else ():
            self.kill_server(service)
        if "runner" in names:
            super().restart("runner")

    def rows(self, sql):
        if self.moved:
            return super().rows(sql)
        text = subprocess.run(["psql", "-qAt", "-F", "\t", "-h", self.database, "-U", "moowatch", "-d", "postgres", "-c", sql],
                              check=True, capture_output=True, text=True).stdout
        return [tuple(int(cell) if cell.isdigit() else cell for cell in line.split("\t")) for line in text.splitlines()]

    def all_done(self):
        return self.rows("SELECT (SELECT count(*) FROM job WHERE state IN ('queued','leased'))"
                         " + (SELECT count(*) FROM delivery WHERE state='waiting')") == [(0,)]

    def restore(self):
        """What is in database and bucket is judged as files; migrate brings the rows."""
        super().restore()
        self.living("moowatchd", self.second.daemon)
        self.second.kill(self.second.daemon, signal.SIGTERM)
        subprocess.run([moowatch.BUILD / "server" / "moowatchd", "migrate", "--config",
                        self.service.folder / "moowatchd.yaml", "--to", self.service.folder / "data" / "moowatch.db"],
                       check=True, capture_output=True)
        self.moved = True
        if self.bucket:
            self.take_out()

    def take_out(self):
        for stored in (self.bucket.folder / BUCKET / "raw").glob("*/*._S3rver_object"):
            raw = self.service.folder / "data" / "raw" / stored.parent.name
            raw.mkdir(parents=True, exist_ok=True)
            shutil.copy(stored, raw / stored.name.removesuffix("._S3rver_object"))
