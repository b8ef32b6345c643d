package moowatch.otep;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.LongCounter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Scenario S001 of OTEP 5109: a counter of the API without an SDK; the attributes are made with every call. */
@State(Scope.Thread)
public class S001 {
    private static final AttributeKey<String> ROOM = AttributeKey.stringKey("house.room");
    private static final AttributeKey<String> DEVICE = AttributeKey.stringKey("house.device");
    private static final AttributeKey<String> ACTION = AttributeKey.stringKey("house.action");

    private final LongCounter counter =
            GlobalOpenTelemetry.getMeter("moowatch").counterBuilder("house.energy.consumed").build();

    @Benchmark
    public void nothing() {
        // what JMH's own loop costs
    }

    @Benchmark
    public void increment() {
        counter.add(1, Attributes.of(ROOM, "living_room", DEVICE, "thermostat", ACTION, "set_temperature"));
    }
}
