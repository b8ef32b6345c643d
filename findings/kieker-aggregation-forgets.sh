#!/usr/bin/env bash
# Kieker's TraceAggregationStage collects equal traces for a time (`maxCollectionDuration`) and gives out one of them with their
# number; a clock tells it the time. One expects to connect its three ports, and the numbers to add up to the traces that went in.
# The ports are private and no method gives them. Connected by force, it gives out at each tick what is old enough and removes
# everything: traces that are younger than the limit are forgotten, without a word. Only a limit of 0 loses none.
# Needs a JDK 11 or later and Maven.
set -euo pipefail
. "$(dirname "$0")/maven"
fetch_jars net.kieker-monitoring:kieker:2.0.2 de.cau.cs.se.teetime:teetime:3.1.1
cat >Forgets.java <<'JAVA'
import java.util.concurrent.TimeUnit;
import kieker.analysis.architecture.trace.flow.*;
import kieker.common.record.flow.trace.*;
import kieker.common.record.flow.trace.operation.*;
import teetime.framework.*;

public final class Forgets extends Configuration {
    static final int TRACES = 1000;
    long out;

    static TraceEventRecords trace(final long id) {
        return new TraceEventRecords(new TraceMetadata(id, 1, "s", "h", -1, -1),
            new AbstractTraceEvent[] {new BeforeOperationEvent(1, id, 0, "a()", "A"), new AfterOperationEvent(2, id, 1, "a()", "A")});
    }

    /** A trace a millisecond, and the time every 100 of them, both from one thread. */
    static final class Source extends AbstractProducerStage<TraceEventRecords> {
        final OutputPort<Long> times = createOutputPort(Long.class);

        @Override
        protected void execute() throws Exception {
            for (int i = 1; i <= TRACES; i++) {
                outputPort.send(trace(i));
                Thread.sleep(1);
                if (i % 100 == 0)
                    times.send(System.nanoTime());
            }
            workCompleted();
        }
    }

    final class Sink extends AbstractConsumerStage<TraceEventRecords> {
        @Override
        protected void execute(final TraceEventRecords one) { out += one.getCount(); }
    }

    @SuppressWarnings("unchecked")
    static <T> T port(final TraceAggregationStage stage, final String name) throws ReflectiveOperationException {
        final java.lang.reflect.Field field = TraceAggregationStage.class.getDeclaredField(name);
        field.setAccessible(true);
        return (T) field.get(stage);
    }

    Forgets(final long limitMs) throws ReflectiveOperationException {
        final Source source = new Source();
        final TraceAggregationStage stage = new TraceAggregationStage(TimeUnit.NANOSECONDS, TimeUnit.MILLISECONDS.toNanos(limitMs));
        connectPorts(source.getOutputPort(), Forgets.<InputPort<TraceEventRecords>>port(stage, "tracesInputPort"));
        connectPorts(source.times, Forgets.<InputPort<Long>>port(stage, "timestampInputPort"));
        connectPorts(Forgets.<OutputPort<TraceEventRecords>>port(stage, "tracesOutputPort"), new Sink().getInputPort());
    }

    public static void main(final String[] words) throws ReflectiveOperationException {
        final Forgets forgets = new Forgets(Long.parseLong(words[0]));
        new Execution<>(forgets).executeBlocking();
        final long ports = java.util.Arrays.stream(TraceAggregationStage.class.getDeclaredMethods())
            .filter(one -> AbstractPort.class.isAssignableFrom(one.getReturnType())).count();
        System.out.println(forgets.out + " " + ports);
    }
}
JAVA
javac -cp 'lib/*' -d classes Forgets.java
seen() { java -cp 'classes:lib/*' Forgets "$1" 2>/dev/null; }
read -r none ports < <(seen 0)
read -r half _ < <(seen 500)
echo "Kieker 2.0.2, 1,000 equal traces in a second or more, a tick every 100 of them"
echo "expected: the numbers of what is given out add up to 1000, with a limit of 0 ms and of 500 ms"
echo "seen: $none with 0 ms, $half with 500 ms; $ports methods give a port"
[ "$none" -eq 1000 ] && [ "$half" -lt 1000 ] && [ "$ports" -eq 0 ]
