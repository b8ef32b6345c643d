"""Jobs for one agent, and archives for them to unpack."""
import gzip
import io
import signal
import tarfile

import runner_case
from runner_peer import make_configuration, make_job, wait_until


MIB = 1 << 20


def tar(entries, compress=gzip.compress):
    """entries: TarInfo or (name, text)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for entry in entries:
            if isinstance(entry, tarfile.TarInfo):
                archive.addfile(entry)
            else:
                info = tarfile.TarInfo(entry[0])
                info.size, info.mode = len(entry[1]), 0o755
                archive.addfile(info, io.BytesIO(entry[1].encode()))
    return compress(out.getvalue())


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


class Base(runner_case.RunnerCase):
    def serve(self, *jobs, end=True, **more):
        """One agent for all the jobs."""
        self.peer.jobs.extend(jobs)
        runner = self.start(once=False, **more)
        numbers = {job["id"] for job in jobs}
        wait_until(lambda: numbers <= set(self.peer.results) | set(self.peer.failures), "the jobs' ends")
        if end:
            runner.process.send_signal(signal.SIGTERM)
            self.assertEqual(runner.wait(), 0, runner.text())
        return runner

    def job(self, number, commit=None, *configurations, **more):
        return make_job(number, self.repository, commit or self.commit,
                        list(configurations) or [make_configuration("none")], **{"loops": 2, **more})

    def preparation(self, number):
        return self.peer.results[number]["environment"]["detail"]["preparation"]

    def fails(self, job, pattern, phase, **more):
        self.peer.jobs.append(job)
        return self.expect_failure(pattern, phase, **more)
