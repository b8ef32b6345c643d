#include "runner/loop/loop.h"

run_loop *run_loop_new(const char *configuration, const char *commit, unsigned number) {
    run_loop *loop = g_new0(run_loop, 1);
    loop->configuration = g_strdup(configuration);
    loop->commit = g_strdup(commit);
    loop->number = number;
    return loop;
}

void run_loop_free(run_loop *loop) {
    if (!loop)
        return;
    g_free(loop->configuration);
    g_free(loop->commit);
    g_free(loop->failed);
    g_free(loop->disturbed_by);
    g_clear_pointer(&loop->calls_per_second, g_array_unref);
    json_decref(loop->readings);
    g_free(loop);
}

void run_loop_add_reading(run_loop *loop, const char *key, json_t *value) {
    if (!loop->readings)
        loop->readings = json_object();
    json_object_set_new(loop->readings, key, value);
}

void run_loop_set_disturbed(run_loop *loop, const char *by) {
    char *words = g_strdup(by);
    g_free(loop->disturbed_by);
    loop->disturbed_by = words;
    loop->disturbed = by != NULL;
    loop->stray = loop->stray && by;
}

static void free_loop(gpointer loop) {
    run_loop_free(loop);
}

GPtrArray *run_loops_new(void) {
    return g_ptr_array_new_with_free_func(free_loop);
}

run_loop *run_loops_at(const GPtrArray *loops, guint i) {
    return loops->pdata[i];
}
