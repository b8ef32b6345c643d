"""A road between the runner and the server that can be closed, and that remembers what the server has acknowledged."""
import json
import re
import socket
import threading

REQUEST = re.compile(rb"^(GET|POST|PUT) (\S+) HTTP/1\.1\r\n")
ANSWER = re.compile(rb"^HTTP/1\.1 (\d+)")
OPEN, CUT, HOLE = "open", "cut", "hole"  # a hole swallows nothing and passes nothing on


class Relay:
    """From a port of its own to 127.0.0.1:port, in turn to each of several, past one that is down. `acknowledged`: (method, path, JSON) of what was answered 200 or 201."""

    def __init__(self, port):
        self.ports, self.state = [port], OPEN
        self.changed, self.pairs, self.acknowledged = threading.Condition(), set(), []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.ended = False
        threading.Thread(target=self.take, daemon=True).start()

    def close(self):
        self.ended = True
        self.turn(CUT)
        self.listener.close()

    def turn(self, state):
        with self.changed:
            self.state = state
            pairs = list(self.pairs) if state == CUT else []
            self.changed.notify_all()
        for pair in pairs:
            self.part(pair)

    def part(self, pair):
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def take(self):
        while not self.ended:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.state == CUT:
                near.close()
                continue
            threading.Thread(target=self.join, args=(near,), daemon=True).start()

    def reach(self):
        """A connection to whoever is there; None: nobody."""
        self.ports.append(self.ports.pop(0))
        for port in list(self.ports):
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=10)
            except OSError:
                continue
        return None

    def join(self, near):
        far = self.reach()
        if not far:
            near.close()
            return
        far.settimeout(None)
        pair, asked = (near, far), []
        with self.changed:
            self.pairs.add(pair)
        there = threading.Thread(target=self.pump, args=(near, far, pair, lambda data: self.see(data, asked)), daemon=True)
        there.start()
        self.pump(far, near, pair, lambda data: self.hear(data, asked))
        there.join()
        with self.changed:
            self.pairs.discard(pair)
        near.close()
        far.close()

    def pump(self, source, target, pair, tap):
        try:
            while data := source.recv(65536):
                with self.changed:
                    self.changed.wait_for(lambda: self.state != HOLE)
                tap(data)
                target.sendall(data)
        except OSError:
            pass
        self.part(pair)

    def see(self, data, asked):
        if head := REQUEST.match(data):
            asked.append((head[1].decode(), head[2].decode()))

    def hear(self, data, asked):
        """The server has said it, so it must be so from here on, whether it arrives or not."""
        head = ANSWER.match(data)
        if not head or head[1] == b"100" or not asked:
            return
        method, path = asked.pop(0)
        if head[1] in (b"200", b"201"):
            body = data.partition(b"\r\n\r\n")[2]
            try:
                answer = json.loads(body) if body else {}
            except ValueError:
                answer = {}
            with self.changed:
                self.acknowledged.append((method, path, answer))
