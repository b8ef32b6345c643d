import java.io.File;
import java.util.HashSet;
import java.util.Set;
import net.kieker.sourceinstrumentation.AllowedKiekerRecord;
import net.kieker.sourceinstrumentation.InstrumentationConfiguration;
import net.kieker.sourceinstrumentation.instrument.InstrumentKiekerSource;

/** Instrument KIND FOLDER: Kieker's source instrumentation of the monitored method, with the records of the kind. */
public final class Instrument {
    private static final int ACTIVATIONS_A_RECORD = 1000;

    public static void main(final String[] arguments) throws Exception {
        final boolean aggregated = arguments[0].equals("aggregated");
        final AllowedKiekerRecord record =
                arguments[0].equals("operation") ? AllowedKiekerRecord.OPERATIONEXECUTION : AllowedKiekerRecord.DURATION;
        final Set<String> included = new HashSet<>();
        included.add("public long moowatch.moobench.application.MonitoredClass.monitoredMethod(long,int)");
        final boolean constructor = false, adaptive = false, canBeSwitchedOff = true, extractMethod = false, strict = false;
        new InstrumentKiekerSource(new InstrumentationConfiguration(record, aggregated, constructor, adaptive, included,
                new HashSet<>(), canBeSwitchedOff, ACTIVATIONS_A_RECORD, extractMethod, strict))
                .instrumentProject(new File(arguments[1]));
    }
}
