import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * Dynamic written|instrumented: what switching a probe on takes in a running program.
 *
 * Turnaround: from the wish until a method of a loaded class has been called once and recorded, class by class, and what it
 * takes to switch it off again. An event that is missing ends the program with 1. Reliability: threads ask for a reply whose
 * method is off, is switched on and off meanwhile, and is on; a reply that is wrong or an exception is a lost transaction, and
 * ends it with 1, too.
 */
public final class Dynamic {
    /** A class that prepare has made. */
    public interface Monitored { long monitoredMethod(); }

    private static final int CLASSES = 40;
    private static final int FIRST = 10; // what the JVM compiles at first is not told
    private static final int THREADS = 2;
    private static final int SWITCHES = 20;
    private static final int SWITCH_MS = 50;
    private static final String REPLY = "This is the response";
    private static final String CHANGING = "switched on and off", ON = "on";

    private final boolean written;

    private Dynamic(final boolean written) { this.written = written; }

    /** Its events, of the class alone. */
    private Recording recording(final String name) {
        final Recording one = new Recording();
        if (written)
            one.enable("moowatch." + name);
        else
            one.enable("jdk.MethodTrace").with("filter", name + "::monitoredMethod").withThreshold(Duration.ZERO).withoutStackTrace();
        return one;
    }

    private void turnaround(final String name, final boolean told) throws Exception {
        final Monitored monitored = (Monitored) Class.forName(name).getDeclaredConstructor().newInstance();
        monitored.monitoredMethod(); // loaded, linked and run
        final long begun = System.nanoTime();
        final Recording recording = recording(name);
        recording.start();
        monitored.monitoredMethod();
        final long called = System.nanoTime();
        recording.stop();
        final long stopped = System.nanoTime();
        final Path file = Files.createTempFile("dynamic", ".jfr");
        recording.dump(file);
        recording.close();
        final long events = RecordingFile.readAllEvents(file).stream().filter(one -> one.getEventType().getName()
            .equals(written ? "moowatch." + name : "jdk.MethodTrace")).count();
        Files.delete(file);
        if (events != 1)
            throw new IllegalStateException(name + " was called once, and " + events + " events were recorded");
        if (told)
            System.out.printf("turnaround %d ns%noff again %d ns%n", called - begun, stopped - called);
    }

    /** A thread that asks, and what it saw. */
    private final class Client extends Thread {
        final Monitored service;
        final AtomicBoolean end;
        long transactions, lost, longest, total;

        Client(final Monitored service, final AtomicBoolean end) {
            this.service = service;
            this.end = end;
        }

        @Override
        public void run() {
            long last = 0;
            while (!end.get()) {
                final long begun = System.nanoTime();
                String reply = "";
                try {
                    final long now = service.monitoredMethod();
                    reply = now >= last ? REPLY : "a reply of yesterday";
                    last = now;
                } catch (final Throwable problem) {
                    reply = problem.toString();
                }
                final long took = System.nanoTime() - begun;
                transactions++;
                total += took;
                longest = Math.max(longest, took);
                lost += reply.equals(REPLY) ? 0 : 1;
            }
        }
    }

    /** A second of one phase, and its line; returns how many transactions were lost. */
    private long reliability(final String phase, final String name) throws Exception {
        final AtomicBoolean end = new AtomicBoolean();
        final Monitored service = (Monitored) Class.forName(name).getDeclaredConstructor().newInstance();
        final List<Client> clients = new ArrayList<>();
        for (int i = 0; i < THREADS; i++)
            clients.add(new Client(service, end));
        clients.forEach(Thread::start);
        for (int i = 0; i < SWITCHES; i++) {
            if (phase.equals(CHANGING) || phase.endsWith(ON) && on == null)
                turn(name);
            Thread.sleep(SWITCH_MS);
        }
        end.set(true);
        long transactions = 0, lost = 0, total = 0, longest = 0;
        for (final Client one : clients) {
            one.join();
            transactions += one.transactions;
            lost += one.lost;
            total += one.total;
            longest = Math.max(longest, one.longest);
        }
        System.out.printf("reliability %s: %d of %d transactions lost, latency %d ns, the longest %d ns%n", phase, lost,
            transactions, total / transactions, longest);
        return lost;
    }

    private Recording on; // the probe is switched on while it runs

    private void turn(final String name) {
        if (on == null) {
            on = recording(name);
            on.start();
        } else {
            on.close();
            on = null;
        }
    }

    public static void main(final String[] words) throws Exception {
        final boolean written = words[0].equals("written");
        final Dynamic dynamic = new Dynamic(written);
        new Recording().start(); // the recorder itself runs in both
        final String kind = written ? "Written" : "Plain";
        for (int i = 0; i < CLASSES - 1; i++)
            dynamic.turnaround(kind + i, i >= FIRST);
        final String service = kind + (CLASSES - 1);
        long lost = 0;
        for (final String phase : new String[] {"compiled", "left alone", CHANGING, "compiled " + ON, ON})
            lost += dynamic.reliability(phase, service);
        System.exit(lost == 0 ? 0 : 1);
    }
}
