/* hyperfine --export-json, format 1 and 2: every run of a command is a fresh process. */
#include "config/formats/formats.h"
#include "config/json_text.h"
#include "config/units.h"

#include <math.h>

#define WALL "time_wall_clock"

static bool is(const fmt_input *in) {
    return fmt_has(in->root, "{s:[{s:s}]}", "results", "command");
}

/* "n=1 size=2": what --parameter-scan gave; NULL: nothing. Owned. */
static char *parameters_of(const fmt_at *result) {
    GString *text = g_string_new(NULL);
    const char *key;
    json_t *value, *parameters = json_object_get(result->json, "parameters");
    json_object_foreach (parameters, key, value) {
        const json_t *inner = json_is_object(value) ? json_object_get(value, "value") : value;
        const char *word = json_string_value(inner);
        g_autofree char *number = json_is_number(inner)
                                      ? g_strdup_printf("%.15g", json_number_value(inner))
                                      : g_strdup("?");
        g_string_append_printf(text, "%s%s=%s", text->len > 0 ? " " : "", key,
                               word ? word : number);
    }
    return g_string_free(text, text->len == 0);
}

/* Of a code that is not 0: why the run failed; owned. */
static char *failure_of(const fmt_at *code) {
    return json_is_number(code->json) ? g_strdup_printf("exit code %.0f", fmt_real(code))
                                      : g_strdup("no exit code: a signal ended it");
}

/* One run: its seconds as ns. failed: out, why it has none, or none that counts; owned, NULL: it
 * has. */
static double run_of(const fmt_at *result, bool second, size_t i, char **failed) {
    const fmt_at list = fmt_get(result, second ? "measurements" : "times");
    const fmt_at run = fmt_item(&list, i), codes = fmt_get(result, "exit_codes");
    const fmt_at clock = second ? fmt_get(&run, WALL) : run;
    const fmt_at code = second ? fmt_get(&run, "exit_code") : fmt_item(&codes, i);
    const char *unit = second ? fmt_text_of(&clock, "unit") : "second";
    const bool coded = second ? code.json != NULL : i < fmt_size(&codes);
    const double ns = (second ? fmt_real_of(&clock, "value") : fmt_real(&clock)) *
                      cfg_unit_ns(unit ? unit : "second");
    *failed = coded && !(json_is_number(code.json) && json_number_value(code.json) == 0)
                  ? failure_of(&code)
              : isfinite(ns) ? NULL
                             : g_strdup("its time is not a number");
    return ns;
}

/* Processor time and memory of the runs: numbers of the first one's stand for all. */
static void beside_read(const fmt_at *result, const fmt_at *run, fmt_night *night) {
    static const char *const members[] = {"mean",  "stddev",     "median",     "min", "max",
                                          "times", "exit_codes", "parameters", NULL};
    static const char *const run_members[] = {WALL, "exit_code", NULL};
    fmt_night_unread_members(night, run ? run : result, run ? run_members : members);
}

static bool result_read(const fmt_at *result, fmt_night *night, GError **error) {
    const bool second = json_is_array(json_object_get(result->json, "measurements"));
    const fmt_at list = fmt_get(result, second ? "measurements" : "times");
    const char *own = second ? fmt_text_of(result, "name") : NULL;
    const char *name = own ? own : fmt_text_of(result, "command");
    g_autofree char *parameters = parameters_of(result);
    if (!name || (fmt_size(&list) == 0 && !isfinite(fmt_real_of(result, "mean")))) {
        fmt_night_leave(night, name, parameters, "a result without command or times");
        return true;
    }
    const guint there = night->values->len;
    fmt_value *value = fmt_night_value(night, name, parameters);
    const fmt_at first = fmt_item(&list, 0);
    size_t last = 0, zeros = 0;
    beside_read(result, second ? &first : NULL, night);
    if (night->values->len == there)
        return fmt_wrong(result, error, "\"%s\" is there twice; give each --command-name", name);
    if (fmt_size(&list) == 0)
        value->mean_ns = fmt_real_of(result, "mean") * 1e9;
    for (size_t i = 0; i < fmt_size(&list); i++) {
        char *failed;
        const double ns = run_of(result, second, i, &failed);
        if (failed) {
            fmt_value_failed(value, failed);
            last = i + 1;
            continue;
        }
        zeros += ns == 0;
        fmt_value_loop(value);
        fmt_value_add(value, ns);
    }
    if (last > 0)
        fmt_night_leave(night, name, parameters,
                        "%u of %zu runs failed; the last of them is run %zu (%s)",
                        value->failed->len, fmt_size(&list), last,
                        g_array_index(value->failed, fmt_failed, value->failed->len - 1).why);
    /* The shell's start is subtracted, and what is below 0 then is written as 0. */
    if (zeros > 0)
        fmt_night_leave(night, name, parameters,
                        "%zu of %zu runs are 0: they took no longer than the shell; run it with -N",
                        zeros, fmt_size(&list));
    if (zeros > 0)
        g_ptr_array_remove(night->values, value);
    return true;
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root), results = fmt_get(&root, "results");
    static const char *const version[] = {"hyperfine_version", NULL};
    const fmt_at metadata = fmt_get(&root, "metadata"), platform = fmt_get(&metadata, "platform");
    fmt_night *night = fmt_night_new(nights, "hyperfine");
    fmt_night_machine(night, &metadata, version);
    fmt_night_machine(night, &platform, NULL);
    const char *primary = cfg_json_word(in->root, "primary_metric", WALL);
    g_autofree char *told = g_strdup_printf(WALL " is read, not the primary metric %s", primary);
    if (!g_str_equal(primary, WALL))
        fmt_night_note(night, told);
    night->time_ms = fmt_time_ms(fmt_text_of(&metadata, "start_time"));
    return fmt_each(&results, night, result_read, error);
}

const fmt_format fmt_hyperfine = {"hyperfine", "hyperfine", "is this the file of --export-json?",
                                  is, take};
