#!/usr/bin/env bash
# Callgrind counts instructions, and the benchmarks built on it (iai, Gungraun) are taken for exact. One expects the count of the code that
# runs without it. The C library picks memcpy, memset and strlen by what the processor says of itself, and Valgrind's processor says
# less: what is counted is another memcpy, of which no instruction runs where the program is used.
# Needs Valgrind, a C compiler, glibc on x86-64 and a processor for which glibc has something newer than AVX2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >probe.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    static const char *const names[] = {"memcpy", "memset", "strlen"};
    for (int i = 0; i < 3; i++) {
        Dl_info info;
        char *at = dlsym(RTLD_DEFAULT, names[i]);
        if (!at || !dladdr(at, &info))
            return 2;
        printf("%s%s %#tx", i ? ", " : "", names[i], at - (char *)info.dli_fbase);
    }
    return 0;
}
C
gcc -O1 -o probe probe.c -ldl || exit 2
native=$(./probe)
counted=$(valgrind --tool=callgrind --callgrind-out-file=out ./probe 2>log) || exit 2
valgrind --version
echo "expected: $native"
echo "seen: $counted"
[ "$native" != "$counted" ]
