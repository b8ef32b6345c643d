#include "ci/formats/write.h"

#include "ci/formats/night.h"
#include "web/words/night.h"

gboolean ci_portion_changed(const json_t *portion, const char *direction) {
    return g_str_equal(ci_json_text(portion, "verdict", ""), "anomaly") &&
           (!direction || g_str_equal(ci_json_text(portion, "direction", ""), direction));
}

char *ci_headline(const json_t *night) {
    const char *said = json_string_value(json_object_get(night, "headline"));
    return said ? g_strdup(said) : web_night_headline(night);
}
