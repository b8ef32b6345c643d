#include "ci/formats/summaries.h"

#include "ci/formats/night.h"
#include "config/summary_json.h"

#include <math.h>

static GPtrArray *links_of(const cfg_project *project, GError **error) {
    const cfg_benchmark *benchmark = &project->benchmark;
    g_autoptr(GPtrArray) links = g_ptr_array_new_with_free_func(ci_link_free);
    for (unsigned i = 0; i < benchmark->configurations_count; i++) {
        ci_link *link = g_new0(ci_link, 1);
        link->name = g_strdup(benchmark->configurations[i].name);
        g_ptr_array_add(links, link);
    }
    return ci_chain_project(links, project, error) ? g_steal_pointer(&links) : NULL;
}

static int find(const GPtrArray *links, const char *name) {
    for (guint i = 0; i < links->len; i++)
        if (g_str_equal(((const ci_link *)links->pdata[i])->name, name))
            return (int)i;
    return -1;
}

/* wanted: of the disturbed attempts first, the good ones second, so that those stand. */
static void take(ci_results *results, const json_t *loops, bool disturbed) {
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop) {
        const int at = find(results->links, ci_json_text(loop, "configuration", ""));
        const json_int_t number = json_integer_value(json_object_get(loop, "loop"));
        const json_t *summary = json_object_get(loop, "summary");
        if (at < 0 || number < 1 || number > results->loops || !json_is_object(summary) ||
            json_is_string(json_object_get(loop, "failed")) ||
            json_is_true(json_object_get(loop, "disturbed")) != disturbed)
            continue;
        det_summary calls;
        (void)cfg_summary_read(summary, &calls);
        results->configurations[at].loops[number - 1] = (ci_loop){
            .calls = calls,
            .warmup_calls = (uint64_t)json_integer_value(json_object_get(loop, "warmup_calls")),
            .threads = 1,
            .present = true};
    }
}

static unsigned loops_of(const json_t *loops) {
    json_int_t most = 0;
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop)
        most = MAX(most, json_integer_value(json_object_get(loop, "loop")));
    return most >= 1 && most <= DET_LOOPS_MAX ? (unsigned)most : 0;
}

ci_results *ci_summaries_read(const char *folder, const cfg_project *project, GError **error) {
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    json_error_t wrong;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
    const json_t *loops = json_object_get(root, "loops");
    g_autoptr(ci_results) results = g_new0(ci_results, 1);
    results->path = g_strdup(folder);
    results->loops = loops_of(loops);
    results->depth = project->benchmark.recursion_depth;
    results->links = links_of(project, error);
    if (results->links && !results->loops)
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: %s", path,
                    root ? "there are no loops in it" : wrong.text);
    bool good = results->links && results->loops &&
                ci_chain_detector(results->links, &results->chain, error);
    if (good) {
        results->configurations = g_new0(ci_configuration, results->links->len);
        for (guint i = 0; i < results->links->len; i++) {
            results->configurations[i] =
                (ci_configuration){.link = results->links->pdata[i],
                                   .loops = g_new0(ci_loop, results->loops),
                                   .all = det_summary_unknown()};
        }
        take(results, loops, true);
        take(results, loops, false);
    }
    json_decref(root);
    return good ? g_steal_pointer(&results) : NULL;
}
