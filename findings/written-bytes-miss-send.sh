#!/usr/bin/env bash
# wchar of /proc/PID/io counts the bytes that a process writes, to files and to sockets. One expects all that an exporter
# sends to be in it. Linux counts write(2) to a socket and not send(2): what Go sends is in it (its net package writes), what
# Python sends is not. Between two agents, or after a change of the client library, the figure says nothing of what was sent.
# Needs Linux, Go and python3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >main.go <<'GO'
package main

import (
	"fmt"
	"io"
	"net"
	"os"
)

func written() (n int) {
	text, _ := os.ReadFile("/proc/self/io")
	var read int
	fmt.Sscanf(string(text), "rchar: %d\nwchar: %d", &read, &n)
	return
}

func main() {
	listener, _ := net.Listen("tcp", "127.0.0.1:0")
	go func() {
		peer, _ := listener.Accept()
		io.Copy(io.Discard, peer)
	}()
	client, _ := net.Dial("tcp", listener.Addr().String())
	before := written()
	client.Write(make([]byte, 1<<20))
	fmt.Println(written() - before)
}
GO
cat >probe.py <<'PYTHON'
import socket
import threading


def written():
    return int(open("/proc/self/io").read().split("wchar: ")[1].split()[0])


server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
peer, _ = server.accept()
threading.Thread(target=lambda: [None for _ in iter(lambda: peer.recv(1 << 16), b"")], daemon=True).start()
before = written()
client.sendall(bytes(1 << 20))
print(written() - before)
PYTHON
in_go=$(go run main.go) || exit 2
in_python=$(python3 probe.py)
uname -sr
go version
python3 --version
echo "expected: wchar grows by 1048576 for a mebibyte over TCP"
echo "seen: Go $in_go, Python $in_python"
[ "$in_go" -ge 1048576 ] && [ "$in_python" -lt 4096 ]
