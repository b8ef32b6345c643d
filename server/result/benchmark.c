#include "server/result/benchmark.h"

#include <stdlib.h>
#include <string.h>

char *srv_benchmark_identity(const json_t *benchmark) {
    static const char *const aside[] = {
        "loops",      "prepare_timeout_seconds", "loop_timeout_seconds", "rest_seconds",
        "confidence", "artifact_wait_seconds",   "precision_percent",    "network"};
    json_t *copy = json_deep_copy(benchmark);
    for (size_t i = 0; i < G_N_ELEMENTS(aside); i++)
        json_object_del(copy, aside[i]);
    json_object_del(json_object_get(copy, "read"), "match_limit");
    json_object_del(json_object_get(copy, "read"), "timeout_seconds");
    json_object_del(json_object_get(copy, "read"), "size_limit_bytes");
    size_t at;
    json_t *configuration;
    json_array_foreach (json_object_get(copy, "configurations"), at, configuration) {
        json_object_del(configuration, "label");
        json_object_del(configuration, "portion");
    }
    char *hash = srv_json_hash(copy);
    json_decref(copy);
    return hash;
}

char *srv_json_canonical(const json_t *json) {
    char *dumped = json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT | JSON_ENCODE_ANY);
    char *text = g_strdup(dumped);
    free(dumped);
    return text;
}

char *srv_json_hash(const json_t *json) {
    g_autofree char *text = srv_json_canonical(json);
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
}
