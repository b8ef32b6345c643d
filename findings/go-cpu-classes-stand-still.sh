#!/usr/bin/env bash
# Go tells a program its own processor time by runtime/metrics, of which the exporters of Prometheus and OpenTelemetry read: /cpu/classes/total is, as
# documented, GOMAXPROCS integrated over the time since the start. One expects it to move on as time does. It stands still between two
# garbage collections: a program that computes and allocates little has used 0 seconds for ever, and after a collection it has used
# all of them at once. Needs Go.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module probe

go 1.24
GO
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"time"
)

func total() float64 {
	sample := []metrics.Sample{{Name: "/cpu/classes/total:cpu-seconds"}}
	metrics.Read(sample)
	return sample[0].Value.Float64()
}

func spin(since time.Time, until time.Duration) (sum int) {
	for time.Since(since) < until {
		sum++
	}
	return
}

func main() {
	since := time.Now()
	spin(since, time.Second)
	first := total()
	spin(since, 2*time.Second)
	second := total()
	runtime.GC()
	third := total()
	processors := float64(runtime.GOMAXPROCS(0))
	fmt.Printf("expected: %.1f after a second, %.1f after two\n", processors, 2*processors)
	fmt.Printf("seen: %.1f after a second, %.1f after two, %.1f after a garbage collection\n", first, second, third)
	if first > 0.1*processors || second > 0.1*processors || third < 1.9*processors {
		os.Exit(1)
	}
}
GO
go version
go build -o probe . || exit 2
./probe
