/* The name of an incident: a few words, in one home. */
#include "tests/unit/test.h"

#include "tests/unit/nights_of.h"

static void names(void **state) {
    (void)state;
    static const struct {
        const char *kind, *who;
        double factor; /* 0: none */
        const char *headline;
    } table[] = {
        {"scale", "", 0.4998, "Everything × 0.50"},
        {"scale", "", 1.1196, "Everything × 1.12"},
        {"scale", "", 1000.4, "Everything × 1000"},
        {"scale", "", 0.00101, "Everything × 0.001"},
        {"scale", "", 0, "Everything moved"},
        {"control", "T", 1.1, "T × 1.10"},
        {"control", "", 1.1, "The control × 1.10"},
        {"broken", "", 0, "Values far outside"},
        {"missing", "W-3 and W-4", 0, "W-3 and W-4 missing"},
        {"missing", "", 0, "A configuration missing"},
        {"noise", "", 2.5, "Noisier nights"},
        {"environment", "", 0, "Another environment"},
        {"of tomorrow", "", 0, "Another environment"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        json_t *incident =
            json_pack("{s:s,s:s,s:s,s:{s:o}}", "kind", table[i].kind, "who", table[i].who,
                      "sentence", "W alone × 3 without a result, and what", "factor", "mean",
                      table[i].factor > 0 ? json_real(table[i].factor) : json_null());
        incident_say(incident);
        assert_string_equal(json_string_value(json_object_get(incident, "headline")),
                            table[i].headline);
        json_decref(incident);
    }
    json_t *some = json_pack("{s:s,s:s,s:{s:f},s:{s:i,s:i}}", "kind", "scale", "sentence", "",
                             "factor", "mean", 1.4, "configurations", "moved", 3, "seen", 4);
    incident_say(some);
    assert_string_equal(json_string_value(json_object_get(some, "headline")),
                        "3 of 4 configurations × 1.40");
    json_decref(some);
    json_t *empty = json_object();
    incident_say(empty);
    assert_string_equal(json_string_value(json_object_get(empty, "headline")),
                        "Another environment");
    json_decref(empty);
}

/* What joins two environments is the name; a bridge that is open or failed has no factor. */
static void a_bridge_names_the_environment(void **state) {
    (void)state;
    static const struct {
        const char *bridge, *headline;
    } table[] = {
        {"{\"factor\":{\"mean\":1.0704,\"low\":1.0604,\"high\":1.0806}}",
         "Levels before × 1.07 ± 0.01"},
        {"{\"factor\":{\"mean\":1.0,\"low\":0.9999,\"high\":1.0001}}",
         "Levels before × 1.00 ± < 0.01"},
        {"{\"factor\":null}", "Another environment"},
        {"{\"factor\":{\"mean\":1.07,\"low\":null,\"high\":null}}", "Another environment"},
        {"null", "Another environment"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        json_t *bridge = json_loads(table[i].bridge, JSON_DECODE_ANY, NULL);
        json_t *incident = json_pack("{s:s,s:o}", "kind", "environment", "bridge", bridge);
        incident_say(incident);
        assert_string_equal(json_string_value(json_object_get(incident, "headline")),
                            table[i].headline);
        json_decref(incident);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names),
                                       cmocka_unit_test(a_bridge_names_the_environment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
