#include "runner/process/printed.h"

#include "runner/protocol.h"

void run_printed_begin(run_printed *printed, const run_output *output, bool quiet) {
    printed->now = output;
    printed->quiet = quiet;
}

void run_printed_end(run_printed *printed) {
    g_free(printed->last);
    printed->last = run_output_tail(printed->now, RUN_LOG_TAIL_BYTES);
    printed->now = NULL;
}

void run_printed_clear(run_printed *printed) {
    g_clear_pointer(&printed->last, g_free);
    printed->now = NULL;
}

char *run_printed_tail(const run_printed *printed) {
    if (!printed->now)
        return g_strdup(printed->last);
    return printed->quiet ? NULL : run_output_tail(printed->now, RUN_LOG_TAIL_BYTES);
}
