#!/usr/bin/env bash
# An agent for Java whose premain() is empty: one expects that a JVM with it starts as one without, and 20 classes later. Any -javaagent adds the module
# java.instrument, and with a module that is added the JVM does not take the graph of modules that its archive of classes has: it makes it anew. So it loads half as
# many classes again, or more, and takes more than twice the processor time. Of what an agent costs at start this part is none of its own.
# Needs a JDK of 17 or later with its archive of classes; of PATH, and where they are there of /usr/lib/jvm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo 'public final class Empty { public static void premain(final String argument) { } public static void main(final String[] a) { } }' >Empty.java
command -v javac >/dev/null || exit 2
javac --release 8 -Xlint:-options -d classes Empty.java >&2 && printf 'Premain-Class: Empty\n' >manifest
jar --create --file agent.jar --manifest manifest -C classes .
# classes JAVA OPTION…: how many it loads, and whether it takes the archive's graph
classes() {
    "$1" -Xlog:class+load,cds=info "${@:2}" -cp classes Empty >log
    echo "$(grep -c 'source:' log) classes$(grep -q 'full module graph: disabled' log && echo ', module graph disabled')"
}
# milliseconds JAVA OPTION…: of processor time, the least of ten
milliseconds() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        (TIMEFORMAT='%3U %3S' && time "$@" -cp classes Empty) 2>&1 | awk '{print int(($1 + $2) * 1000)}'
    done | sort -n | head -n 1
}
again=yes tried=
for java in $(for one in "$(command -v java)" /usr/lib/jvm/*/bin/java; do readlink -f "$one"; done | sort -u); do
    version=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
    [[ $version -ge 17 ]] || continue
    tried=yes
    none=$(classes "$java") agent=$(classes "$java" -javaagent:agent.jar)
    echo "JDK $version: expected: as many classes with an empty agent as without, and 20"
    echo "        seen: without $none and $(milliseconds "$java") ms; with it $agent and $(milliseconds "$java" -javaagent:agent.jar) ms"
    [[ ${agent%% *} -gt $((${none%% *} * 4 / 3)) && $agent == *disabled && $none != *disabled ]] || again=
done
[[ $tried ]] || exit 2
[[ $again ]]
