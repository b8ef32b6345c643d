"""What the campaign does to programs: kills, disks that are full or die or take less than they are given, clocks that jump."""
import contextlib
import mmap
import os
import pathlib
import signal
import struct

NO_SPACE, IO_ERROR, SHORT = 1, 2, 3  # disk_fault.c
LAYOUT = struct.Struct("=IIII240s")


class Disk:
    """Faults of the files below a folder, for the programs that are started with `environment`."""

    def __init__(self, library, control, folder, seed):
        control.write_bytes(LAYOUT.pack(0, 0, seed or 1, 0, str(folder).encode()))
        self.file = open(control, "r+b")
        self.shared = mmap.mmap(self.file.fileno(), LAYOUT.size)
        self.environment = {"LD_PRELOAD": str(library), "DISK_FAULT": str(control)}

    def close(self):
        self.shared.close()
        self.file.close()

    def turn(self, kind, per_mille):
        self.shared[4:8] = struct.pack("=I", per_mille)
        self.shared[0:4] = struct.pack("=I", kind)

    def injected(self):
        return struct.unpack_from("=I", self.shared, 12)[0]


class Clock:
    """The wall clock of the programs that are started with `environment`."""

    def __init__(self, library, control):
        self.control, self.seconds = control, 0
        self.step(0)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_STEP": str(control)}

    def step(self, seconds):
        self.seconds += seconds
        beside = self.control.with_suffix(".new")
        beside.write_text(str(self.seconds))
        beside.rename(self.control)


def environment_of(*faults):
    """Several libraries, one variable."""
    merged = {}
    for fault in faults:
        for name, value in fault.environment.items():
            merged[name] = f"{merged[name]}:{value}" if name == "LD_PRELOAD" and name in merged else value
    return merged


def descendants(pid):
    """Those of a process of ours, the nearest first."""
    found = [pid]
    for at in found:
        with contextlib.suppress(OSError):
            for task in pathlib.Path(f"/proc/{at}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
    return found[1:]


def kill_child(pid, draw):
    """One of the processes below this one, by chance; whether there was one."""
    below = descendants(pid)
    if not below:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(draw.choice(below), signal.SIGKILL)
        return True
    return False
