"""Who is told: an HTTP receiver and a mail server that answer, hang, or take everything and never say so."""
import email
import http.server
import json
import socket
import threading

GOOD, HANG, LOSE = "good", "hang", "lose"  # lose: it has come, and the connection ends without an answer


class Receivers:
    """`told`: (channel, delivery id, alerts it is about, acknowledged) in order of arrival."""

    def __init__(self):
        self.mode, self.told, self.lock = GOOD, [], threading.Lock()
        self.bad = 0  # how often somebody was not answered
        self.let_go = threading.Event()
        receivers = self

        class Hook(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                mode = receivers.met()
                if mode == HANG:
                    receivers.let_go.wait(60)
                    self.close_connection = True
                    return
                receivers.keep("webhook", self.headers["X-Moowatch-Delivery"], body, mode == GOOD)
                if mode == LOSE:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}/hook"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.mail = socket.create_server(("127.0.0.1", 0))
        self.mail_url = f"smtp://127.0.0.1:{self.mail.getsockname()[1]}"
        threading.Thread(target=self.take_mail, daemon=True).start()

    def close(self):
        self.let_go.set()
        self.http.shutdown()
        self.http.server_close()
        self.mail.close()

    def turn(self, mode):
        self.mode = mode
        if mode != HANG:
            self.let_go.set()
        else:
            self.let_go.clear()

    def met(self):
        """The mode, for one more of those who are not answered."""
        with self.lock:
            self.bad += self.mode != GOOD
            return self.mode

    def keep(self, channel, delivery, content, acknowledged):
        with self.lock:
            self.told.append((channel, delivery, content, acknowledged))

    def take_mail(self):
        while True:
            try:
                stream, _ = self.mail.accept()
            except OSError:
                return
            threading.Thread(target=self.serve_mail, args=(stream,), daemon=True).start()

    def serve_mail(self, stream):
        """RFC 5321 as far as a client that says EHLO, MAIL, RCPT, DATA, QUIT asks for it."""
        try:
            with stream, stream.makefile("rb") as lines:
                if self.met() == HANG:
                    self.let_go.wait(60)
                    return
                stream.sendall(b"220 campaign\r\n")
                for line in lines:
                    word = line[:4].upper()
                    if word == b"QUIT":
                        stream.sendall(b"221 bye\r\n")
                        return
                    if word != b"DATA":
                        stream.sendall(b"250 ok\r\n")
                        continue
                    stream.sendall(b"354 go on\r\n")
                    text = b""
                    while (part := lines.readline()) not in (b".\r\n", b""):
                        text += part
                    mode = self.mode
                    self.keep("mail", email.message_from_bytes(text)["Message-ID"], text, mode == GOOD)
                    if mode == LOSE:
                        return
                    stream.sendall(b"250 taken\r\n")
        except OSError:
            pass
