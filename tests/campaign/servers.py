"""Two servers on one PostgreSQL, behind a relay that takes each connection to one of them; faults happen to all of it."""
import shutil
import signal
import subprocess
import tempfile

from world import Programs, World, moowatch

TOOL = moowatch.SOURCE / "tests" / "postgres"


class Servers(World):
    """The second server sees the first one's files, as through a network file system."""

    def __init__(self, seed, libraries, nights):
        super().__init__(seed, libraries, nights)
        self.database = tempfile.mkdtemp(prefix="moowatch-pg-", dir="/tmp")
        shutil.rmtree(self.database)
        folder, self.second_port, self.moved, self.turn = self.service.folder, moowatch.Port(), False, 0
        self.service.settings.update({
            "database": f"postgresql:host={self.database} user=moowatch dbname=postgres",
            "shared_dir": str(folder / "data"), "projects_dir": str(folder / "projects.d")})
        self.second = Programs({**self.service.settings, "port": self.second_port.number}, None)
        self.second.environment = self.service.environment
        self.relay.ports.append(self.second_port.number)

    def __enter__(self):
        subprocess.run([TOOL, "start", self.database], check=True)
        super().__enter__()
        self.second.start()
        return self

    def __exit__(self, *_):
        super().__exit__()
        self.second.__exit__()
        self.second_port.close()
        subprocess.run([TOOL, "stop", self.database], check=True)

    def server(self):
        self.turn += 1
        return (self.service, self.second)[self.turn % 2 if self.second.url else 0]

    def strike(self):
        """kill -9 of one of the four, and it is started again."""
        victim = self.random.choice((self.service, self.second, "runner", "postgres"))
        if victim == "postgres":
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
        """What is in the database is judged as a file, where migrate brings it row by row."""
        super().restore()
        self.living("moowatchd", self.second.daemon)
        self.second.kill(self.second.daemon, signal.SIGTERM)
        subprocess.run([moowatch.BUILD / "server" / "moowatchd", "migrate", "--config",
                        self.service.folder / "moowatchd.yaml", "--to", self.service.folder / "data" / "moowatch.db"],
                       check=True, capture_output=True)
        self.moved = True
