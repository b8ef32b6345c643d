/* MooBench's results.yaml. Its ci95 takes every call for independent: it is no interval of ours. */
#include "config/moobench.h"

#include "config/formats/formats.h"

#include <string.h>

static bool is(const fmt_input *in) {
    const char *first = in->text + strspn(in->text, " \t\r\n");
    return g_str_has_prefix(first, "kind:") || g_str_has_prefix(first, "experiments:");
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    g_autoptr(cfg_moobench) results =
        cfg_moobench_parse(in->text, in->size, in->path ? in->path : "results.yaml", error);
    for (guint e = 0; results && e < results->experiments->len; e++) {
        const cfg_moobench_experiment *experiment = results->experiments->pdata[e];
        const double ms = experiment->timestamp_s * 1000;
        fmt_night *night = fmt_night_new(nights, "moobench");
        night->suite = g_strdup(results->kind);
        night->time_ms = ms >= 0 && ms < 1e15 ? (gint64)ms : -1;
        for (guint m = 0; m < experiment->measurements->len; m++) {
            const cfg_measurement *one =
                &g_array_index(experiment->measurements, cfg_measurement, m);
            fmt_night_value(night, one->label, NULL)->mean_ns = one->us[0] * 1000;
        }
    }
    return results != NULL;
}

const fmt_format fmt_moobench = {"moobench", "MooBench", "is this MooBench's results.yaml?", is,
                                 take};
