#include "runner/count/interpreter.h"

#include "runner/ground/error.h"

#include <math.h>
#include <string.h>

enum { CALLS, ALLOCATIONS, BYTES, FIELDS };

/* Reads one line, and steps behind it. */
static bool take_line(const char **at, double *fields) {
    for (int i = 0; i < FIELDS; i++) {
        char *end = NULL;
        fields[i] = g_ascii_strtod(*at, &end);
        if (end == *at || !isfinite(fields[i]) || *end != (i < BYTES ? ';' : '\n'))
            return false;
        *at = end + 1;
    }
    return fields[CALLS] > 0;
}

bool run_interpreter_allocations(const char *text, size_t size, double calls, double *values,
                                 GError **error) {
    double sums[FIELDS] = {0}, fields[FIELDS];
    guint lines = 0;
    bool good = true;
    for (const char *at = text; *at && (good = take_line(&at, fields)); lines++)
        for (int i = 0; i < FIELDS; i++)
            sums[i] += fields[i];
    if (!good || strlen(text) != size) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                    "its file, line %u: expected calls;allocations;bytes", lines + 1);
        return false;
    }
    if (!(sums[CALLS] > 0) || sums[CALLS] > calls) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                    "its file counts %.0f calls, expected 1 to %.0f", sums[CALLS], calls);
        return false;
    }
    values[0] = sums[ALLOCATIONS] / sums[CALLS];
    values[1] = sums[BYTES] / sums[CALLS];
    return true;
}
