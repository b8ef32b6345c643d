#!/usr/bin/env bash
# OTEL_SDK_DISABLED=true disables the SDK, says the specification. A program makes its tracer provider in its code, as the first page of
# each language's documents shows, and runs with the variable. One expects that no span is recorded. Only Python's provider reads it: in
# Go nothing does, and in Java and JavaScript the part that sets up everything from the environment (autoconfigure, NodeSDK). Who
# compares the cost of disabled SDKs compares a disabled one with three that record. Needs Go, Node, a JDK, Maven and python3 with venv.
set -euo pipefail
go=v1.47.0 java=1.55.0 js=2.12.1 python=1.45.2
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
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

func main() {
	exporter := tracetest.NewInMemoryExporter()
	provider := trace.NewTracerProvider(trace.WithSyncer(exporter))
	_, span := provider.Tracer("probe").Start(context.Background(), "call")
	span.End()
	fmt.Println(len(exporter.GetSpans()))
}
GO
cat >pom.xml <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>p</groupId><artifactId>p</artifactId>
<version>1</version><dependencies><dependency><groupId>io.opentelemetry</groupId><artifactId>opentelemetry-sdk-testing</artifactId>
<version>$java</version></dependency></dependencies></project>
XML
cat >Probe.java <<'JAVA'
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;

public class Probe {
    public static void main(String[] arguments) {
        InMemorySpanExporter exporter = InMemorySpanExporter.create();
        SdkTracerProvider provider = SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();
        provider.get("probe").spanBuilder("call").startSpan().end();
        System.out.println(exporter.getFinishedSpanItems().size());
    }
}
JAVA
cat >probe.mjs <<'JS'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.getTracer("probe").startSpan("call").end();
await provider.forceFlush();
console.log(exporter.getFinishedSpans().length);
JS
cat >probe.py <<'PYTHON'
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
provider.get_tracer("probe").start_span("call").end()
print(len(exporter.get_finished_spans()))
PYTHON
export GOMODCACHE=$folder/modules GOFLAGS=-mod=mod
{ go get "go.opentelemetry.io/otel/sdk@$go" && go build -o probe . && python3 -m venv env && env/bin/pip -q install "opentelemetry-sdk==$python" &&
    mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib && javac -cp 'lib/*' Probe.java &&
    npm install --silent --no-fund "@opentelemetry/api@1.9.0" "@opentelemetry/sdk-trace-base@$js"; } >log 2>&1 || {
    cat log >&2
    exit 2
}
export OTEL_SDK_DISABLED=true
seen="$(./probe) $(java -cp 'lib/*:.' Probe) $(node probe.mjs) $(env/bin/python probe.py)"
echo "OpenTelemetry's SDK for Go $go, Java $java, JavaScript $js, Python $python, with OTEL_SDK_DISABLED=true"
echo "expected: spans recorded: 0 0 0 0"
echo "seen: $seen"
[ "$seen" = "1 1 1 0" ]
