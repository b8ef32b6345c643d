#include "tests/unit/test.h"

#include <glib.h>

#include "server/result/result.h"

static void differences_are_told_in_words(void **state) {
    (void)state;
    static const struct {
        const char *was, *is, *words;
    } cases[] = {
        {"{'kernel':'6.1.0-10-amd64'}", "{'kernel':'6.1.0-12-amd64'}",
         "kernel 6.1.0-10-amd64 → 6.1.0-12-amd64"},
        {"{'runtime':'openjdk version #17.0.14# 2025-01-21; OpenJDK Server VM (build 17.0.14+7)'}",
         "{'runtime':'openjdk version #17.0.15# 2025-04-15; OpenJDK Server VM (build 17.0.15+6)'}",
         "JVM 17.0.14 → 17.0.15"},
        {"{'runtime':'glibc 2.36'}", "{'runtime':'glibc 2.41'}", "runtime 2.36 → 2.41"},
        {"{'cpu':'A','cores':2}", "{'cpu':'B','cores':4}", "cores 2 → 4; CPU A → B"},
        {"{'kernel_options':'quiet isolcpus=1 ro'}", "{'kernel_options':'quiet isolcpus=2-3 ro'}",
         "kernel options isolcpus=1 → isolcpus=2-3"},
        {"{'kernel_options':'quiet ro'}", "{'kernel_options':'quiet isolcpus=1 ro'}",
         "kernel options quiet ro → quiet isolcpus=1 ro"},
        {"{'governor':'powersave'}", "{}", "governor powersave → none"},
        {"{}", "{'memory_gb':15.5}", "memory in GB none → 15.5"},
        {"{'parameters':{'threads':1,'depth':1}}", "{'parameters':{'threads':2,'depth':1}}",
         "parameters.threads 1 → 2"},
        {"{'suite':'big, py3'}", "{'suite':'vm, py3'}", "suite big → vm"},
        {"{'cpu':'same'}", "{'cpu':'same'}", ""},
        {"{'mitigations':'x'}",
         "{'mitigations':'äaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'}",
         "mitigations x → äaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *sides[2];
        for (int side = 0; side < 2; side++) {
            /* ' for " and # for \" keep the table readable */
            g_autofree char *plain =
                g_strdelimit(g_strdup(side ? cases[i].is : cases[i].was), "'", '"');
            g_auto(GStrv) parts = g_strsplit(plain, "#", -1);
            g_autofree char *text = g_strjoinv("\\\"", parts);
            sides[side] = json_loads(text, 0, NULL);
            assert_non_null(sides[side]);
        }
        g_autofree char *words = srv__environment_difference(sides[0], sides[1]);
        assert_string_equal(words, cases[i].words);
        json_decref(sides[0]);
        json_decref(sides[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(differences_are_told_in_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
