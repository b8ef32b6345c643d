#include "ci/dataset/dataset.h"

#include "ci/command/command.h"
#include "ci/formats/night.h"
#include "config/model/night.h"
#include "config/number.h"

#include <math.h>
#include <string.h>

static bool is_wanted(const json_t *experiment, const char *wanted) {
    const char *sha = cfg_json_word(json_object_get(experiment, "commit"), "sha", "");
    return g_str_equal(cfg_json_word(experiment, "night", ""), wanted) ||
           (strlen(wanted) >= 4 && g_str_has_prefix(sha, wanted));
}

/* Others wrote it, and a folder is named by it. */
static bool has_date(const json_t *experiment, GError **error) {
    GDate date;
    const char *night = cfg_json_word(experiment, "night", "");
    return cfg_date_read(night, &date) ||
           ci_wrong(error, "experiments.json: \"%s\" is not the date of a night", night);
}

const json_t *ci_dataset_night(const json_t *experiments, const char *wanted, GError **error) {
    for (size_t i = json_array_size(experiments); i > 0; i--) {
        const json_t *experiment = json_array_get(experiments, i - 1);
        const bool measured = g_str_equal(cfg_json_word(experiment, "state", ""), "measured");
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

static const det_interval *interval_of(const cfg_portion *portion) {
    return isfinite(portion->judged.low) ? &portion->judged : &portion->now;
}

static const det_interval *find(const cfg_night *night, const char *configuration) {
    static const det_interval unknown = {.mean = NAN, .low = NAN, .high = NAN};
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(night->portions[i].configuration, configuration))
            return &night->portions[i].now;
    return &unknown;
}

/* NaN compares as false: then nobody can tell. */
static json_t *holds(const det_interval *a, const det_interval *b) {
    if (!isfinite(a->low) || !isfinite(a->high) || !isfinite(b->low) || !isfinite(b->high))
        return json_null();
    return json_boolean(a->low <= b->high && b->low <= a->high);
}

json_t *ci_dataset_verdict(const json_t *published, const json_t *here) {
    g_auto(cfg_night) theirs = cfg_night_of(published);
    g_auto(cfg_night) ours = cfg_night_of(here);
    json_t *list = json_array();
    for (unsigned i = 0; i < theirs.portions_count; i++) {
        const cfg_portion *portion = &theirs.portions[i];
        const det_interval *there = interval_of(portion);
        const det_interval *own = find(&ours, portion->configuration ? portion->configuration : "");
        const double ratio = own->mean / there->mean;
        json_array_append_new(
            list, json_pack("{s:s?, s:s?, s:o, s:o, s:o, s:o}", "portion", portion->portion,
                            "configuration", portion->configuration, "published",
                            ci_interval_json(there), "here", ci_interval_json(own), "ratio",
                            isfinite(ratio) ? json_real(ratio) : json_null(), "holds",
                            holds(there, own)));
    }
    return list;
}
