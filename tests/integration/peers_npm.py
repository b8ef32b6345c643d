"""The npm packages that the tests check our messages with: GitHub's API description, its webhook library, a validator."""
import hashlib
import shutil

import fetched
import moowatch

PEERS = moowatch.SOURCE / "tests" / "integration" / "peers"


def folder():
    """Where they are, our scripts beside them; skips the test when npm has no registry."""
    files = sorted(file for file in PEERS.iterdir() if file.suffix in (".json", ".mjs"))
    state = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

    def fetch(place):
        place.mkdir()
        for file in files:
            shutil.copy(file, place)
        fetched.run("npm's packages", "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", cwd=place)
    return fetched.fetched(f"npm-{state[:12]}", fetch)
