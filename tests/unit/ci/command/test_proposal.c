/* A plan's keys in a project's file: they are put there, and nothing else changes. */
#include "tests/unit/ci/command/results_folder.h"

#include "ci/command/proposal.h"

#include <sys/stat.h>
#include <unistd.h>

static const char before[] = "# Watched since 2013.\n"
                             "name: short   # the name\n"
                             "repository: /r\n"
                             "benchmark:\n"
                             "  driver: native\n"
                             "  loops: 10      # as the thesis has it\n"
                             "\n"
                             "  # the chain\n"
                             "  configurations:\n"
                             "    - {name: none, portion: T}\n"
                             "    - name: full # the \xc3\xa4ra\n"
                             "      portion: 'W'\n"
                             "      parent: none\n"
                             "      total_calls: 5000\n"
                             "# the end\n";
static const char after[] = "# Watched since 2013.\n"
                            "name: short   # the name\n"
                            "repository: /r\n"
                            "benchmark:\n"
                            "  driver: native\n"
                            "  loops: 5      # as the thesis has it\n"
                            "  budget_minutes: 12.5\n"
                            "  warmup_evidence: 'a pilot''s'\n"
                            "\n"
                            "  # the chain\n"
                            "  configurations:\n"
                            "    - {name: none, portion: T, total_calls: 1200, warmup_calls: 200}\n"
                            "    - name: full # the \xc3\xa4ra\n"
                            "      portion: 'W'\n"
                            "      parent: none\n"
                            "      total_calls: 3000\n"
                            "      warmup_calls: 0\n"
                            "# the end\n";

static ci_pilot planned(bool budget) {
    ci_pilot p = {.count = 2, .budget = budget, .loops = 10, .planned_loops = 5};
    p.leg[0] = (ci_pilot_leg){.name = "none", .planned_warmup = 200, .planned = 1000};
    p.leg[1] = (ci_pilot_leg){.name = "full", .planned = 3000, .settled = 4, .seen = 5};
    return p;
}

static void only_the_keys_change(void **state) {
    g_autofree char *file = put(*state, "short.yaml", before), *got = NULL;
    const ci_pilot pilot = planned(true);
    struct stat kept;
    assert_int_equal(chmod(file, 0640), 0);
    assert_true(ci_proposal_write(file, &pilot, 12.5, "a pilot's", NULL));
    assert_true(g_file_get_contents(file, &got, NULL, NULL));
    assert_string_equal(got, after);
    assert_int_equal(stat(file, &kept), 0);
    assert_int_equal(kept.st_mode & 07777, 0640);
}

static void writing_again_changes_nothing(void **state) {
    g_autofree char *file = put(*state, "short.yaml", after), *got = NULL;
    const ci_pilot pilot = planned(true);
    assert_true(ci_proposal_write(file, &pilot, 12.5, "a pilot's", NULL));
    assert_true(g_file_get_contents(file, &got, NULL, NULL));
    assert_string_equal(got, after);
}

/* A budget that is there is none any more. */
static void rounds_end_a_budget(void **state) {
    g_autofree char *file = put(*state, "short.yaml", after), *got = NULL;
    const ci_pilot pilot = planned(false);
    assert_true(ci_proposal_write(file, &pilot, 12.5, "x", NULL));
    assert_true(g_file_get_contents(file, &got, NULL, NULL));
    assert_non_null(strstr(got, "  budget_minutes: 0\n"));
}

static void a_link_stays_a_link(void **state) {
    g_autofree char *file = put(*state, "real.yaml", before);
    g_autofree char *link = g_build_filename(*state, "link.yaml", NULL), *got = NULL;
    const ci_pilot pilot = planned(true);
    assert_int_equal(symlink("real.yaml", link), 0);
    assert_true(ci_proposal_write(link, &pilot, 12.5, "a pilot's", NULL));
    assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    assert_true(g_file_get_contents(file, &got, NULL, NULL));
    assert_string_equal(got, after);
}

static void refused(const char *folder, const char *text, const char *words) {
    g_autofree char *file = put(folder, "bad.yaml", text), *got = NULL;
    g_autoptr(GError) error = NULL;
    const ci_pilot pilot = planned(true);
    assert_false(ci_proposal_write(file, &pilot, 12.5, "x", &error));
    if (!strstr(error->message, words))
        fail_msg("%s", error->message);
    assert_true(g_file_get_contents(file, &got, NULL, NULL));
    assert_string_equal(got, text);
    g_autofree char *left = g_build_filename(folder, ".bad.yaml.plan", NULL);
    assert_false(g_file_test(left, G_FILE_TEST_EXISTS));
}

/* No place for a key, or what is written would contradict the rest: the file stays. */
static void what_cannot_be_written_is_left(void **state) {
    static const char head[] = "name: bad\nrepository: /r\nbenchmark:\n  driver: native\n";
    static const char chain[] = "  configurations:\n    - {name: none, portion: T}\n"
                                "    - {name: full, portion: W, parent: none}\n";
    g_autofree char *early = g_strconcat(head, "  precision_percent: 2\n", chain, NULL);
    g_autofree char *other =
        g_strconcat(head, "  configurations:\n    - {name: none, portion: T}\n", NULL);
    refused(*state, early, "precision_percent; leave one of them out");
    refused(*state, other, "benchmark.configurations.full.total_calls: is not in a mapping");
    refused(*state, "name: [\n", "bad.yaml");
    g_autoptr(GError) error = NULL;
    const ci_pilot pilot = planned(true);
    g_autofree char *gone = g_build_filename(*state, "gone.yaml", NULL);
    assert_false(ci_proposal_write(gone, &pilot, 12.5, "x", &error));
    assert_non_null(strstr(error->message, "gone.yaml: No such file"));
}

static void the_text_is_what_is_written(void **state) {
    (void)state;
    const ci_pilot pilot = planned(true);
    g_autofree char *text = ci_proposal_text(&pilot, 12.5, "why");
    assert_string_equal(text, "benchmark:\n  budget_minutes: 12.5\n  loops: 5\n"
                              "  warmup_evidence: 'why'\n  configurations:\n"
                              "    - name: none\n      total_calls: 1200\n"
                              "      warmup_calls: 200\n    - name: full\n"
                              "      total_calls: 3000\n      warmup_calls: 0\n");
}

static void evidence_counts_processes(void **state) {
    (void)state;
    ci_pilot pilot = planned(true);
    g_autofree char *some = ci_proposal_evidence(&pilot, "0123456789abcdef", "2026-11-22");
    assert_string_equal(some, "pilot of 2026-11-22, commit 0123456789ab; processes that settled: "
                              "full 4 of 5");
    pilot.leg[1].seen = 0;
    g_autofree char *none = ci_proposal_evidence(&pilot, "0123456789abcdef", "2026-11-22");
    assert_string_equal(
        none,
        "pilot of 2026-11-22, commit 0123456789ab; single calls unknown, so warm-up is unchanged");
    pilot.count = CI_PILOT_CONFIGURATIONS;
    for (size_t i = 0; i < pilot.count; i++)
        pilot.leg[i] = (ci_pilot_leg){.name = "a-name-that-is-quite-long", .settled = 1, .seen = 1};
    g_autofree char *many = ci_proposal_evidence(&pilot, "0123456789abcdef", "2026-11-22");
    assert_int_equal(strlen(many), 1000);
    /* in the middle of a letter of two bytes, wherever it begins */
    for (size_t i = 0; i < pilot.count; i++)
        pilot.leg[i].name =
            "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4";
    for (size_t more = 0; more < 2; more++) {
        g_autofree char *cut =
            ci_proposal_evidence(&pilot, "0123456789abcdef", more ? "2026-11-22" : "2026-11-2");
        assert_true(strlen(cut) >= 999 && strlen(cut) <= 1000);
        assert_true(g_utf8_validate(cut, -1, NULL));
    }
}

/* A budget of a third of an hour and a bit: not rounded to six digits. */
static void minutes_are_kept(void **state) {
    (void)state;
    const ci_pilot pilot = planned(true);
    g_autofree char *text = ci_proposal_text(&pilot, 1234.56789, "why");
    assert_non_null(strstr(text, "budget_minutes: 1234.56789\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(only_the_keys_change),
        IN_FOLDER(writing_again_changes_nothing),
        IN_FOLDER(rounds_end_a_budget),
        IN_FOLDER(a_link_stays_a_link),
        IN_FOLDER(what_cannot_be_written_is_left),
        cmocka_unit_test(the_text_is_what_is_written),
        cmocka_unit_test(evidence_counts_processes),
        cmocka_unit_test(minutes_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
