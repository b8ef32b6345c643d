#!/usr/bin/env bash
# kieker.monitoring.enabled=false is the step of MooBench that tells what a probe costs that does nothing. One expects the writer not to be
# begun. The controller makes it all the same, and the TCP writer connects as it is made: a disabled program has a connection to the
# collector. Needs a JDK 11 or later and Maven.
set -euo pipefail
version=2.0.2
. "$(dirname "$0")/maven"
fetch_jars "net.kieker-monitoring:kieker:$version"
cat >Probe.java <<'JAVA'
import java.net.*;
import kieker.monitoring.core.controller.IMonitoringController;
import kieker.monitoring.core.controller.MonitoringController;

public class Probe {
    public static void main(String[] words) throws Exception {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        server.setSoTimeout(5000);
        String writer = "kieker.monitoring.writer.tcp.SingleSocketTcpWriter";
        System.setProperty("kieker.monitoring.enabled", "false");
        System.setProperty("kieker.monitoring.writer", writer);
        System.setProperty(writer + ".hostname", "127.0.0.1");
        System.setProperty(writer + ".port", "" + server.getLocalPort());
        IMonitoringController monitoring = MonitoringController.getInstance();
        boolean connected;
        try (Socket socket = server.accept()) {
            connected = true;
        } catch (SocketTimeoutException e) {
            connected = false;
        }
        System.out.println("expected: not enabled, not connected");
        System.out.println("seen: " + (monitoring.isMonitoringEnabled() ? "" : "not ") + "enabled, " + (connected ? "" : "not ") + "connected");
        System.exit(connected && !monitoring.isMonitoringEnabled() ? 0 : 1);
    }
}
JAVA
javac -cp 'lib/*' Probe.java || exit 2
echo "Kieker $version"
java -cp '.:lib/*' Probe 2>said
