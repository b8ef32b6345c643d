#include "runner/moobench/c/moobench.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char moobench_help[] =
    "Usage: moobench --output-filename FILE [options]\n"
    "Calls a monitored method again and again and stores how long each call took.\n"
    "\n"
    "  --total-calls N         calls of each thread (default 2000000)\n"
    "  --method-time NS        time the innermost call busy-waits, in ns (default 0)\n"
    "  --recursion-depth N     nested activations of the method in a call (default 10)\n"
    "  --total-threads N       threads calling at the same time (default 1)\n"
    "  --output-filename FILE  the raw file: a line a call, thread;nanoseconds\n"
    "  --quickstart            measure at once, without waiting for the clock frequency to rise\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 FILE is complete, 1 the run failed and FILE is untouched, 2 wrong usage.\n";

enum { CALLS, METHOD_TIME, DEPTH, THREADS, NUMBERS, OUTPUT = NUMBERS, QUICKSTART, HELP, VERSION };

static const struct {
    const char *name;
    int64_t minimum, maximum; /* of a number */
} known[] = {[CALLS] = {"--total-calls", 1, MOOBENCH_CALLS_MAX},
             [METHOD_TIME] = {"--method-time", 0, MOOBENCH_METHOD_TIME_MAX_NS},
             [DEPTH] = {"--recursion-depth", 1, MOOBENCH_DEPTH_MAX},
             [THREADS] = {"--total-threads", 1, MOOBENCH_THREADS_MAX},
             [OUTPUT] = {"--output-filename", 0, 0},
             [QUICKSTART] = {"--quickstart", 0, 0},
             [HELP] = {"--help", 0, 0},
             [VERSION] = {"--version", 0, 0}};
enum { KNOWN_COUNT = sizeof known / sizeof known[0] };

static size_t find_known(const char *argument, size_t length) {
    size_t i = 0;
    while (i < KNOWN_COUNT &&
           (strlen(known[i].name) != length || strncmp(known[i].name, argument, length) != 0))
        i++;
    return i;
}

static bool parse_number(const char *text, int64_t minimum, int64_t maximum, int64_t *value) {
    if (text[0] < '0' || text[0] > '9')
        return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0' || number < minimum || number > maximum)
        return false;
    *value = number;
    return true;
}

moobench_request moobench_options_parse(int argc, char **argv, moobench_options *options,
                                        char *problem, size_t problem_size) {
    int64_t numbers[NUMBERS] = {[CALLS] = 2000000, [DEPTH] = 10, [THREADS] = 1};
    *options = (moobench_options){0};
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        size_t length = equals ? (size_t)(equals - argv[i]) : strlen(argv[i]);
        size_t k = find_known(argv[i], length);
        if (k == KNOWN_COUNT) {
            snprintf(problem, problem_size, "unknown option '%s'", argv[i]);
            return MOOBENCH_USAGE;
        }
        if (k == HELP || k == VERSION)
            return k == HELP ? MOOBENCH_HELP : MOOBENCH_VERSION;
        if (k == QUICKSTART) {
            if (equals) {
                snprintf(problem, problem_size, "%s takes no value", known[k].name);
                return MOOBENCH_USAGE;
            }
            options->quickstart = true;
            continue;
        }
        const char *text = equals ? equals + 1 : i + 1 < argc ? argv[++i] : "";
        if (text[0] == '\0') {
            snprintf(problem, problem_size, "%s needs a value", known[k].name);
            return MOOBENCH_USAGE;
        }
        if (k == OUTPUT) {
            options->output_filename = text;
        } else if (!parse_number(text, known[k].minimum, known[k].maximum, &numbers[k])) {
            snprintf(problem, problem_size,
                     "%s: '%s' is not a whole number from %" PRId64 " to %" PRId64, known[k].name,
                     text, known[k].minimum, known[k].maximum);
            return MOOBENCH_USAGE;
        }
    }
    if (!options->output_filename) {
        snprintf(problem, problem_size, "--output-filename is missing: it names the raw file");
        return MOOBENCH_USAGE;
    }
    options->total_calls = numbers[CALLS];
    options->method_time_ns = numbers[METHOD_TIME];
    options->recursion_depth = (int)numbers[DEPTH];
    options->total_threads = (int)numbers[THREADS];
    return MOOBENCH_RUN;
}
