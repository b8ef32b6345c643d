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

enum {
    FLAG_QUICKSTART,
    FLAG_HELP,
    FLAG_VERSION,
    VALUE_CALLS,
    VALUE_TIME,
    VALUE_DEPTH,
    VALUE_THREADS,
    VALUE_OUTPUT
};

static const struct {
    const char *name;
    int id;
    int64_t minimum, maximum;
} known[] = {
    {"--quickstart", FLAG_QUICKSTART, 0, 0},
    {"--help", FLAG_HELP, 0, 0},
    {"--version", FLAG_VERSION, 0, 0},
    {"--total-calls", VALUE_CALLS, 1, MOOBENCH_CALLS_MAX},
    {"--method-time", VALUE_TIME, 0, MOOBENCH_METHOD_TIME_MAX_NS},
    {"--recursion-depth", VALUE_DEPTH, 1, MOOBENCH_DEPTH_MAX},
    {"--total-threads", VALUE_THREADS, 1, MOOBENCH_THREADS_MAX},
    {"--output-filename", VALUE_OUTPUT, 0, 0},
};
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

static void store(moobench_options *options, int id, int64_t number, const char *text) {
    switch (id) {
    case VALUE_CALLS:
        options->total_calls = number;
        break;
    case VALUE_TIME:
        options->method_time_ns = number;
        break;
    case VALUE_DEPTH:
        options->recursion_depth = (int)number;
        break;
    case VALUE_THREADS:
        options->total_threads = (int)number;
        break;
    case VALUE_OUTPUT:
        options->output_filename = text;
        break;
    default:
        break;
    }
}

moobench_request moobench_options_parse(int argc, char **argv, moobench_options *options,
                                        char *problem, size_t problem_size) {
    *options = (moobench_options){2000000, 0, 10, 1, NULL, false};
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        size_t length = equals ? (size_t)(equals - argv[i]) : strlen(argv[i]);
        size_t k = find_known(argv[i], length);
        if (k == KNOWN_COUNT) {
            snprintf(problem, problem_size, "unknown option '%s'", argv[i]);
            return MOOBENCH_USAGE;
        }
        if (known[k].id == FLAG_HELP)
            return MOOBENCH_HELP;
        if (known[k].id == FLAG_VERSION)
            return MOOBENCH_VERSION;
        if (known[k].id == FLAG_QUICKSTART) {
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
        int64_t number = 0;
        if (known[k].maximum > 0 &&
            !parse_number(text, known[k].minimum, known[k].maximum, &number)) {
            snprintf(problem, problem_size,
                     "%s: '%s' is not a whole number from %" PRId64 " to %" PRId64, known[k].name,
                     text, known[k].minimum, known[k].maximum);
            return MOOBENCH_USAGE;
        }
        store(options, known[k].id, number, text);
    }
    if (!options->output_filename) {
        snprintf(problem, problem_size, "--output-filename is missing: it names the raw file");
        return MOOBENCH_USAGE;
    }
    return MOOBENCH_RUN;
}
