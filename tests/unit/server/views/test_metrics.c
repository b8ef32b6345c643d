/* OpenMetrics text: families, escaped labels, numbers whatever the locale. */
#include "tests/unit/test.h"

#include "server/views/views.h"

#include <math.h>

static void writes_families_and_samples(void **state) {
    (void)state;
    g_autoptr(srv_metrics) metrics = srv_metrics_new();
    srv_metrics_family(metrics, "a_seconds", "gauge", "seconds", "Line\nbreak \\ and \"quote\".");
    srv_metrics_sample(metrics, 1.332e-06, "project", "p\"q\\r\ns", "portion", "W", NULL);
    srv_metrics_sample(metrics, NAN, "project", "left out", NULL);
    srv_metrics_sample(metrics, INFINITY, NULL);
    srv_metrics_family(metrics, "b", "gauge", NULL, "B.");
    srv_metrics_sample(metrics, 1795212116902.0, NULL);
    srv_metrics_sample(metrics, 0.1, "x", "\xff", NULL);
    g_autofree char *text = srv_metrics_text(metrics);
    assert_string_equal(text, "# TYPE a_seconds gauge\n"
                              "# UNIT a_seconds seconds\n"
                              "# HELP a_seconds Line\\nbreak \\\\ and \\\"quote\\\".\n"
                              "a_seconds{project=\"p\\\"q\\\\r\\ns\",portion=\"W\"} 1.332e-06\n"
                              "# TYPE b gauge\n"
                              "# HELP b B.\n"
                              "b 1795212116902\n"
                              "b{x=\"\xef\xbf\xbd\"} 0.1\n"
                              "# EOF\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_families_and_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
