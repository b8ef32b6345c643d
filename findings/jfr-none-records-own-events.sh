#!/usr/bin/env bash
# A recording of JDK Flight Recorder with `settings=none` has no settings, so one expects no events but those that are asked for
# (`+jdk.MethodTrace#enabled=true`). It has each event of the application's own and of its libraries, with the stack: what a
# program pays with `settings=none` is what these cost. An event that nobody asks for needs @Enabled(false). Needs a JDK (JAVA_HOME).
set -euo pipefail
java=${JAVA_HOME:+$JAVA_HOME/bin/}
command -v "${java}jfr" "${java}javac" >/dev/null || {
    echo "this needs a JDK with jfr; JAVA_HOME says which" >&2
    exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >Probe.java <<'JAVA'
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Name;

public class Probe {
    @Name("probe.Plain") static class Plain extends Event {}
    @Name("probe.Off") @Enabled(false) static class Off extends Event {}

    public static void main(String[] arguments) {
        for (int i = 0; i < 1000; i++) {
            Plain plain = new Plain();
            plain.begin();
            plain.commit();
            Off off = new Off();
            off.begin();
            off.commit();
        }
    }
}
JAVA
"${java}javac" Probe.java || exit 2
"${java}java" "-XX:StartFlightRecording:settings=none,filename=probe.jfr" -cp . Probe >/dev/null 2>&1
"${java}jfr" print --events 'probe.*' probe.jfr >printed
plain=$(grep -c '^probe.Plain' printed || true)
off=$(grep -c '^probe.Off' printed || true)
stacks=$(grep -c 'stackTrace = \[' printed || true)
"${java}java" -version 2>&1 | head -n 1
echo "expected: no event, as settings=none asks for none"
echo "seen: $plain of 1000 events, $stacks of them with their stack; of one with @Enabled(false) $off"
[ "$plain" = 1000 ] && [ "$stacks" = 1000 ] && [ "$off" = 0 ]
