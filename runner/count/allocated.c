#include "runner/count/allocated.h"

#include "runner/ground/error.h"

#include <math.h>
#include <string.h>

/* Reads one line, and steps behind it. */
static bool take_line(const char **at, guint64 *thread, double *bytes) {
    char *end = NULL;
    *thread = g_ascii_strtoull(*at, &end, 10);
    if (end == *at || *end != ';')
        return false;
    const char *second = strchr(end + 1, ';');
    if (!second)
        return false;
    *bytes = g_ascii_strtod(second + 1, &end);
    if (end == second + 1 || !isfinite(*bytes) || (*end != ';' && *end != '\n' && *end != '\0'))
        return false;
    const char *next = strchr(end, '\n');
    *at = next ? next + 1 : end + strlen(end);
    return true;
}

/* What the second half of a thread's calls allocated, and how many calls those are. */
static void add_thread(const GArray *bytes, double *sum, double *counted) {
    const guint half = bytes->len / 2;
    if (half == 0)
        return;
    *sum += g_array_index(bytes, double, bytes->len - 1) - g_array_index(bytes, double, half - 1);
    *counted += bytes->len - half;
}

/* Of all threads, one after the other in the file; counted: calls of the second halves. */
static bool add_threads(const char *text, guint *lines, double *sum, double *counted) {
    g_autoptr(GArray) mine = g_array_new(FALSE, FALSE, sizeof(double));
    guint64 thread = 0, last = 0;
    for (const char *at = text; *at;) {
        double bytes;
        if (!take_line(&at, &thread, &bytes))
            return false;
        if (mine->len > 0 && thread != last) {
            add_thread(mine, sum, counted);
            g_array_set_size(mine, 0);
        }
        g_array_append_val(mine, bytes);
        last = thread;
        ++*lines;
    }
    add_thread(mine, sum, counted);
    return true;
}

bool run_allocated_bytes(const char *text, size_t size, double calls, double *values,
                         GError **error) {
    guint lines = 0;
    double sum = 0, counted = 0;
    if (strlen(text) != size || !add_threads(text, &lines, &sum, &counted)) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "its raw file, line %u: no allocated bytes",
                    lines + 1);
        return false;
    }
    if ((double)lines != calls || !(counted > 0)) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "its raw file has %u calls, not %.0f", lines,
                    calls);
        return false;
    }
    values[0] = sum / counted;
    return true;
}
