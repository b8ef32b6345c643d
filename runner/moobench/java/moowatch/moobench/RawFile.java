package moowatch.moobench;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The raw file, MooBench's format: {@code thread;nanoseconds;used heap bytes;garbage collections} a
 * line, threads counted from 1.
 *
 * <p>A file under its final name is whole: it is written as NAME.part, synced and renamed.
 */
final class RawFile implements Closeable {
    private static final int BUFFER_BYTES = 1 << 20;
    /* Four 64 bit numbers with their separators. */
    private static final int LINE_BYTES = 96;
    private static final String NO_BEANS = "this JVM has no management beans (module java.management), so that"
            + " nobody counted garbage collections";

    private final Path name;
    private final Path partName;
    private final FileChannel channel;
    private final byte[] bytes = new byte[BUFFER_BYTES];
    private final byte[] digits = new byte[20];
    private int used;

    /** Makes NAME.part; done before measuring so that a bad path is told at once. */
    RawFile(final File file) throws IOException {
        this.name = file.toPath().toAbsolutePath();
        this.partName = this.name.resolveSibling(this.name.getFileName() + ".part");
        this.channel = FileChannel.open(
                this.partName,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
    }

    /** A line a call; without heap and collections where nobody counted them. */
    void write(final Calls[] threads, final boolean timesAlone) throws IOException {
        for (int thread = 0; thread < threads.length; thread++) {
            final Calls calls = threads[thread];
            for (int i = 0; i < calls.durations.length; i++) {
                this.put(thread + 1L, ';');
                this.put(calls.durations[i], timesAlone ? '\n' : ';');
                if (!timesAlone) {
                    this.put(calls.usedHeap[i], ';');
                    this.put(calls.collections[i], '\n');
                }
                if (this.used > BUFFER_BYTES - LINE_BYTES) {
                    this.flush();
                }
            }
        }
        this.flush();
    }

    /**
     * Writes NAME.told: what the process used until now, as one JSON object of numbers.
     *
     * <p>The clock when all was there for the first call, the processor time until that, how long collections stopped the calls, the
     * most that was resident and what is live after a collection, both without the harness's own times,
     * and what was handed to write() and the like. What /proc does not say is left out, and a file that
     * cannot be written is none: the calls stand without it.
     *
     * @param cpuBeforeNs below 0: nobody knows
     * @param pausesMs below 0: nobody counted them
     * @param ownBytes what the times of the calls take
     */
    void tell(final long readyNs, final long cpuBeforeNs, final long pausesMs, final long ownBytes) {
        System.gc();
        final Runtime runtime = Runtime.getRuntime();
        final String told = "{\"ready_ns\":" + readyNs
                + (cpuBeforeNs < 0 ? "" : ",\"cpu_before_ns\":" + cpuBeforeNs)
                + (pausesMs < 0 ? ",\"problem\":\"" + NO_BEANS + "\"" : ",\"pauses_ms\":" + pausesMs)
                + ",\"live_bytes\":" + (runtime.totalMemory() - runtime.freeMemory() - ownBytes)
                + procNumber("/proc/self/status", "VmHWM:", "peak_bytes", 1024, ownBytes)
                + procNumber("/proc/self/io", "wchar:", "written_bytes", 1, 0) + "}\n";
        try {
            Files.write(
                    this.name.resolveSibling(this.name.getFileName() + ".told"),
                    told.getBytes(StandardCharsets.US_ASCII));
        } catch (final IOException e) {
            return;
        }
    }

    private static String procNumber(
            final String path, final String name, final String key, final long scale, final long less) {
        try {
            for (final String line : Files.readAllLines(new File(path).toPath())) {
                if (line.startsWith(name)) {
                    final String number = line.substring(name.length()).replace("kB", "").trim();
                    return ",\"" + key + "\":" + (scale * Long.parseLong(number) - less);
                }
            }
        } catch (final IOException | NumberFormatException e) {
            return "";
        }
        return "";
    }

    /** Gives the file its name; until then there is none. */
    void commit() throws IOException {
        this.channel.force(true);
        this.channel.close();
        Files.move(
                this.partName,
                this.name,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder = FileChannel.open(this.name.getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    /** Removes what was not committed. */
    @Override
    public void close() throws IOException {
        this.channel.close();
        Files.deleteIfExists(this.partName);
    }

    private void put(final long number, final char end) {
        long rest = Math.max(0, number);
        int count = 0;
        do {
            this.digits[count++] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        while (count > 0) {
            this.bytes[this.used++] = this.digits[--count];
        }
        this.bytes[this.used++] = (byte) end;
    }

    private void flush() throws IOException {
        final ByteBuffer buffer = ByteBuffer.wrap(this.bytes, 0, this.used);
        while (buffer.hasRemaining()) {
            this.channel.write(buffer);
        }
        this.used = 0;
    }
}
