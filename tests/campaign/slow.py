#!/usr/bin/env python3
"""Clients that take their time: slow.py PORT COUNT. A fourth each sends a head, sends a body, reads an answer, reads a
stream, a byte a second. Says "ready" when all are under way; ends with its input."""
import select
import socket
import sys
import time

HEADS = (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
         b"POST /api/v1/hooks/github HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
         b"GET /api/v1/projects/history/nights?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
         b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
SENDS = (True, True, False, False)


def start(port, kind):
    stream = socket.socket()
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2304)
    stream.connect(("127.0.0.1", port))
    stream.sendall(HEADS[kind])
    stream.setblocking(False)
    return stream


def step(stream, kind):
    """One byte; whether the server still has patience."""
    try:
        if SENDS[kind]:
            return stream.send(b"a") == 1
        return stream.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def main():
    port, count = int(sys.argv[1]), int(sys.argv[2])
    held = [(start(port, n % 4), n % 4) for n in range(count)]
    print("ready", flush=True)
    ended = 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        begun = time.monotonic()
        for at, (stream, kind) in enumerate(held):
            if not step(stream, kind):
                stream.close()
                ended += 1
                held[at] = (start(port, kind), kind)
        time.sleep(max(0.0, 1 - (time.monotonic() - begun)))
    print(ended, flush=True)


if __name__ == "__main__":
    main()
