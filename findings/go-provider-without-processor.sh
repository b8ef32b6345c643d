#!/usr/bin/env bash
# A tracer provider of Go's SDK without any span processor exports nowhere. One expects its spans to cost what those cost
# that a sampler drops. They are recording and sampled, and hold attributes until they end: 656 bytes against 208 for a span
# with one attribute. A chain of benchmarks that takes "SDK without exporter" for the probe alone measures recording, too.
# Needs Go.
set -euo pipefail
version=v1.47.0
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder" && rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module probe

go 1.24
GO
cat >probe_test.go <<'GO'
package probe

import (
	"context"
	"fmt"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

func TestProbe(t *testing.T) {
	for _, c := range []struct {
		name     string
		provider *sdk.TracerProvider
	}{{"unsampled", sdk.NewTracerProvider(sdk.WithSampler(sdk.NeverSample()))}, {"without-processor", sdk.NewTracerProvider()}} {
		tracer := c.provider.Tracer("probe")
		_, span := tracer.Start(context.Background(), "call")
		r := testing.Benchmark(func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				_, s := tracer.Start(context.Background(), "call")
				s.SetAttributes(attribute.Int("key", 300))
				s.End()
			}
		})
		fmt.Println(c.name, span.IsRecording(), span.SpanContext().IsSampled(), r.AllocedBytesPerOp())
	}
}
GO
export GOMODCACHE=$folder/modules GOFLAGS=-mod=mod
go get "go.opentelemetry.io/otel/sdk@$version" "go.opentelemetry.io/otel@$version" >log 2>&1 || {
    cat log >&2
    exit 2
}
echo "go.opentelemetry.io/otel/sdk $version"
echo "expected: without a processor not recording, and as many bytes as unsampled"
seen=$(go test -run TestProbe -v . | grep -E '^(unsampled|without-processor) ')
printf 'seen (recording, sampled, bytes a span):\n%s\n' "$seen"
read -r _ recording sampled bytes < <(grep ^unsampled <<<"$seen")
[ "$recording $sampled" = "false false" ]
read -r _ recording sampled more < <(grep ^without <<<"$seen")
[ "$recording $sampled" = "true true" ] && [ "$more" -gt $((2 * bytes)) ]
