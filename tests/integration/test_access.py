"""Who may talk to the daemon and how: TLS, limits for one client, a proxy in front."""
import concurrent.futures
import http.client
import json
import shutil
import signal
import socket
import ssl
import subprocess
import time
import unittest

import moowatch


def certificate(folder, name):
    """A self-signed one for 127.0.0.1; returns its serial number in hex."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / f"{name}.key",
                    "-out", folder / f"{name}.crt"], check=True, capture_output=True)


class Tls(unittest.TestCase):
    def ask(self, service, path, context):
        host, port = service.url.removeprefix("https://").split(":")
        connection = http.client.HTTPSConnection(host, int(port), context=context, timeout=moowatch.REQUEST_S)
        connection.request("GET", path)
        answer = connection.getresponse()
        name = dict(pair[0] for pair in connection.sock.getpeercert()["subject"])["commonName"] if connection.sock else None
        body = answer.read()
        connection.close()
        return answer.status, name, body

    def test_tls_serves_and_takes_a_new_certificate(self):
        settings = {"tls_certificate_file": "one.crt", "tls_key_file": "one.key", "poll_seconds": 3600}
        with moowatch.Service(settings=settings) as service:
            certificate(service.folder, "one")
            certificate(service.folder, "two")
            service.start()
            self.assertTrue(service.url.startswith("https://"))
            trust = ssl.create_default_context(cafile=service.folder / "one.crt")
            status, name, body = self.ask(service, "/api/v1/status", trust)
            self.assertEqual((status, name), (200, "one"))
            self.assertEqual(json.loads(body)["problems"], [])
            for path in ["/", "/charts/nope.svg", "/metrics"]:
                self.assertIn(self.ask(service, path, trust)[0], (200, 404))
            with self.assertRaises(ssl.SSLError):
                self.ask(service, "/", ssl.create_default_context(cafile=service.folder / "two.crt"))
            old = ssl.create_default_context(cafile=service.folder / "one.crt")
            old.maximum_version = ssl.TLSVersion.TLSv1_1
            with self.assertRaises((ssl.SSLError, OSError)):
                self.ask(service, "/", old)

            # a wrong pair is refused, the old one stays; then a good one is taken
            shutil.copy(service.folder / "two.crt", service.folder / "one.crt")
            service.daemon.send_signal(signal.SIGHUP)
            service.wait(lambda: "is not the private key of" in service.log(), "the refusal")
            self.assertEqual(self.ask(service, "/healthz", trust)[1], "one")
            shutil.copy(service.folder / "two.key", service.folder / "one.key")
            service.daemon.send_signal(signal.SIGHUP)
            new = ssl.create_default_context(cafile=service.folder / "two.crt")

            def taken():
                try:
                    return self.ask(service, "/healthz", new)[1] == "two"
                except ssl.SSLError:
                    return False
            service.wait(taken, "the new certificate")

            # plain HTTP to this port does no harm
            host, port = service.url.removeprefix("https://").split(":")
            with self.assertRaises((http.client.HTTPException, OSError)):
                connection = http.client.HTTPConnection(host, int(port), timeout=moowatch.REQUEST_S)
                connection.request("GET", "/")
                connection.getresponse()
            self.assertEqual(self.ask(service, "/healthz", new)[0], 200)
            service.daemon.send_signal(signal.SIGTERM)
            self.assertEqual(service.daemon.wait(timeout=moowatch.DEADLINE_S), 0, service.log()[-2000:])

    def test_a_body_without_end_is_refused_at_once(self):
        settings = {"tls_certificate_file": "one.crt", "tls_key_file": "one.key", "poll_seconds": 3600}
        with moowatch.Service(settings=settings) as service:
            certificate(service.folder, "one")
            service.start()
            trust = ssl.create_default_context(cafile=service.folder / "one.crt")
            host, port = service.url.removeprefix("https://").split(":")
            with socket.create_connection((host, int(port)), timeout=moowatch.REQUEST_S) as plain, \
                    trust.wrap_socket(plain, server_hostname=host) as connection:
                connection.sendall(b"POST /api/v1/projects/p/jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                                   b"4\r\nxxxx\r\n")
                answer = http.client.HTTPResponse(connection)
                answer.begin()
                self.assertEqual((answer.status, json.loads(answer.read())["status"]), (401, 401))
                self.assertEqual(connection.recv(1), b"")  # ended as TLS ends: by a word, not a cut
            self.assertEqual(self.ask(service, "/healthz", trust)[0], 200)

    def test_bad_files_are_named(self):
        for damage, words in [(lambda f: (f / "one.key").write_text("nonsense"), "one.key"),
                              (lambda f: (f / "one.crt").unlink(), "one.crt")]:
            with moowatch.Service(settings={"tls_certificate_file": "one.crt", "tls_key_file": "one.key"}) as service:
                certificate(service.folder, "one")
                damage(service.folder)
                config = service.folder / "moowatchd.yaml"
                config.write_text("".join(f"{k}: {json.dumps(v)}\n" for k, v in service.settings.items()))
                done = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "--config", config], capture_output=True,
                                      text=True, timeout=moowatch.DEADLINE_S)
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)


class Limits(unittest.TestCase):
    def test_one_client_is_slowed_down_and_the_other_not(self):
        with moowatch.Service(settings={"behind_proxy": True, "client_requests_per_second": 1, "poll_seconds": 3600}) as service:
            service.start()
            ask = lambda who, first="6.6.6.6": service.status("/healthz", headers={"X-Forwarded-For": f"{first}, {who}"})
            self.assertEqual(ask("10.0.0.1")[0], 200)
            # however slow this machine is, forty at once are too many in the end
            with concurrent.futures.ThreadPoolExecutor(40) as pool:
                def slowed(first):
                    return [a for a in pool.map(lambda n: ask("10.0.0.1", first(n)), range(40)) if a[0] == 429]
                [refused, *_] = service.wait(lambda: slowed(lambda n: "6.6.6.6"), "a refusal")
                self.assertEqual(refused[1]["Retry-After"], "1")
                self.assertEqual(ask("10.0.0.2")[0], 200)
                # the part that the client itself can write does not count: none of these comes twice
                service.wait(lambda: slowed(lambda n: f"10.1.{n}.{time.monotonic_ns() % 256}"), "a refusal")

    def test_guessing_tokens_is_slowed_down(self):
        with moowatch.Service(settings={"behind_proxy": True, "poll_seconds": 3600}) as service:
            service.start()
            guess = lambda n, who: service.status("/api/v1/runner/lease", "POST", b"{}", {
                "Authorization": f"Bearer mwt_{n}", "Content-Type": "application/json", "X-Forwarded-For": who})[0]
            self.assertEqual(guess(0, "10.0.0.1"), 401)
            with concurrent.futures.ThreadPoolExecutor(20) as pool:
                service.wait(lambda: 429 in pool.map(lambda n: guess(n, "10.0.0.1"), range(60)), "a refusal")
            self.assertEqual(guess(0, "10.0.0.2"), 401)
            self.assertEqual(service.status("/api/v1/status", headers={"X-Forwarded-For": "10.0.0.1"})[0], 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
