/*
 * bench_charts <nights.json> <repeats>: how long our charts take, in milliseconds.
 * Prints one JSON object: the median of the repeats of each way, and the sizes.
 *   <format>        from the API's nights in memory to the file's bytes
 *   <format>_drawn  from a history kept in memory
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "web/chart/chart.h"
#include "web/chart/history.h"

enum { REPEATS_MAX = 1000 };

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Median time of drawing; history NULL: read the nights each time. */
static double measure(const json_t *nights, const web_history *history, web_chart_format format,
                      int repeats, gsize *size) {
    static const web_chart_options options = {.title = "Kieker", .width = 900, .height = 380};
    double times[REPEATS_MAX];
    for (int i = 0; i < repeats; i++) {
        GError *error = NULL;
        double start = now_ms();
        GBytes *file = history ? web_chart_render_history(history, &options, format, &error)
                               : web_chart_render(nights, &options, format, &error);
        times[i] = now_ms() - start;
        if (!file) {
            fprintf(stderr, "bench_charts: %s\n", error->message);
            exit(1);
        }
        *size = g_bytes_get_size(file);
        g_bytes_unref(file);
    }
    qsort(times, (size_t)repeats, sizeof *times, compare);
    return times[repeats / 2];
}

int main(int argc, char **argv) {
    int repeats = argc == 3 ? atoi(argv[2]) : 0;
    json_error_t where;
    json_t *nights = argc == 3 ? json_load_file(argv[1], 0, &where) : NULL;
    if (!nights || repeats < 1 || repeats > REPEATS_MAX) {
        fprintf(stderr, "usage: bench_charts <nights.json> <repeats, 1 to %d>\n", REPEATS_MAX);
        return 2;
    }
    web_history *history = web_history_new(nights, NULL, NULL, 0, NULL);
    static const char *const names[] = {"svg", "png", "pdf"};
    json_t *out = json_object();
    for (int format = WEB_CHART_SVG; format <= WEB_CHART_PDF; format++) {
        gsize size = 0;
        char key[32];
        double ms = measure(nights, NULL, (web_chart_format)format, repeats, &size);
        json_object_set_new(out, names[format], json_real(ms));
        ms = measure(nights, history, (web_chart_format)format, repeats, &size);
        snprintf(key, sizeof key, "%s_drawn", names[format]);
        json_object_set_new(out, key, json_real(ms));
        snprintf(key, sizeof key, "%s_bytes", names[format]);
        json_object_set_new(out, key, json_integer((json_int_t)size));
    }
    json_dumpf(out, stdout, JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(out);
    web_history_free(history);
    json_decref(nights);
    return 0;
}
