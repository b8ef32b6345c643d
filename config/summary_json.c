#include "config/summary_json.h"

#include <math.h>

json_t *cfg_summary_json(const det_summary *summary) {
    json_t *object = json_object();
    json_object_set_new(object, "n", json_integer((json_int_t)summary->n));
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const double value = det_summary_get(summary, &det_summary_members[i]);
        if (isfinite(value))
            json_object_set_new(object, det_summary_members[i].key, json_real(value));
    }
    return object;
}

bool cfg_summary_read(const json_t *object, det_summary *out) {
    const json_int_t n = json_integer_value(json_object_get(object, "n"));
    *out = det_summary_unknown();
    out->n = n > 0 ? (size_t)n : 0;
    bool whole = n > 0;
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const json_t *value = json_object_get(object, det_summary_members[i].key);
        if (json_is_number(value))
            det_summary_set(out, &det_summary_members[i], json_number_value(value));
        whole = whole && (json_is_number(value) || det_summary_members[i].optional);
    }
    return whole;
}
