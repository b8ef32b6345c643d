#include "runner/measure/places.h"

#include "runner/driver/harvest.h"
#include "runner/process/scratch.h"

void run_places_clear(run_places *at) {
    g_free(at->folder);
    g_free(at->out);
    g_free(at->scratch);
    g_free(at->raw);
    g_free(at->result);
    g_free(at->log);
    g_free(at->own);
    run_private_clear(&at->own_places);
}

bool run_places_make(run_places *at, const run_node *node, const char *below, GError **error) {
    at->folder = run_node_path(node, below);
    at->out = g_build_filename(at->folder, "out", NULL);
    at->scratch = g_build_filename(at->folder, "scratch", NULL);
    at->raw = g_build_filename(at->out, RUN_HARVEST_RAW, NULL);
    at->result = g_build_filename(at->out, RUN_HARVEST_RESULT, NULL);
    at->log = g_build_filename(at->folder, RUN_HARVEST_LOG, NULL);
    at->own = g_build_filename(at->folder, "private", NULL);
    /* Only what is below is given away: the benchmark cannot swap its own folders for links. */
    return run_scratch_make(at->folder, error) && run_scratch_open(at->folder, error) &&
           run_scratch_make(at->out, error) && run_scratch_make(at->scratch, error) &&
           run_node_give(node, at->out, error) && run_node_give(node, at->scratch, error) &&
           run_node_places(node, at->own, &at->own_places, error);
}

run_process_spec run_places_process(const run_places *at, const run_node *node) {
    run_process_spec spec = run_node_process(node);
    spec.file_limit_bytes = node->config->loop_output_limit_bytes;
    spec.watch_directory = at->folder;
    spec.watch_limit_bytes = node->config->loop_output_limit_bytes;
    spec.places = &at->own_places;
    return spec;
}
