import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.ProtectionDomain;

/** An agent that loads the instrumented monitored class in place of the harness's own; its argument is a class path. */
public final class Replace implements ClassFileTransformer {
    private static final String NAME = "moowatch/moobench/application/MonitoredClass";
    private final byte[] bytes;

    private Replace(final Path file) throws IOException {
        this.bytes = Files.readAllBytes(file);
    }

    public static void premain(final String argument, final Instrumentation instrumentation) {
        try {
            instrumentation.addTransformer(new Replace(Paths.get(argument, NAME + ".class")));
        } catch (final IOException e) {
            throw new UncheckedIOException("no instrumented class: was ./prepare run?", e);
        }
    }

    @Override
    public byte[] transform(
            final ClassLoader loader,
            final String name,
            final Class<?> redefined,
            final ProtectionDomain domain,
            final byte[] before) {
        return NAME.equals(name) ? this.bytes : null;
    }
}
