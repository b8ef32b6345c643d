package moowatch.moobench;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import javax.management.JMException;
import javax.management.ObjectName;

/** What is live at the end, by class: collapsed stacks of one frame each, in bytes. Never where calls are measured. */
final class Heap {
    /** Names the file. */
    static final String PROPERTY = "moowatch.moobench.heap";

    private static final String PRIMITIVES = "ZbooleanBbyteCcharSshortIintJlongFfloatDdouble";
    private static final int COLUMNS = 4; // place, objects, bytes, class

    private Heap() {}

    /** The JVM's own histogram, after a collection. */
    static void list(final String file) throws IOException {
        try {
            final Object histogram = ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
            Files.write(new File(file).toPath(), collapsed(histogram.toString()).getBytes(StandardCharsets.UTF_8));
        } catch (final JMException e) {
            throw new IOException("this JVM lists no classes: " + e, e);
        }
    }

    private static String collapsed(final String histogram) {
        final StringBuilder text = new StringBuilder();
        for (final String line : histogram.split("\n")) {
            final String[] column = line.trim().split("\\s+", COLUMNS + 1);
            if (column.length >= COLUMNS && column[0].matches("\\d+:")) {
                text.append(name(column[COLUMNS - 1])).append(' ').append(column[COLUMNS - 2]).append('\n');
            }
        }
        return text.toString();
    }

    /* "[[Ljava.lang.String;" is "java.lang.String[][]", "[B" is "byte[]". */
    private static String name(final String internal) {
        final int dimensions = internal.lastIndexOf('[') + 1;
        final StringBuilder name = new StringBuilder(internal.substring(dimensions));
        if (dimensions > 0 && name.charAt(0) == 'L') {
            name.deleteCharAt(0).setLength(name.length() - 1);
        } else if (dimensions > 0) {
            final int begin = PRIMITIVES.indexOf(name.charAt(0)) + 1;
            int end = begin;
            while (end < PRIMITIVES.length() && Character.isLowerCase(PRIMITIVES.charAt(end))) {
                end++;
            }
            name.setLength(0);
            name.append(PRIMITIVES, begin, end);
        }
        for (int i = 0; i < dimensions; i++) {
            name.append("[]");
        }
        return name.toString();
    }
}
