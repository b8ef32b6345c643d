#!/usr/bin/env bash
# Services in four languages have the same sampler with the same ratio, `traceidratio` of a half, and see the same trace ids.
# One expects that they keep the same traces, for the id alone decides. Go and Python keep the same half; Java takes the sign off the
# lower 64 bits, and JavaScript folds all four words into one: each pair of these agrees as often as two coins do, and of the
# traces that go through Go, Java and JavaScript an eighth is whole. It only shows where each service decides for itself (no
# parent-based sampler), as when counts of two services are compared. Needs Go, Node, a JDK, Maven and python3 with venv.
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
	"bufio"
	"context"
	"fmt"
	"os"

	"go.opentelemetry.io/otel/sdk/trace"
	api "go.opentelemetry.io/otel/trace"
)

func main() {
	sampler := trace.TraceIDRatioBased(0.5)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		id, _ := api.TraceIDFromHex(lines.Text())
		result := sampler.ShouldSample(trace.SamplingParameters{ParentContext: context.Background(), TraceID: id})
		fmt.Println(result.Decision == trace.RecordAndSample)
	}
}
GO
cat >probe.mjs <<'JS'
import { readFileSync } from "node:fs";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { SamplingDecision, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace-base";

const sampler = new TraceIdRatioBasedSampler(0.5);
for (const id of readFileSync(0, "utf8").trim().split("\n"))
    console.log(sampler.shouldSample(ROOT_CONTEXT, id).decision === SamplingDecision.RECORD_AND_SAMPLED);
JS
cat >probe.py <<'PYTHON'
import sys

from opentelemetry.sdk.trace.sampling import TraceIdRatioBased

sampler = TraceIdRatioBased(0.5)
for line in sys.stdin:
    print(str(sampler.should_sample(None, int(line, 16), "").decision.is_sampled()).lower())
PYTHON
cat >pom.xml <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>p</groupId><artifactId>p</artifactId>
<version>1</version><dependencies><dependency><groupId>io.opentelemetry</groupId><artifactId>opentelemetry-sdk</artifactId>
<version>$java</version></dependency></dependencies></project>
XML
cat >Probe.java <<'JAVA'
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.samplers.*;
import java.util.*;

public class Probe {
    public static void main(String[] arguments) {
        Sampler sampler = Sampler.traceIdRatioBased(0.5);
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine())
            System.out.println(sampler.shouldSample(Context.root(), lines.nextLine(), "", SpanKind.INTERNAL, Attributes.empty(), List.of())
                .getDecision() == SamplingDecision.RECORD_AND_SAMPLE);
    }
}
JAVA
export GOMODCACHE=$folder/modules GOFLAGS=-mod=mod
{ go get "go.opentelemetry.io/otel/sdk@$go" "go.opentelemetry.io/otel/trace@$go" && go build -o probe . &&
    python3 -m venv env && env/bin/pip -q install "opentelemetry-sdk==$python" &&
    mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib &&
    npm install --silent --no-fund "@opentelemetry/api@1.9.0" "@opentelemetry/sdk-trace-base@$js"; } >log 2>&1 || {
    cat log >&2
    exit 2
}
python3 -c 'import random
random.seed(1)
for _ in range(10000):
    print(f"{random.getrandbits(128) or 1:032x}")' >ids
./probe <ids >go.kept
javac -cp 'lib/*' Probe.java || exit 2
java -cp 'lib/*:.' Probe <ids >java.kept
node probe.mjs <ids >js.kept
env/bin/python probe.py <ids >python.kept
differ() { paste -d' ' "$1.kept" "$2.kept" | grep -cv '^\(true true\|false false\)$' || true; }
whole=$(paste -d' ' go.kept java.kept js.kept | grep -c '^true true true$')
echo "OpenTelemetry's SDK for Go $go, Java $java, JavaScript $js, Python $python"
echo "expected: of 10000 trace ids each keeps the same half"
echo "seen: Go and Python decide otherwise in $(differ go python), Go and Java in $(differ go java), Go and JavaScript in $(differ go js), Java and" \
    "JavaScript in $(differ java js); Go, Java and JavaScript all keep $whole"
[ "$(differ go python)" -eq 0 ] && [ "$(differ go java)" -gt 4000 ] && [ "$(differ go js)" -gt 4000 ] && [ "$(differ java js)" -gt 4000 ] &&
    [ "$whole" -lt 1500 ]
