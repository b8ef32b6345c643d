package moowatch.otep;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The same call with the SDK: without a reader it has nobody to count for; with one it counts in memory. */
@State(Scope.Thread)
public class Sdk {
    private static final AttributeKey<String> ROOM = AttributeKey.stringKey("house.room");
    private static final AttributeKey<String> DEVICE = AttributeKey.stringKey("house.device");
    private static final AttributeKey<String> ACTION = AttributeKey.stringKey("house.action");

    /** It never collects by itself. */
    private static final class Memory implements MetricReader {
        @Override
        public void register(CollectionRegistration registration) {}

        @Override
        public AggregationTemporality getAggregationTemporality(InstrumentType type) {
            return AggregationTemporality.CUMULATIVE;
        }

        @Override
        public CompletableResultCode forceFlush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    @Param({"none", "memory"})
    public String reader;

    private LongCounter counter;

    @Setup
    public void make() {
        SdkMeterProviderBuilder builder = SdkMeterProvider.builder();
        if (reader.equals("memory")) {
            builder.registerMetricReader(new Memory());
        }
        counter = builder.build().get("moowatch").counterBuilder("house.energy.consumed").build();
    }

    @Benchmark
    public void increment() {
        counter.add(1, Attributes.of(ROOM, "living_room", DEVICE, "thermostat", ACTION, "set_temperature"));
    }
}
