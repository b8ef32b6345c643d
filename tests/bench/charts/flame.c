/* How long a flame graph of 5,000 frames takes to be laid out and written as SVG. */
#include "web/chart/flame.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FRAMES 5000u
#define REPEATS 101

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A tree in which each frame calls three others, all wide enough to be drawn somewhere. */
static void fill(det_stacks *stacks) {
    uint32_t frame = DET_STACKS_ROOT;
    for (uint32_t i = 0; i < FRAMES; i++) {
        char name[64];
        const int length = snprintf(name, sizeof name, "function_number_%u", i);
        if (det_stacks_child(stacks, i / 3, name, (size_t)length, &frame) != DET_OK)
            exit(1);
        det_stacks_add(stacks, frame, 0, 100 + i % 7);
        det_stacks_add(stacks, frame, 2, 100 + i % 11);
    }
}

int main(void) {
    const double calls[4] = {1, 1, 1, 1};
    const det_contrast_plan plan = {1, 1, calls, 0.95};
    const web_flame_options options = {.title = "C rose", .scale_ns = 0.1, .width = 2400};
    double times[REPEATS];
    gsize bytes = 0;
    det_stacks *stacks = det_stacks_new(4);
    if (!stacks)
        return 1;
    fill(stacks);
    for (int i = 0; i < REPEATS; i++) {
        GError *error = NULL;
        const double start = now_ms();
        GBytes *file = web_flame_render(stacks, &plan, &options, WEB_CHART_SVG, &error);
        times[i] = now_ms() - start;
        if (!file) {
            fprintf(stderr, "bench_flame: %s\n", error->message);
            return 1;
        }
        bytes = g_bytes_get_size(file);
        g_bytes_unref(file);
    }
    qsort(times, REPEATS, sizeof *times, compare);
    printf("{\"frames\": %u, \"svg_ms\": %.3f, \"svg_bytes\": %lu}\n", FRAMES, times[REPEATS / 2],
           (unsigned long)bytes);
    det_stacks_free(stacks);
    return 0;
}
