#include "ci/dataset/verdict.h"

#include "ci/command/command.h"
#include "ci/formats/night.h"
#include "config/date.h"

#include <math.h>
#include <string.h>

static bool is_wanted(const json_t *experiment, const char *wanted) {
    const char *sha = ci_json_text(json_object_get(experiment, "commit"), "sha", "");
    return g_str_equal(ci_json_text(experiment, "night", ""), wanted) ||
           (strlen(wanted) >= 4 && g_str_has_prefix(sha, wanted));
}

/* Others wrote it, and a folder is named by it. */
static bool has_date(const json_t *experiment, GError **error) {
    GDate date;
    const char *night = ci_json_text(experiment, "night", "");
    return cfg_date_read(night, &date) ||
           ci_wrong(error, "experiments.json: \"%s\" is not the date of a night", night);
}

const json_t *ci_dataset_night(const json_t *experiments, const char *wanted, GError **error) {
    for (size_t i = json_array_size(experiments); i > 0; i--) {
        const json_t *experiment = json_array_get(experiments, i - 1);
        const bool measured = g_str_equal(ci_json_text(experiment, "state", ""), "measured");
        if (measured && (!wanted || is_wanted(experiment, wanted)))
            return has_date(experiment, error) ? experiment : NULL;
    }
    if (wanted)
        ci_wrong(error,
                 "--night %s: the data set has no measured night of this date or commit; see "
                 "nights.csv",
                 wanted);
    else
        ci_wrong(error, "the data set has no measured night");
    return NULL;
}

const char *ci_dataset_architecture(const char *kernel) {
    static const char *const names[][2] = {{"amd64", "x86_64"},    {"x86_64", "x86_64"},
                                           {"arm64", "aarch64"},   {"aarch64", "aarch64"},
                                           {"ppc64le", "ppc64le"}, {"powerpc64le", "ppc64le"},
                                           {"s390x", "s390x"},     {"riscv64", "riscv64"},
                                           {"i686", "i686"},       {"686", "i686"}};
    for (size_t i = 0; kernel && i < G_N_ELEMENTS(names); i++)
        if (g_str_has_suffix(kernel, names[i][0]))
            return names[i][1];
    return NULL;
}

static const json_t *interval_of(const json_t *portion) {
    const json_t *judged = json_object_get(portion, "judged");
    return isfinite(ci_json_real(judged, "low_ns")) ? judged : portion;
}

static json_t *interval_json(const json_t *from) {
    const det_interval interval = {.mean = ci_json_real(from, "mean_ns"),
                                   .low = ci_json_real(from, "low_ns"),
                                   .high = ci_json_real(from, "high_ns")};
    return ci_interval_json(&interval);
}

static const json_t *find(const json_t *night, const char *configuration) {
    size_t i;
    const json_t *portion;
    json_array_foreach (json_object_get(night, "portions"), i, portion)
        if (g_str_equal(ci_json_text(portion, "configuration", ""), configuration))
            return portion;
    return NULL;
}

/* NaN compares as false: then nobody can tell. */
static json_t *holds(const json_t *a, const json_t *b) {
    const double low_a = ci_json_real(a, "low_ns"), high_a = ci_json_real(a, "high_ns");
    const double low_b = ci_json_real(b, "low_ns"), high_b = ci_json_real(b, "high_ns");
    if (!isfinite(low_a) || !isfinite(high_a) || !isfinite(low_b) || !isfinite(high_b))
        return json_null();
    return json_boolean(low_a <= high_b && low_b <= high_a);
}

json_t *ci_dataset_verdict(const json_t *published, const json_t *here) {
    json_t *list = json_array();
    size_t i;
    json_t *portion;
    json_array_foreach (json_object_get(published, "portions"), i, portion) {
        const json_t *there = interval_of(portion);
        const json_t *own = find(here, ci_json_text(portion, "configuration", ""));
        const double ratio = ci_json_real(own, "mean_ns") / ci_json_real(there, "mean_ns");
        json_array_append_new(list,
                              json_pack("{s:O, s:O, s:o, s:o, s:o, s:o}", "portion",
                                        json_object_get(portion, "portion"), "configuration",
                                        json_object_get(portion, "configuration"), "published",
                                        interval_json(there), "here", interval_json(own), "ratio",
                                        isfinite(ratio) ? json_real(ratio) : json_null(), "holds",
                                        holds(there, own)));
    }
    return list;
}
