"""Private repositories over ssh: the project's own key, and only the host that it expects."""
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import unittest

import moowatch

SSHD = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
PROJECT = """
name: {name}
repository: "ssh://{user}@127.0.0.1:{port}{path}"
since: 2024-01-01
ssh_key_file: {key}
ssh_host_fingerprints: [{fingerprints}]
benchmark:
  driver: native
  configurations:
    - {{name: none, portion: T}}
"""
OTHER = "SHA256:" + "A" * 43


def new_key(path, kind="ed25519", *more, passphrase=""):
    subprocess.run(["ssh-keygen", "-q", "-t", kind, *more, "-N", passphrase, "-f", str(path)], check=True)
    return path


def fingerprint(path):
    shown = subprocess.run(["ssh-keygen", "-l", "-f", f"{path}.pub"], check=True, capture_output=True, text=True)
    return shown.stdout.split()[1]


class Server:
    """sshd on a free port, as the user of the test and for that user only."""

    def __init__(self, folder, penalties="no"):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.host_key = new_key(self.folder / "host")
        self.authorized = self.folder / "authorized_keys"
        self.authorized.write_text("")
        self.held = moowatch.Port()
        self.port = self.held.number
        if os.geteuid() == 0:  # Debian's start script makes it
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        config = self.folder / "sshd_config"
        text = (
            f"ListenAddress 127.0.0.1\nPort {self.port}\nHostKey {self.host_key}\nPidFile none\nUsePAM no\n"
            f"StrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
            f"PermitRootLogin prohibit-password\nAuthorizedKeysFile {self.authorized}\n")
        # OpenSSH 9.8 and later close the door to an address whose keys were refused; older ones do not know the word
        config.write_text(f"{text}PerSourcePenalties {penalties}\n")
        self.penalises = not subprocess.run([SSHD, "-t", "-f", str(config)], stderr=subprocess.DEVNULL, check=False).returncode
        if not self.penalises:
            config.write_text(text)
        self.process = subprocess.Popen([SSHD, "-D", "-e", "-f", str(config)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=open(self.folder / "log", "wb"))

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as client:
                return client.recv(4) == b"SSH-"
        except OSError:
            return False

    def let_in(self, key):
        with open(self.authorized, "a", encoding="utf-8") as file:
            file.write(pathlib.Path(f"{key}.pub").read_text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=moowatch.DEADLINE_S)
        self.held.close()


class Ssh(unittest.TestCase):
    def wait_problem(self, service, name, *words):
        def there():
            problem = service.get(f"/api/v1/projects/{name}")["problem"]
            return problem and all(word in problem for word in words)
        service.wait(there, f"the problem of {name}")

    def test_key_and_host_are_the_projects(self):
        self.assertIsNotNone(SSHD, "sshd is missing: ci/setup test installs openssh-server")
        with moowatch.Service() as service, Server(service.folder / "sshd") as server:
            service.wait(server.answers, "sshd")
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2024-01-01", {"a": "1"})
            known = new_key(service.folder / "known key")
            ecdsa = new_key(service.folder / "ecdsa", "ecdsa")
            stranger = new_key(service.folder / "stranger")
            server.let_in(known)
            server.let_in(ecdsa)
            host = fingerprint(server.host_key)

            def project(name, key, *fingerprints):
                service.project(name, PROJECT.format(
                    name=name, user=getpass.getuser(), port=server.port, path=repository.path, key=f'"{key}"',
                    fingerprints=", ".join(f'"{one}"' for one in fingerprints)))

            project("good", known, OTHER, host)
            project("ecdsa", ecdsa, host)
            project("other-host", known, OTHER)
            project("unknown-host", known)
            project("stranger", stranger, host)
            project("no-key", service.folder / "gone", host)
            service.start()
            for name in "good", "ecdsa":
                service.wait(lambda: service.get(f"/api/v1/jobs?project={name}")["items"], f"the night of {name}")
                self.assertIsNone(service.get(f"/api/v1/projects/{name}")["problem"])
            self.wait_problem(service, "other-host", "127.0.0.1", host, "not the expected one")
            self.wait_problem(service, "unknown-host", host, "not in known_hosts")
            self.wait_problem(service, "stranger", "refused the key", str(stranger))
            self.wait_problem(service, "no-key", "cannot be read", "No such file")
            # what was wrong is put right; nothing need be started again
            server.let_in(stranger)
            known_hosts = service.folder / "data" / ".ssh" / "known_hosts"
            known_hosts.parent.mkdir(mode=0o700)
            public = pathlib.Path(f"{server.host_key}.pub").read_text().split()
            known_hosts.write_text(f"[127.0.0.1]:{server.port} {public[0]} {public[1]}\n")
            for name in "stranger", "unknown-host":
                service.wait(lambda: service.get(f"/api/v1/jobs?project={name}")["items"], f"the night of {name}")
            self.wait_problem(service, "other-host", "not the expected one")

    def test_a_refused_key_can_shut_out_the_others_of_its_host(self):
        with moowatch.Service() as service, Server(service.folder / "sshd", "authfail:600s") as server:
            if not server.penalises:
                self.skipTest("this sshd is older than 9.8, and shuts nobody out")
            service.wait(server.answers, "sshd")
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2024-01-01", {"a": "1"})

            def project(name):
                service.project(name, PROJECT.format(
                    name=name, user=getpass.getuser(), port=server.port, path=repository.path,
                    key=new_key(service.folder / f"{name}.key"), fingerprints=f'"{fingerprint(server.host_key)}"'))
            project("stranger")
            service.start()
            self.wait_problem(service, "stranger", "refused the key")
            project("good")
            server.let_in(service.folder / "good.key")
            service.daemon.send_signal(signal.SIGHUP)
            service.wait(lambda: service.status("/api/v1/projects/good")[0] == 200, "the second project")
            self.wait_problem(service, "good", "ended the connection before it said who it is", "keys of it were refused")

    def test_every_kind_of_key(self):
        good = {"ed25519": (), "ed25519-pkcs8": ("-m", "PKCS8"), "ecdsa": (), "ecdsa-384": ("-b", "384"), "ecdsa-521": ("-b", "521"),
                "ecdsa-pem": ("-m", "PEM"), "ecdsa-pkcs8": ("-m", "PKCS8")}
        rsa = {"rsa": (), "rsa-pem": ("-m", "PEM"), "rsa-pkcs8": ("-m", "PKCS8")}
        locked = {"ed25519-locked": (), "rsa-locked": (), "rsa-pem-locked": ("-m", "PEM"), "ecdsa-pkcs8-locked": ("-m", "PKCS8")}
        with moowatch.Service() as service, Server(service.folder / "sshd") as server:
            service.wait(server.answers, "sshd")
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2024-01-01", {"a": "1"})
            for name, options in {**good, **rsa, **locked}.items():
                server.let_in(new_key(service.folder / name, name.split("-")[0], *options,
                                      passphrase="a secret" if name in locked else ""))
            (service.folder / "nonsense").write_text("this is no key\n")
            for name in [*good, *rsa, *locked, "ed25519.pub", "nonsense"]:
                service.project(name, PROJECT.format(
                    name=name, user=getpass.getuser(), port=server.port, path=repository.path,
                    key=f'"{service.folder / name}"', fingerprints=f'"{fingerprint(server.host_key)}"'))
            service.start()
            for name in good:
                service.wait(lambda: service.get(f"/api/v1/jobs?project={name}")["items"], f"the night of {name}")
                self.assertIsNone(service.get(f"/api/v1/projects/{name}")["problem"])
            for name in locked:
                self.wait_problem(service, name, str(service.folder / name), "needs a passphrase")
            self.wait_problem(service, "ed25519.pub", "is the public key")
            self.wait_problem(service, "nonsense", "holds no private key", "ssh-keygen")

            def answered(name):
                project = service.get(f"/api/v1/projects/{name}")
                return project["problem"] or service.get(f"/api/v1/jobs?project={name}")["items"]
            for name in rsa:  # with a libssh2 that signs by SHA-2 they work
                answer = service.wait(lambda: answered(name), name)
                if isinstance(answer, str):
                    self.assertIn("is an RSA key, with which libssh2 before 1.11", answer)
                    self.assertIn("ssh-keygen -t ed25519", answer)
            if "signature algorithm ssh-rsa not in" in (server.folder / "log").read_text():
                self.assertIsNotNone(service.get("/api/v1/projects/rsa")["problem"])

    def test_the_runner_has_its_own(self):
        with moowatch.Service(runner={}) as service, Server(service.folder / "good") as good, \
                Server(service.folder / "strange") as strange, Server(service.folder / "closed") as closed:
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2024-01-01", {"a": "1"})
            polling, measuring = new_key(service.folder / "polling"), new_key(service.folder / "the runner's")
            known_hosts = service.folder / "known hosts"
            for server in good, strange, closed:
                service.wait(server.answers, "sshd")
                server.let_in(polling)
                if server is not closed:
                    server.let_in(measuring)
                if server is not strange:
                    public = pathlib.Path(f"{server.host_key}.pub").read_text().split()
                    with open(known_hosts, "a", encoding="utf-8") as file:
                        file.write(f"[127.0.0.1]:{server.port} {public[0]} {public[1]}\n")
                service.project(server.folder.name, PROJECT.format(
                    name=server.folder.name, user=getpass.getuser(), port=server.port, path=repository.path,
                    key=polling, fingerprints=f'"{fingerprint(server.host_key)}"') +
                    "  loops: 2\n  total_calls: 2000\n  rest_seconds: 0\n")
            service.runner_settings = {"ssh_key_file": str(measuring), "ssh_known_hosts_file": str(known_hosts),
                                       "gate_wait_seconds": 0}
            service.start()
            service.wait_for_nights("good", 1)

            def error_of(name):
                return service.wait(lambda: service.get(f"/api/v1/jobs?project={name}")["items"][0]["error"],
                                    f"the error of {name}")
            self.assertIn("Host key verification failed", error_of("strange"))
            self.assertIn("Permission denied (publickey)", error_of("closed"))


if __name__ == "__main__":
    unittest.main()
