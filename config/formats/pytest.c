/* pytest-benchmark, --benchmark-json: seconds; its rounds share a process. */
#include "config/formats/formats.h"
#include "config/json_text.h"

#include <string.h>

static bool is(const fmt_input *in) {
    return fmt_has(in->root, "{s:{},s:[]}", "machine_info", "benchmarks");
}

#define NS "_ns" /* of the timers that count them: perf_counter_ns */

/* By another timer than the wall clock (--benchmark-timer=time.process_time) it is another
 * benchmark. Owned. */
static char *timed_name(const char *name, const char *timer) {
    static const char *const wall[] = {"perf_counter", "monotonic", "time", NULL};
    g_autofree char *bare = g_strdup(timer);
    if (g_str_has_suffix(bare, NS))
        bare[strlen(bare) - strlen(NS)] = '\0';
    return g_strv_contains(wall, bare) ? g_strdup(name) : g_strdup_printf("%s [%s]", name, timer);
}

static bool bench_read(const fmt_at *bench, fmt_night *night, GError **error) {
    const char *name = cfg_json_word(bench->json, "fullname", fmt_text_of(bench, "name"));
    const fmt_at stats = fmt_get(bench, "stats"), data = fmt_get(&stats, "data");
    if (!name || !stats.json) {
        fmt_night_leave(night, name, NULL, name ? "it has no stats" : "a benchmark without name");
        return true;
    }
    const fmt_at options = fmt_get(bench, "options");
    const char *timer = cfg_json_word(options.json, "timer", "perf_counter");
    const double ns = g_str_has_suffix(timer, NS) ? 1 : 1e9;
    g_autofree char *full = timed_name(name, timer);
    fmt_value *value = fmt_night_once(night, bench, full, fmt_text_of(bench, "group"), error);
    if (!value)
        return false;
    const fmt_at extra = fmt_get(bench, "extra_info");
    value->mean_ns = fmt_real_of(&stats, "mean") * ns;
    fmt_night_unread_members(night, &extra, (const char *const[]){NULL});
    fmt_night_numbers(night, value, &data, ns, "");
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
