#pragma once
/*
 * list - the formats that are known, in the order in which a text is asked: a file of this folder
 * each, which defines fmt_<name>, and its word in read.format.
 */
#define FMT_LIST(X)                                                                                \
    X(github, "github-action-benchmark")                                                           \
    X(jmh, "jmh-json")                                                                             \
    X(google, "google-benchmark-json")                                                             \
    X(pytest, "pytest-benchmark-json")                                                             \
    X(hyperfine, "hyperfine-json")                                                                 \
    X(gungraun, "gungraun-json")                                                                   \
    X(benchmarkdotnet, "benchmarkdotnet-json")                                                     \
    X(criterion, "criterion-json")                                                                 \
    X(pyperf, "pyperf-json")                                                                       \
    X(asv, "asv-json")                                                                             \
    X(bmf, "bmf-json")                                                                             \
    X(gotest, "go-test")                                                                           \
    X(libtest, "libtest")                                                                          \
    X(moobench, "moobench-yaml")
