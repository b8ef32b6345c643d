/* moobench - the native harness: options → calls → raw file. */
#include "runner/moobench/c/moobench.h"

#include <stdio.h>
#include <string.h>

/* Raised when a change here can move a measured value; part of an experiment's environment. */
#define HARNESS_VERSION "moobench-native 3"

static int fail(const char *what, const char *name, int error) {
    char words[128];
    fprintf(stderr, "moobench: cannot %s%s%s: %s\n", what, name[0] ? " " : "", name,
            strerror_r(error, words, sizeof words));
    return 1;
}

static int run(const moobench_options *options) {
    moobench_raw raw;
    int error = moobench_raw_open(&raw, options->output_filename);
    if (error)
        return fail("create the raw file", options->output_filename, error);
    moobench_calls calls;
    error = moobench_calls_measure(options, &calls);
    if (error) {
        moobench_raw_discard(&raw);
        return fail("set up the threads and memory asked for; lower --total-calls or "
                    "--total-threads",
                    "", error);
    }
    moobench_raw_tell(&raw, &calls);
    error = moobench_raw_write(&raw, &calls);
    moobench_calls_clear(&calls);
    return error ? fail("write the raw file", options->output_filename, error) : 0;
}

int main(int argc, char **argv) {
    moobench_options options;
    char problem[512];
    switch (moobench_options_parse(argc, argv, &options, problem, sizeof problem)) {
    case MOOBENCH_HELP:
        fputs(moobench_help, stdout);
        return 0;
    case MOOBENCH_VERSION:
        puts(HARNESS_VERSION);
        return 0;
    case MOOBENCH_USAGE:
        fprintf(stderr, "moobench: %s; see --help\n", problem);
        return 2;
    default:
        return run(&options);
    }
}
