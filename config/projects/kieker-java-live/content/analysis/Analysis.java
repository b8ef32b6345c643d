import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import kieker.analysis.architecture.trace.flow.EventRecordTraceReconstructionStage;
import kieker.analysis.architecture.trace.flow.TraceAggregationStage;
import kieker.analysis.architecture.trace.flow.TraceEventRecords;
import kieker.analysis.generic.DynamicEventDispatcher;
import kieker.analysis.generic.ImplementsEventMatcher;
import kieker.analysis.generic.source.rewriter.ITraceMetadataRewriter;
import kieker.analysis.generic.source.tcp.Connection;
import kieker.analysis.generic.source.tcp.MultipleConnectionTcpSourceStage;
import kieker.common.record.IMonitoringRecord;
import kieker.common.record.flow.IFlowRecord;
import kieker.common.record.flow.trace.AbstractTraceEvent;
import kieker.common.record.flow.trace.operation.AfterOperationEvent;
import teetime.framework.AbstractConsumerStage;
import teetime.framework.Configuration;
import teetime.framework.Execution;
import teetime.framework.InputPort;
import teetime.framework.OutputPort;

/**
 * Analysis STAGES PORT OPERATION: Kieker's own stages at the other end of its TCP, as far as STAGES says: records (read and
 * made again), reconstruction (their traces put together), reduction (equal traces counted, and given out once a second).
 *
 * All stages run in the thread that reads. So the program waits for the slowest of them, by TCP and Kieker's queue, and
 * nothing is lost. Told to end (SIGTERM), it waits until the connection has ended, and prints how many activations of
 * OPERATION came through all stages.
 */
public final class Analysis extends Configuration implements ITraceMetadataRewriter {
    private static final int BUFFER_BYTES = 65536;
    private static final int POLL_MS = 10;
    private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(3);

    private final String operation;
    private volatile Connection connection; // what records came by
    private String known; // the last operation; one and the same text names it in all records of a connection
    private boolean wanted;
    private long activations;
    private long traces;
    private long reduced;
    private long invalid;

    private Analysis(final String stages, final int port, final String operation) throws ReflectiveOperationException {
        this.operation = operation;
        final MultipleConnectionTcpSourceStage source = new MultipleConnectionTcpSourceStage(port, BUFFER_BYTES, this);
        if ("records".equals(stages)) {
            connectPorts(source.getOutputPort(), new Sink<IMonitoringRecord>(record -> count(record, 1)).getInputPort());
            return;
        }
        final ImplementsEventMatcher<IFlowRecord> flow = new ImplementsEventMatcher<>(IFlowRecord.class, null);
        final DynamicEventDispatcher dispatcher = new DynamicEventDispatcher(flow, false, false, false);
        // No time limit: what is incomplete here would be a loss, and is told at the end.
        final EventRecordTraceReconstructionStage reconstruction =
            new EventRecordTraceReconstructionStage(TimeUnit.NANOSECONDS, false, Long.MAX_VALUE, Long.MAX_VALUE);
        connectPorts(source.getOutputPort(), dispatcher.getInputPort());
        connectPorts(flow.getOutputPort(), reconstruction.getTraceRecordsInputPort());
        connectPorts(reconstruction.getInvalidTracesOutputPort(), new Sink<TraceEventRecords>(trace -> invalid++).getInputPort());
        if ("reconstruction".equals(stages)) {
            connectPorts(reconstruction.getValidTracesOutputPort(), new Sink<TraceEventRecords>(this::count).getInputPort());
            return;
        }
        // 0: at each tick all are given out. With a longer time the stage forgets at a tick those that are younger.
        final TraceAggregationStage reduction = new TraceAggregationStage(TimeUnit.NANOSECONDS, 0);
        final Clock clock = new Clock();
        connectPorts(reconstruction.getValidTracesOutputPort(), clock.getInputPort());
        connectPorts(clock.traces, Analysis.<InputPort<TraceEventRecords>>port(reduction, "tracesInputPort"));
        connectPorts(clock.times, Analysis.<InputPort<Long>>port(reduction, "timestampInputPort"));
        connectPorts(Analysis.<OutputPort<TraceEventRecords>>port(reduction, "tracesOutputPort"), new Sink<TraceEventRecords>(this::count).getInputPort());
    }

    /** A port of a stage that lets nobody connect it: the fields are private, and there are no methods. */
    @SuppressWarnings("unchecked")
    private static <T> T port(final TraceAggregationStage stage, final String name) throws ReflectiveOperationException {
        final java.lang.reflect.Field field = TraceAggregationStage.class.getDeclaredField(name);
        field.setAccessible(true);
        return (T) field.get(stage);
    }

    /** Lets the records pass as they are, and remembers their connection: the source tells nobody that it has ended. */
    @Override
    public void rewrite(final Connection from, final IMonitoringRecord record, final long loggedAt,
        final OutputPort<IMonitoringRecord> output) {
        if (connection != from)
            connection = from;
        output.send(record);
    }

    private void count(final IMonitoringRecord record, final long times) {
        if (!(record instanceof AfterOperationEvent))
            return;
        final String name = ((AfterOperationEvent) record).getOperationSignature();
        if (name != known) {
            known = name;
            wanted = name.contains(operation);
        }
        activations += wanted ? times : 0;
    }

    private void count(final TraceEventRecords trace) {
        for (final AbstractTraceEvent event : trace.getTraceEvents())
            count(event, trace.getCount());
        traces += trace.getCount();
        reduced++;
    }

    private void end(final Execution<Analysis> execution) {
        final long told = System.nanoTime();
        try { // the source may sleep for a while before it reads of a connection
            while (connection == null ? System.nanoTime() - told < FIRST_NS : connection.getChannel().isOpen())
                Thread.sleep(POLL_MS);
        } catch (final InterruptedException problem) {
            Thread.currentThread().interrupt();
        }
        execution.abortEventually();
        System.out.printf("{\"records\": %d, \"refused\": %d, \"traces\": %d, \"given_out\": %d}%n", activations, invalid, traces, reduced);
    }

    /** The end of the stages: gives each element to a function. */
    private static final class Sink<T> extends AbstractConsumerStage<T> {
        private final Consumer<T> function;

        Sink(final Consumer<T> function) { this.function = function; }

        @Override
        protected void execute(final T element) { function.accept(element); }
    }

    /** Lets traces pass, and once a second the time, in the same thread. */
    private static final class Clock extends AbstractConsumerStage<TraceEventRecords> {
        final OutputPort<TraceEventRecords> traces = createOutputPort(TraceEventRecords.class);
        final OutputPort<Long> times = createOutputPort(Long.class);
        private long ticked = System.nanoTime();

        @Override
        protected void execute(final TraceEventRecords trace) {
            traces.send(trace);
            final long now = System.nanoTime();
            if (now - ticked < TimeUnit.SECONDS.toNanos(1))
                return;
            ticked = now;
            times.send(now);
        }
    }

    public static void main(final String[] words) throws Exception {
        if (words.length != 3 || !words[0].matches("records|reconstruction|reduction")) {
            System.err.println("Analysis records|reconstruction|reduction PORT OPERATION");
            System.exit(2);
        }
        // Else a stage that fails would end its thread alone, and the program would wait for ever.
        Thread.setDefaultUncaughtExceptionHandler((thread, problem) -> {
            problem.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        final Analysis analysis = new Analysis(words[0], Integer.parseInt(words[1]), words[2]);
        final Execution<Analysis> execution = new Execution<>(analysis);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> analysis.end(execution)));
        execution.executeNonBlocking();
        idle(Integer.parseInt(words[1]));
        System.out.println("ready");
    }

    /**
     * Connects when the source listens, and stays: the source hands a connection to its reader before it has noted whose it
     * is, and one that ends at once, as of somebody who only tries, would end the reader.
     */
    @SuppressWarnings("resource")
    private static void idle(final int port) throws IOException, InterruptedException {
        for (;;)
            try {
                new Socket(InetAddress.getLoopbackAddress(), port);
                return;
            } catch (final ConnectException early) {
                Thread.sleep(POLL_MS);
            }
    }
}
