#!/usr/bin/env bash
# A rate of a DogStatsD call says which share of the calls is sent: with 0.01 one in a hundred, and with 0 none. One expects so of
# Datadog's client for Go. Since its version 5 counts are added up in the client, which leaves the rate aside: each of the calls
# is counted, also with a rate of 0, and a rate saves nothing. Needs Go.
set -euo pipefail
version=v5.9.1
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder" && rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module probe

go 1.24
GO
cat >main.go <<'GO'
package main

import (
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/DataDog/datadog-go/v5/statsd"
)

func main() {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	client, err := statsd.New(server.LocalAddr().String(), statsd.WithoutTelemetry(), statsd.WithoutOriginDetection())
	if err != nil {
		panic(err)
	}
	for i := 0; i < 1000; i++ {
		_ = client.Incr("hundredth", nil, 0.01)
		_ = client.Incr("never", nil, 0)
	}
	_ = client.Close()
	buffer := make([]byte, 1<<16)
	for {
		_ = server.SetReadDeadline(time.Now().Add(time.Second))
		n, _, err := server.ReadFrom(buffer)
		if err != nil {
			break
		}
		for _, line := range strings.Split(string(buffer[:n]), "\n") {
			fmt.Println(line)
		}
	}
}
GO
export GOMODCACHE=$folder/modules GOFLAGS=-mod=mod
go get "github.com/DataDog/datadog-go/v5@$version" >log 2>&1 || {
    cat log >&2
    exit 2
}
seen=$(go run . | grep -E '^(hundredth|never):' | sort)
echo "github.com/DataDog/datadog-go $version"
echo "expected: of 1000 calls with a rate of 0.01 about ten are sent, as \"hundredth:1|c|@0.01\", and none with a rate of 0"
echo "seen: $(paste -sd ' ' <<<"$seen")"
[ "$seen" = $'hundredth:1000|c\nnever:1000|c' ]
