/* A runner's result, a night's or a trial's: read, checked and weighed, never believed. */
#include "server/result/result.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char benchmark_text[] =
    "{\"loops\":5,\"configurations\":["
    "{\"name\":\"none\",\"label\":\"n\",\"portion\":\"T\",\"parent\":null},"
    "{\"name\":\"deactivated\",\"label\":\"d\",\"portion\":\"I\",\"parent\":\"none\"},"
    "{\"name\":\"writing\",\"label\":\"w\",\"portion\":\"W\",\"parent\":\"deactivated\"}]}";

static void read_as(const json_t *body, const srv__tree *tree, srv__commits commits) {
    g_autoptr(GError) error = NULL;
    g_autoptr(srv__result) result = srv__result_read(body, tree, commits, &error);
    if ((!result) != (error != NULL))
        abort();
    if (!result)
        return;
    g_autofree double *means = g_new(double, tree->chain.count * result->rounds);
    g_autofree char *flaw = srv__result_flaw(result, tree, 2);
    if (flaw && *flaw == '\0')
        abort();
    srv__result_values(result, tree->chain.count, false, means);
    for (size_t i = 0; i < tree->chain.count * result->rounds; i++)
        if (isinf(means[i]) || means[i] < 0)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const srv__commits night = {NULL, NULL, false}, trial = {"a", "b", false};
    const srv__commits bare = {NULL, NULL, true};
    srv__tree tree;
    json_t *benchmark = json_loads(benchmark_text, 0, NULL);
    json_t *body = json_loadb((const char *)data, size, 0, NULL);
    if (!srv__tree_read(&tree, benchmark, NULL))
        abort();
    if (json_is_object(body)) {
        read_as(body, &tree, night);
        read_as(body, &tree, trial);
        read_as(body, &tree, bare);
    }
    json_decref(body);
    json_decref(benchmark);
    return 0;
}
