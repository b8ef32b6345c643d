#!/usr/bin/env bash
# Go takes the stack of one allocation in 512 KiB for its heap profile (runtime.MemProfileRate). One expects that of each program. The linker
# switches it off where nothing in the program can read the profile. The import of net/http/pprof, for an address that nobody may ever
# ask, switches it on for the whole process; and each benchmark of `go test` runs with it, as the package testing can read it.
# So a benchmark samples where the program that it stands for does not. Needs Go.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module probe

go 1.24
GO
mkdir plain served
cat >plain/main.go <<'GO'
package main

import (
	"fmt"
	"runtime"
)

func main() { fmt.Println(runtime.MemProfileRate) }
GO
sed 's/^	"fmt"/&\n	_ "net\/http\/pprof"/' plain/main.go >served/main.go
cat >plain/main_test.go <<'GO'
package main

import (
	"fmt"
	"runtime"
	"testing"
)

func BenchmarkRate(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if i == 0 && b.N == 1 {
			fmt.Println("rate", runtime.MemProfileRate)
		}
	}
}
GO
plain=$(go run ./plain)
served=$(go run ./served)
tested=$(go test -bench . ./plain | sed -n 's/^.*rate //p')
go version
echo "expected: the rate is 524288 in all of them"
echo "seen: $plain in a program, $served with net/http/pprof, $tested in its benchmark"
[ "$plain $served $tested" = "0 524288 524288" ]
