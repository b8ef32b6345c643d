#include "server/result/result.h"

#include "config/formats/formats.h"
#include "config/json_text.h"
#include "config/units.h"

/* What it measures, without how long or how often, and without its names for people; owned. */
static json_t *essence(const json_t *benchmark) {
    static const char *const aside[] = {"loops",
                                        "prepare_timeout_seconds",
                                        "loop_timeout_seconds",
                                        "rest_seconds",
                                        "confidence",
                                        "artifact_wait_seconds",
                                        "precision_percent",
                                        "network",
                                        "budget_minutes",
                                        "warmup_evidence",
                                        "count"};
    static const char *const of_read[] = {"match_limit", "timeout_seconds", "size_limit_bytes"};
    json_t *copy = json_deep_copy(benchmark);
    for (size_t i = 0; i < G_N_ELEMENTS(aside); i++)
        json_object_del(copy, aside[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(of_read); i++)
        json_object_del(json_object_get(copy, "read"), of_read[i]);
    size_t at;
    json_t *configuration;
    cfg_json_each (copy, "configurations", at, configuration) {
        json_object_del(configuration, "label");
        json_object_del(configuration, "portion");
        json_object_del(configuration, "better");
        json_object_del(configuration, "full");
        json_object_del(configuration, "loads");
    }
    return copy;
}

char *srv_benchmark_identity(const json_t *benchmark) {
    json_auto_t *copy = essence(benchmark);
    return srv_json_hash(copy);
}

static bool has_configuration(const json_t *configurations, const json_t *wanted) {
    size_t i;
    json_t *each;
    json_array_foreach (configurations, i, each)
        if (json_equal(each, wanted))
            return true;
    return false;
}

/* Every configuration of part is in whole. */
static bool contains(const json_t *whole, const json_t *part) {
    size_t i;
    json_t *each;
    json_array_foreach (part, i, each)
        if (!has_configuration(whole, each))
            return false;
    return true;
}

bool srv_benchmark_continues(const json_t *benchmark, const json_t *earlier) {
    json_auto_t *now = essence(benchmark), *then = essence(earlier);
    json_auto_t *all = json_incref(json_object_get(now, "configurations"));
    json_auto_t *had = json_incref(json_object_get(then, "configurations"));
    json_object_del(now, "configurations");
    json_object_del(then, "configurations");
    return json_equal(now, then) && json_array_size(all) > 0 && json_array_size(had) > 0 &&
           (contains(all, had) || contains(had, all));
}

static json_t *configuration_of(const json_t *benchmark, const json_t *name) {
    size_t i;
    json_t *each;
    cfg_json_each (benchmark, "configurations", i, each)
        if (json_equal(json_object_get(each, "name"), name))
            return each;
    return NULL;
}

/* A configuration of that name had no unit, and never one. */
static bool was_ns(const json_t *rows, const json_t *name) {
    bool had = false;
    size_t i;
    json_t *row;
    json_array_foreach (rows, i, row) {
        const json_t *then = configuration_of(json_object_get(row, "body"), name);
        if (json_object_get(then, "unit"))
            return false;
        had = had || then;
    }
    return had;
}

json_t *srv_benchmark_in_its_units(const json_t *benchmark, const json_t *rows, json_t *turned) {
    json_t *copy = json_deep_copy(benchmark), *each;
    size_t i;
    cfg_json_each (copy, "configurations", i, each) {
        const json_t *name = json_object_get(each, "name");
        const char *unit = cfg_json_word(each, "unit", NULL);
        const bool rate = cfg_unit_is_throughput(unit);
        if ((!rate && g_strcmp0(unit, FMT_INSTRUCTIONS) != 0) || !was_ns(rows, name))
            continue;
        if (rate)
            json_object_set_new(turned, json_string_value(name), json_real(cfg_unit_rate_ns(unit)));
        json_object_del(each, "unit");
        json_object_del(each, "better");
    }
    return copy;
}

/* One that both have, compared with what it was compared with. */
static void parent_keep(json_t *own, const json_t *then) {
    json_t *parent = json_object_get(then, "parent");
    if (json_equal(parent, json_object_get(own, "parent")))
        return;
    json_object_set(own, "parent", parent);
    json_object_set(own, "portion", json_object_get(then, "portion"));
}

/* In their order of then, with those that it alone has and kept names (NULL: all); what came since
 * is behind them. Owned; NULL: none is in both, they are of two things. */
static json_t *joined(const json_t *benchmark, const json_t *earlier, const json_t *kept) {
    json_auto_t *copy = json_deep_copy(benchmark), *all = json_array();
    size_t i, shared = 0;
    json_t *each;
    cfg_json_each (earlier, "configurations", i, each) {
        json_t *name = json_object_get(each, "name"), *own = configuration_of(copy, name);
        if (own)
            parent_keep(own, each);
        if (own || !kept || json_object_get(kept, json_string_value(name)))
            json_array_append(all, own ? own : each);
        shared += own != NULL;
    }
    cfg_json_each (copy, "configurations", i, each)
        if (!configuration_of(earlier, json_object_get(each, "name")))
            json_array_append(all, each);
    json_object_set(copy, "configurations", all);
    return shared > 0 ? json_incref(copy) : NULL;
}

json_t *srv_benchmark_as_before(const json_t *benchmark, const json_t *earlier,
                                const json_t *kept) {
    json_auto_t *some = joined(benchmark, earlier, kept), *all = joined(benchmark, earlier, NULL);
    return !some                                    ? NULL
           : srv_benchmark_continues(some, earlier) ? json_incref(some)
           : srv_benchmark_continues(all, earlier)  ? json_incref(all)
                                                    : NULL;
}

enum { JSON_CANONICAL = JSON_SORT_KEYS | JSON_COMPACT | JSON_ENCODE_ANY };

char *srv_json_canonical(const json_t *json) {
    return json_dumps(json, JSON_CANONICAL);
}

static int hash_piece(const char *text, size_t size, void *hash) {
    g_checksum_update(hash, (const guchar *)text, (gssize)size);
    return 0;
}

/* Of the canonical text, which is not made: it may be as long as a result. */
char *srv_json_hash(const json_t *json) {
    g_autoptr(GChecksum) hash = g_checksum_new(G_CHECKSUM_SHA256);
    json_dump_callback(json, hash_piece, hash, JSON_CANONICAL);
    return g_strdup(g_checksum_get_string(hash));
}
