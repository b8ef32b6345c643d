"""A git remote over HTTP that is silent, slow, or does not tell the truth; and one whose pack is a bomb."""
import hashlib
import http.server
import struct
import subprocess
import threading
import zlib

MODES = ("silent", "slow", "cut", "garbage", "flipped", "unknown")
COMMIT, TREE, BLOB, REF_DELTA = 1, 2, 3, 7


def packet(text):
    return b"%04x%s" % (len(text) + 4, text)


def oid(kind, body):
    return hashlib.sha1(b"%s %d\0%s" % (kind, len(body), body)).digest()


def head(kind, size):
    """An object's type and size, as a pack has it."""
    out, byte = bytearray(), kind << 4 | size & 15
    size >>= 4
    while size:
        out.append(byte | 128)
        byte, size = size & 127, size >> 7
    return bytes(out + bytes([byte]))


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def copies(base_bytes, times):
    """A delta that says its base so many times over."""
    copy = b"\xf0" + struct.pack("<I", base_bytes)[:3]  # from offset 0, three bytes of length
    return varint(base_bytes) + varint(base_bytes * times) + copy * times


def bomb(expanded_bytes):
    """(commit's id, pack): a file of so many bytes, made of deltas over deltas of 8 MiB of zeros; a few KB in all."""
    base = bytes(8 << 20)
    person = b"Mallory <m@example.org> 1700000000 +0000"
    delta = copies(len(base), expanded_bytes // len(base))
    blob = oid(b"blob", base)  # the tree names the base: what the bomb would be called is not worth computing
    tree = b"100644 file\0" + blob
    commit = b"tree %s\nauthor %s\ncommitter %s\n\nbomb\n" % (oid(b"tree", tree).hex().encode(), person, person)
    objects = [(head(COMMIT, len(commit)), commit), (head(TREE, len(tree)), tree), (head(BLOB, len(base)), base),
               (head(REF_DELTA, len(delta)) + blob, delta)]
    pack = b"PACK" + struct.pack(">II", 2, len(objects)) + b"".join(first + zlib.compress(body, 9) for first, body in objects)
    return oid(b"commit", commit).hex(), pack + hashlib.sha1(pack).digest()


class Remote:
    """http://…/<mode>.git for each of MODES, of one good repository; /bomb.git. `asked`: how often each was."""

    def __init__(self, repository, bomb_bytes=0):
        self.repository, self.asked, self.ended = repository, {}, threading.Event()
        self.bomb = bomb(bomb_bytes) if bomb_bytes else None
        remote = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                remote.advertise(self, self.mode())

            def do_POST(self):
                size = self.headers["Content-Length"]
                remote.serve(self, self.mode(), self.rfile.read(int(size)) if size else self.chunks())

            def chunks(self):
                body = b""
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

            def mode(self):
                mode = self.path.split("/")[1].removesuffix(".git")
                remote.asked[mode] = remote.asked.get(mode, 0) + 1
                return mode

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.ended.set()
        self.http.shutdown()
        self.http.server_close()

    def git(self, *words, data=b""):
        return subprocess.run(["git", "upload-pack", "--stateless-rpc", *words, self.repository], input=data,
                              capture_output=True, check=False).stdout

    def answer(self, handler, kind, body, mode):
        handler.send_response(200)
        handler.send_header("Content-Type", f"application/x-git-upload-pack-{kind}")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if mode == "slow":
            for at in range(len(body)):
                if self.ended.wait(1):
                    break
                handler.wfile.write(body[at:at + 1])
        else:
            handler.wfile.write(body[:len(body) // 2] if mode == "cut" and kind == "result" else body)
        if mode in ("cut", "slow"):
            handler.close_connection = True

    def advertise(self, handler, mode):
        if mode == "silent":
            self.ended.wait(60)
            handler.close_connection = True
            return
        if mode == "bomb":
            refs = packet(b"%s refs/heads/main\0\n" % self.bomb[0].encode()) + b"0000"
        else:
            refs = self.git("--advertise-refs")
        if mode == "unknown":  # a commit that nobody has
            head_now = subprocess.run(["git", "-C", self.repository, "rev-parse", "HEAD"], capture_output=True,
                                      check=True).stdout.strip()
            refs = refs.replace(head_now, b"0123456789abcdef" * 2 + b"01234567")
        self.answer(handler, "advertisement", packet(b"# service=git-upload-pack\n") + b"0000" + refs, mode)

    def serve(self, handler, mode, body):
        if mode == "bomb":
            pack = packet(b"NAK\n") + self.bomb[1]
        elif mode == "garbage":
            pack = packet(b"NAK\n") + b"PACK" + bytes(range(256)) * 40
        else:
            pack = bytearray(self.git(data=body))
            if mode == "flipped" and len(pack) > 200:
                pack[len(pack) // 2] ^= 255
        self.answer(handler, "result", bytes(pack), mode)
