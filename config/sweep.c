#include "config/sections.h"

enum { VALUES_LEAST = 2, VALUES_MOST = 32 };

/* As of the benchmark's own. */
#define VALUES(key, least, largest)                                                                \
    {                                                                                              \
        .offset = offsetof(cfg_sweep, values), .count_offset = offsetof(cfg_sweep, count),         \
        .type = MODEL_NUMBERS, .name = (key), .need = MODEL_LEFT_OUT, .low = (least),              \
        .high = (largest)                                                                          \
    }

static const model_member parameters[] = {
    [CFG_SWEEP_DEPTH] = VALUES("recursion_depth", 1, 100000),
    [CFG_SWEEP_METHOD_TIME] = VALUES("method_time_ns", 0, 1e9),
    [CFG_SWEEP_THREADS] = VALUES("threads", 1, 1024),
};
const model_noun cfg__sweep_noun = MODEL_NOUN(cfg_sweep, parameters, "sweep");

const char *cfg_sweep_name(cfg_sweep_of of) {
    return parameters[of].name;
}

cfg_benchmark cfg_sweep_at(const cfg_benchmark *benchmark, unsigned point) {
    const uint64_t value = benchmark->sweep.values[point];
    cfg_benchmark at = *benchmark;
    switch (benchmark->sweep.of) {
    case CFG_SWEEP_DEPTH:
        at.recursion_depth = (unsigned)value;
        break;
    case CFG_SWEEP_METHOD_TIME:
        at.method_time_ns = value;
        break;
    case CFG_SWEEP_THREADS:
        at.threads = (unsigned)value;
        break;
    }
    return at;
}

bool cfg__values_ascend(const cfg__yaml *yaml, const char *key, const uint64_t *values,
                        unsigned count, GError **error) {
    for (unsigned i = 1; i < count; i++)
        if (values[i] <= values[i - 1]) {
            g_autofree char *place = g_strdup_printf("%s[%u]", key, i);
            return cfg__yaml_wrong(yaml, error, place,
                                   "each value must be larger than the one before it");
        }
    return true;
}

bool cfg__sweep_fill(const cfg__yaml *yaml, cfg_sweep *sweep, GError **error) {
    unsigned given = 0;
    if (!cfg__yaml_has(yaml, "benchmark.sweep"))
        return true;
    for (unsigned i = 0; i < G_N_ELEMENTS(parameters); i++) {
        g_autofree char *first = g_strconcat("benchmark.sweep.", parameters[i].name, "[0]", NULL);
        if (cfg__yaml_has(yaml, first)) {
            given++;
            sweep->of = (cfg_sweep_of)i;
        }
    }
    if (given != 1)
        return cfg__yaml_wrong(yaml, error, "benchmark.sweep",
                               "needs the values of one of recursion_depth, method_time_ns and "
                               "threads, not of %u",
                               given);
    if (sweep->count < VALUES_LEAST || sweep->count > VALUES_MOST)
        return cfg__yaml_wrong(yaml, error, "benchmark.sweep", "needs %d to %d values, not %u",
                               VALUES_LEAST, VALUES_MOST, sweep->count);
    g_autofree char *key = g_strconcat("benchmark.sweep.", cfg_sweep_name(sweep->of), NULL);
    return cfg__values_ascend(yaml, key, sweep->values, sweep->count, error);
}
