#include "config/calibration.h"

#define RUNS 3 /* of each node, before its factors are known */

const cyaml_schema_field_t cfg__calibration_fields[] = {
    CYAML_FIELD_STRING_PTR("commit", CYAML_FLAG_POINTER, cfg__raw_calibration, commit, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_UINT_PTR("every_days", CYAML_FLAG_OPTIONAL, cfg__raw_calibration, every_days),
    CYAML_FIELD_UINT_PTR("limit_days", CYAML_FLAG_OPTIONAL, cfg__raw_calibration, limit_days),
    CYAML_FIELD_UINT_PTR("take_over_hours", CYAML_FLAG_OPTIONAL, cfg__raw_calibration,
                         take_over_hours),
    CYAML_FIELD_END};

bool cfg__calibration_fill(const cfg__yaml *yaml, const cfg__raw_calibration *raw,
                           cfg_calibration *out, GError **error) {
    if (!raw)
        return true;
    if (!g_regex_match_simple("^[0-9a-f]{7,40}$", raw->commit, G_REGEX_DOLLAR_ENDONLY, 0))
        return cfg__yaml_wrong(yaml, error, "calibration.commit",
                               "\"%s\" is no commit: give 7 to 40 digits of its id, 0-9 and a-f",
                               raw->commit);
    out->commit = g_strdup(raw->commit);
    if (!cfg__yaml_unsigned(yaml, "calibration.every_days", raw->every_days,
                            (cfg__range){7, 1, 365}, &out->every_days, error) ||
        !cfg__yaml_unsigned(yaml, "calibration.limit_days", raw->limit_days,
                            (cfg__range){90, 3, 3650}, &out->limit_days, error) ||
        !cfg__yaml_unsigned(yaml, "calibration.take_over_hours", raw->take_over_hours,
                            (cfg__range){0, 0, 8760}, &out->take_over_hours, error))
        return false;
    return out->limit_days >= RUNS * out->every_days ||
           cfg__yaml_wrong(yaml, error, "calibration.limit_days",
                           "must be at least %d times every_days (%u): factors need %d runs of "
                           "each node",
                           RUNS, out->every_days, RUNS);
}
