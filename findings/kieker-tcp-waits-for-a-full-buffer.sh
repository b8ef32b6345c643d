#!/usr/bin/env bash
# Kieker's TCP writer is for whoever looks at a program while it runs. One expects a record to be there a moment after the call. The writer
# sends when its buffer of 64 KiB is full, and knows no time: a program with ten calls a second is seen after two minutes, and the last
# calls of one that hangs are not seen. Needs a JDK 11 or later and Maven.
set -euo pipefail
version=2.0.2
. "$(dirname "$0")/maven"
fetch_jars "net.kieker-monitoring:kieker:$version"
cat >Probe.java <<'JAVA'
import java.io.InputStream;
import java.net.*;
import java.util.concurrent.atomic.AtomicLong;
import kieker.common.record.controlflow.OperationExecutionRecord;
import kieker.monitoring.core.controller.IMonitoringController;
import kieker.monitoring.core.controller.MonitoringController;

public class Probe {
    public static void main(String[] words) throws Exception {
        AtomicLong arrived = new AtomicLong();
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread receiver = new Thread(() -> {
            byte[] bytes = new byte[1 << 16];
            try (Socket socket = server.accept(); InputStream in = socket.getInputStream()) {
                for (int got; (got = in.read(bytes)) > 0;)
                    arrived.addAndGet(got);
            } catch (java.io.IOException e) {
                e.printStackTrace();
            }
        });
        receiver.start();
        String writer = "kieker.monitoring.writer.tcp.SingleSocketTcpWriter";
        System.setProperty("kieker.monitoring.writer", writer);
        System.setProperty(writer + ".hostname", "127.0.0.1");
        System.setProperty(writer + ".port", "" + server.getLocalPort());
        IMonitoringController monitoring = MonitoringController.getInstance();
        for (int i = 0; i < 100; i++) {
            monitoring.newMonitoringRecord(new OperationExecutionRecord("public void shop.Order.make()", "session", i, i, i + 1, "host", 0, 0));
            Thread.sleep(100);
        }
        Thread.sleep(5000);
        long late = arrived.get();
        monitoring.terminateMonitoring();
        monitoring.waitForTermination(20000);
        receiver.join(20000);
        System.out.println("expected: of 100 records in ten seconds all are there five seconds after the last");
        System.out.println("seen: " + late + " bytes, and " + arrived.get() + " when monitoring has ended");
        System.exit(late == 0 && arrived.get() > 4000 ? 0 : 1);
    }
}
JAVA
javac -cp 'lib/*' Probe.java || exit 2
echo "Kieker $version"
java -cp '.:lib/*' Probe 2>said
