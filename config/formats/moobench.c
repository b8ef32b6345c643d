/* MooBench's results.yaml. Its ci95 takes every call for independent: it is no interval of ours. */
#include "config/moobench.h"

#include "config/config.h"
#include "config/formats/formats.h"

#include <string.h>

static bool is(const fmt_input *in) {
    const char *first = in->text + strspn(in->text, " \t\r\n");
    return g_str_has_prefix(first, "kind:") || g_str_has_prefix(first, "experiments:");
}

static bool experiment_read(const cfg_moobench_experiment *experiment, fmt_night *night,
                            GError **error) {
    const double ms = experiment->timestamp_s * 1000;
    night->time_ms = ms >= 0 && ms < 1e15 ? (gint64)ms : -1;
    for (guint m = 0; m < experiment->measurements->len; m++) {
        const cfg_measurement *one = &g_array_index(experiment->measurements, cfg_measurement, m);
        const guint there = night->values->len;
        fmt_value *value = fmt_night_value(night, one->label, NULL);
        if (night->values->len == there) {
            g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX,
                        "\"%s\" is there twice in the experiment of %.0f", one->label,
                        experiment->timestamp_s);
            return false;
        }
        value->mean_ns = one->us[0] * 1000;
    }
    return true;
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    g_autoptr(cfg_moobench) results =
        cfg_moobench_parse(in->text, in->size, in->path ? in->path : "results.yaml", error);
    bool good = results != NULL;
    for (guint e = 0; good && e < results->experiments->len; e++) {
        fmt_night *night = fmt_night_new(nights, "moobench");
        night->suite = g_strdup(results->kind);
        good = experiment_read(results->experiments->pdata[e], night, error);
    }
    return good;
}

const fmt_format fmt_moobench = {"moobench", "MooBench", "is this MooBench's results.yaml?", is,
                                 take};
