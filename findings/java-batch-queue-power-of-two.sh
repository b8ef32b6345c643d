#!/usr/bin/env bash
# setMaxQueueSize (OTEL_BSP_MAX_QUEUE_SIZE) of Java's batch span processor is "the maximum number of Spans that are kept in the
# queue before start dropping"; more memory may be allocated, say its documents. One expects so many spans. The queue holds
# the next power of two: 1,025 holds 2,048, and between settings of 1,025 and 2,048 no difference is to be seen.
# Needs a JDK and Maven.
set -euo pipefail
version=1.55.0
. "$(dirname "$0")/maven"
fetch_jars "io.opentelemetry:opentelemetry-sdk:$version"
cat >Probe.java <<'JAVA'
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.*;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.*;
import java.util.Collection;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

public class Probe {
    static int held(int size) throws Exception {
        CountDownLatch gate = new CountDownLatch(1), taken = new CountDownLatch(1);
        AtomicInteger seen = new AtomicInteger();
        SpanExporter slow = new SpanExporter() {
            public CompletableResultCode export(Collection<SpanData> spans) {
                taken.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    return CompletableResultCode.ofFailure();
                }
                seen.addAndGet(spans.size());
                return CompletableResultCode.ofSuccess();
            }

            public CompletableResultCode flush() {
                return CompletableResultCode.ofSuccess();
            }

            public CompletableResultCode shutdown() {
                return CompletableResultCode.ofSuccess();
            }
        };
        SpanProcessor processor = BatchSpanProcessor.builder(slow).setMaxQueueSize(size).setMaxExportBatchSize(1).build();
        try (SdkTracerProvider provider = SdkTracerProvider.builder().addSpanProcessor(processor).build()) {
            provider.get("probe").spanBuilder("first").startSpan().end();
            taken.await();
            for (int i = 0; i < 5000; i++)
                provider.get("probe").spanBuilder("call").startSpan().end();
            gate.countDown();
            provider.forceFlush().join(10, TimeUnit.SECONDS);
        }
        return seen.get() - 1;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(held(1024) + " " + held(1025) + " " + held(2048));
    }
}
JAVA
javac -cp 'lib/*' Probe.java || exit 2
seen=$(java -cp 'lib/*:.' Probe)
echo "opentelemetry-sdk $version for Java"
echo "expected: of queues of 1024, 1025 and 2048, so many spans arrive"
echo "seen: $seen"
[ "$seen" = "1024 2048 2048" ]
