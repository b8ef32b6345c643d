#include "config/sections.h"

enum { VALUES_LEAST = 2, VALUES_MOST = 32 };

static const cyaml_schema_value_t number = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint64_t)};

#define NUMBERS(key)                                                                               \
    CYAML_FIELD_SEQUENCE(#key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, cfg__raw_sweep, key,      \
                         &number, 0, CYAML_UNLIMITED)

const cyaml_schema_field_t cfg__sweep_fields[] = {NUMBERS(recursion_depth), NUMBERS(method_time_ns),
                                                  NUMBERS(threads), CYAML_FIELD_END};

static const struct {
    const char *name;
    uint64_t low, high; /* as of the benchmark's own */
} parameters[] = {
    [CFG_SWEEP_DEPTH] = {"recursion_depth", 1, 100000},
    [CFG_SWEEP_METHOD_TIME] = {"method_time_ns", 0, UINT64_C(1000000000)},
    [CFG_SWEEP_THREADS] = {"threads", 1, 1024},
};

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

static bool values_fill(const cfg__yaml *yaml, const uint64_t *values, unsigned count,
                        cfg_sweep *out, GError **error) {
    const cfg__range range = {0, parameters[out->of].low, parameters[out->of].high};
    out->values = g_new0(uint64_t, count);
    out->count = count;
    for (unsigned i = 0; i < count; i++) {
        g_autofree char *key =
            g_strdup_printf("benchmark.sweep.%s[%u]", parameters[out->of].name, i);
        if (!cfg__yaml_number(yaml, key, &values[i], range, &out->values[i], error))
            return false;
        if (i > 0 && values[i] <= values[i - 1])
            return cfg__yaml_wrong(yaml, error, key, "the values must ascend, each once");
    }
    return true;
}

bool cfg__sweep_fill(const cfg__yaml *yaml, const cfg__raw_sweep *raw, cfg_sweep *out,
                     GError **error) {
    if (!raw)
        return true;
    const uint64_t *const values[] = {raw->recursion_depth, raw->method_time_ns, raw->threads};
    const unsigned counts[] = {raw->recursion_depth_count, raw->method_time_ns_count,
                               raw->threads_count};
    unsigned given = 0, count = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(parameters); i++)
        if (values[i]) {
            given++;
            count = counts[i];
            out->of = (cfg_sweep_of)i;
        }
    if (given != 1)
        return cfg__yaml_wrong(yaml, error, "benchmark.sweep",
                               "needs the values of one of recursion_depth, method_time_ns and "
                               "threads, not of %u",
                               given);
    if (count < VALUES_LEAST || count > VALUES_MOST)
        return cfg__yaml_wrong(yaml, error, "benchmark.sweep", "needs %d to %d values, not %u",
                               VALUES_LEAST, VALUES_MOST, count);
    return values_fill(yaml, values[out->of], count, out, error);
}

void cfg__sweep_clear(cfg_sweep *sweep) {
    g_free(sweep->values);
}
