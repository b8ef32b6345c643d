/* pytest-benchmark, --benchmark-json: seconds; its rounds share a process. */
#include "config/formats/formats.h"

static bool is(const fmt_input *in) {
    return fmt_has(in->root, "{s:{},s:[]}", "machine_info", "benchmarks");
}

static bool bench_read(const fmt_at *bench, fmt_night *night, GError **error) {
    const char *full = fmt_text_of(bench, "fullname");
    const char *name = full ? full : fmt_text_of(bench, "name");
    const fmt_at stats = fmt_get(bench, "stats"), data = fmt_get(&stats, "data");
    if (!name || !stats.json) {
        fmt_night_leave(night, name, NULL, name ? "it has no stats" : "a benchmark without name");
        return true;
    }
    fmt_value *value = fmt_night_once(night, bench, name, fmt_text_of(bench, "group"), error);
    if (!value)
        return false;
    const fmt_at extra = fmt_get(bench, "extra_info");
    value->mean_ns = fmt_real_of(&stats, "mean") * 1e9;
    fmt_night_unread_members(night, &extra, (const char *const[]){NULL});
    fmt_night_numbers(night, value, &data, 1e9, "");
    return true;
}

static void machine_read(const fmt_at *root, fmt_night *night) {
    static const char *const keys[] = {
        "node", "machine", "system", "release", "python_implementation", "python_version", NULL};
    static const char *const cpu_keys[] = {"brand_raw", "count", NULL};
    const fmt_at machine = fmt_get(root, "machine_info"), cpu = fmt_get(&machine, "cpu");
    fmt_night_machine(night, &machine, keys);
    fmt_night_machine(night, &cpu, cpu_keys);
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root), list = fmt_get(&root, "benchmarks");
    const fmt_at commit = fmt_get(&root, "commit_info");
    fmt_night *night = fmt_night_new(nights, "pytest");
    machine_read(&root, night);
    if (json_is_true(json_object_get(commit.json, "dirty")))
        fmt_night_note(night, "what was measured had changes that its commit does not have "
                              "(commit_info.dirty)");
    night->time_ms = fmt_time_ms(fmt_text_of(&root, "datetime"));
    night->sha = g_strdup(fmt_text_of(&commit, "id"));
    night->commit_ms = fmt_time_ms(fmt_text_of(&commit, "time"));
    return fmt_each(&list, night, bench_read, error);
}

const fmt_format fmt_pytest = {"pytest", "pytest-benchmark", "is it written by --benchmark-json?",
                               is, take};
