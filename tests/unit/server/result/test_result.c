/* A runner's result, member by member: what is refused names itself, and which loop counts. */
#include "tests/unit/test.h"

#include "server/ground/error.h"
#include "server/result/result.h"

#include <math.h>
#include <string.h>

static json_t *json_of(const char *text) {
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    json_t *json = json_loads(quoted, JSON_DECODE_ANY, NULL);
    if (!json)
        fail_msg("%s", quoted);
    return json;
}

static const char benchmark_text[] =
    "{'loops': 3, 'configurations': [{'name': 'none', 'label': 'N', 'portion': 'T', 'parent':"
    " null}, {'name': 'on', 'label': 'O', 'portion': 'I', 'parent': 'none'}]}";

#define LOOP                                                                                       \
    "{'configuration': 'none', 'loop': 1, 'position': 0, 'started_ms': 5, 'seconds': 1.5,"         \
    " 'calls': 10, 'warmup_calls': 4, 'summary': {'n': 6, 'mean_ns': 70, 'sd_ns': 1,"              \
    " 'min_ns': 60, 'q1_ns': 65, 'median_ns': 70, 'q3_ns': 75, 'max_ns': 90}}"
#define HEAD "'node': 'blade1', 'started_ms': 1, 'finished_ms': 9, 'environment': {'cpu': 'x'}"

typedef struct {
    json_t *benchmark, *body;
    srv__tree tree;
} input;

static input input_of(const char *body) {
    input in = {.benchmark = json_of(benchmark_text), .body = json_of(body)};
    assert_true(srv__tree_read(&in.tree, in.benchmark, NULL));
    return in;
}

static void input_clear(input *in) {
    json_decref(in->benchmark);
    json_decref(in->body);
}

static json_t *loop_at(const input *in, size_t i) {
    return json_array_get(json_object_get(in->body, "loops"), i);
}

/* A loop like LOOP, of that configuration, round, order and mean. */
static void add(input *in, const char *name, int loop, int order, double mean, bool disturbed) {
    json_t *one = json_of(LOOP), *summary = json_object_get(one, "summary");
    json_object_set_new(one, "configuration", json_string(name));
    json_object_set_new(one, "loop", json_integer(loop));
    json_object_set_new(one, "position", json_integer(order));
    json_object_set_new(one, "disturbed", json_boolean(disturbed));
    static const char *const means[] = {"mean_ns",   "min_ns", "q1_ns",
                                        "median_ns", "q3_ns",  "max_ns"};
    for (size_t i = 0; i < G_N_ELEMENTS(means); i++)
        json_object_set_new(summary, means[i], json_real(mean));
    json_array_append_new(json_object_get(in->body, "loops"), one);
}

/* A budget buys loops beyond the rounds that come first, up to what the detector takes. */
static void a_budget_has_more_loops(void **state) {
    (void)state;
    for (int budget = 0; budget < 2; budget++)
        for (int loop = 1000; loop <= 1001; loop++) {
            input in = input_of("{" HEAD ", 'loops': []}");
            if (budget)
                json_object_set_new(in.benchmark, "budget_minutes", json_real(5));
            assert_true(srv__tree_read(&in.tree, in.benchmark, NULL));
            add(&in, "none", loop, 0, 70, false);
            g_autoptr(srv__result) result =
                srv__result_read(in.body, &in.tree, (srv__commits){0}, NULL);
            assert_int_equal(result != NULL, budget && loop == 1000);
            input_clear(&in);
        }
}

static void a_whole_result(void **state) {
    (void)state;
    input in = input_of("{" HEAD ", 'loops': [" LOOP "]}");
    g_autoptr(GError) error = NULL;
    g_autoptr(srv__result) result = srv__result_read(in.body, &in.tree, (srv__commits){0}, &error);
    assert_null(error);
    assert_string_equal(result->node, "blade1");
    assert_true(result->started_ms == 1 && result->finished_ms == 9 && result->rounds == 1);
    const srv__loop *loop = &g_array_index(result->loops, srv__loop, 0);
    assert_true(loop->used && !loop->disturbed && !loop->failed && loop->configuration == 0);
    assert_true(loop->calls == 10 && loop->warmup_calls == 4 && loop->summary.n == 6);
    assert_null(loop->raw_sha256);
    input_clear(&in);
}

/* What is only kept and shown has a size: a node cannot fill the database with it. */
static void what_is_told_has_a_size(void **state) {
    (void)state;
    static const struct {
        const char *where;
        size_t fits;
    } cases[] = {{"environment", 65000}, {"environment.detail", 1048000}, {"readings", 65000}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        for (size_t more = 0; more <= 1000; more += 1000) {
            input in = input_of("{" HEAD ", 'loops': [" LOOP "]}");
            g_autofree char *text = g_strnfill(cases[i].fits + more, 'x');
            json_t *large = json_pack("{s:s}", "text", text);
            json_t *environment = json_object_get(in.body, "environment");
            if (i == 0)
                json_object_update_new(environment, large);
            else
                json_object_set_new(i == 1 ? environment : loop_at(&in, 0),
                                    i == 1 ? "detail" : "readings", large);
            GError *error = NULL;
            g_autoptr(srv__result) result =
                srv__result_read(in.body, &in.tree, (srv__commits){0}, &error);
            assert_int_equal(result == NULL, more > 0);
            if (!result) {
                assert_non_null(strstr(error->message, cases[i].where));
                assert_non_null(strstr(error->message, "bytes of JSON; at most"));
            }
            g_clear_error(&error);
            input_clear(&in);
        }
}

/* Where and when it was measured is told, but is no part of what names the series. */
static void detail_is_not_in_the_hash(void **state) {
    (void)state;
    static const char *const details[] = {"{'cpu': 'x'}", "{'cpu': 'x', 'detail': {'boot': 3}}",
                                          "{'cpu': 'y'}"};
    g_autofree char *hashes[3] = {NULL};
    for (size_t i = 0; i < 3; i++) {
        input in = input_of("{" HEAD ", 'loops': [" LOOP "]}");
        json_object_set_new(in.body, "environment", json_of(details[i]));
        g_autoptr(srv__result) result =
            srv__result_read(in.body, &in.tree, (srv__commits){0}, NULL);
        assert_null(json_object_get(result->environment, "detail"));
        assert_true(!result->detail == (i != 1));
        hashes[i] = g_strdup(result->environment_hash);
        input_clear(&in);
    }
    assert_string_equal(hashes[0], hashes[1]);
    assert_string_not_equal(hashes[0], hashes[2]);
    for (size_t i = 1; i < 3; i++)
        g_free(hashes[i]);
}

/* Members put into the first loop (at "summary": into its summary), and what is said. */
static const struct {
    const char *members, *summary, *words;
} wrong_loops[] = {
    {"{'configuration': 'off'}", "{}", "loops[0].configuration: 'off' is not in the job's"},
    {"{'configuration': null}", "{}", "loops[0].configuration: is missing"},
    {"{'loop': 0}", "{}", "loops[0].loop: is 0, must be 1 to 3"},
    {"{'loop': 4}", "{}", "must be 1 to 3"},
    {"{'position': -1}", "{}", "loops[0].position"},
    {"{'position': null}", "{}", "loops[0].position: is missing"},
    {"{'started_ms': 32503680000001}", "{}", "loops[0].started_ms"},
    {"{'seconds': -0.1}", "{}", "loops[0].seconds"},
    {"{'disturbed': 1}", "{}", "true or false"},
    {"{'calls': 0}", "{}", "loops[0].calls"},
    {"{'calls': 11}", "{}", "minus warmup_calls differs from summary.n"},
    {"{'warmup_calls': 10}", "{}", "minus warmup_calls differs from summary.n"},
    {"{'warmup_calls': 3}", "{}", "minus warmup_calls differs from summary.n"},
    {"{'summary': null}", "{}", "loops[0].summary: is missing"},
    {"{}", "{'n': 0}", "loops[0].summary.n"},
    {"{}", "{'mean_ns': -1}", "loops[0].summary.mean_ns"},
    {"{}", "{'mean_ns': 91}", "not in order"},
    {"{}", "{'mean_ns': 59.9}", "not in order"},
    {"{}", "{'q1_ns': 59}", "not in order"},
    {"{}", "{'median_ns': 76}", "not in order"},
    {"{}", "{'q3_ns': 91}", "not in order"},
    {"{}", "{'max_ns': null}", "loops[0].summary.max_ns: is missing"},
    {"{'raw': {'sha256': 'x', 'bytes': 1, 'uncompressed_bytes': 1}}", "{}", "64 lower-case hex"},
    {"{'raw': {'bytes': 1, 'uncompressed_bytes': 1}}", "{}", "loops[0].raw.sha256: is missing"},
    {"{'raw': []}", "{}", "must be an object"},
    {"{'calls_per_second': [1, -1]}", "{}", "must hold counts"},
    {"{'calls_per_second': ['1']}", "{}", "must hold counts"},
    {"{'readings': []}", "{}", "loops[0].readings"},
    {"{'failed': 7}", "{}", "loops[0].failed: must be a text"},
};

static void wrong_loops_name_the_member(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong_loops); i++) {
        g_autoptr(GError) error = NULL;
        input in = input_of("{" HEAD ", 'loops': [" LOOP "]}");
        json_t *summary = json_of(wrong_loops[i].summary), *more = json_of(wrong_loops[i].members);
        json_object_update(json_object_get(loop_at(&in, 0), "summary"), summary);
        json_object_update(loop_at(&in, 0), more);
        if (srv__result_read(in.body, &in.tree, (srv__commits){0}, &error))
            fail_msg("taken: %s %s", wrong_loops[i].members, wrong_loops[i].summary);
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        if (!strstr(error->message, wrong_loops[i].words))
            fail_msg("%s: %s", wrong_loops[i].words, error->message);
        json_decref(more);
        json_decref(summary);
        input_clear(&in);
    }
}

static void wrong_bodies(void **state) {
    (void)state;
    static const struct {
        const char *members, *words;
    } cases[] = {
        {"{'node': null}", "node: is missing"},
        {"{'node': 3}", "node: must be a text"},
        {"{'started_ms': -1}", "started_ms"},
        {"{'finished_ms': 0}", "finished_ms: is 0, must be 1"},
        {"{'environment': []}", "environment: must be an object"},
        {"{'environment': null}", "environment: is missing"},
        {"{'loops': {}}", "loops: must be a list"},
        {"{'loops': []}", "loops: must hold 1 to"},
        {"{'loops': [3]}", "loops[0].configuration: is missing"},
        {"{'loops': [" LOOP ", " LOOP "]}", "loops[1]: this configuration, loop and position"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        input in = input_of("{" HEAD ", 'loops': [" LOOP "]}");
        json_t *more = json_of(cases[i].members);
        json_object_update(in.body, more);
        assert_null(srv__result_read(in.body, &in.tree, (srv__commits){0}, &error));
        if (!strstr(error->message, cases[i].words))
            fail_msg("%s: %s", cases[i].members, error->message);
        json_decref(more);
        input_clear(&in);
    }
}

/* A mean is rounded once more than the values it is made of. */
static void a_mean_may_be_off_by_rounding(void **state) {
    (void)state;
    input in = input_of("{" HEAD ", 'loops': [" LOOP "]}");
    json_t *same = json_of("{'min_ns': 70, 'q1_ns': 70, 'median_ns': 70, 'q3_ns': 70,"
                           " 'max_ns': 70, 'mean_ns': 70.00000000000001}");
    json_object_update(json_object_get(loop_at(&in, 0), "summary"), same);
    g_autoptr(srv__result) result = srv__result_read(in.body, &in.tree, (srv__commits){0}, NULL);
    assert_non_null(result);
    json_decref(same);
    input_clear(&in);
}

/* One value does not scatter, and the 99th percentile of six is the longest: what an older runner
 * told of them is not known, and what a newer one leaves out is not missed. */
static void few_calls_do_not_know_all(void **state) {
    (void)state;
    static const struct {
        const char *summary;
        int calls;
        bool one;
    } cases[] = {
        {"{'p99_ns': 89}", 10, false},
        {"{'n': 1, 'sd_ns': 0, 'min_ns': 70, 'q1_ns': 70, 'q3_ns': 70, 'max_ns': 70}", 5, true},
        {"{'n': 1, 'sd_ns': null, 'min_ns': 70, 'q1_ns': null, 'q3_ns': null, 'max_ns': 70}", 5,
         true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        input in = input_of("{" HEAD ", 'loops': [" LOOP "]}");
        json_t *more = json_of(cases[i].summary);
        json_object_update(json_object_get(loop_at(&in, 0), "summary"), more);
        json_object_set_new(loop_at(&in, 0), "calls", json_integer(cases[i].calls));
        g_autoptr(srv__result) result =
            srv__result_read(in.body, &in.tree, (srv__commits){0}, &error);
        assert_null(error);
        const det_summary *of = &g_array_index(result->loops, srv__loop, 0).summary;
        assert_true(isnan(of->p99) && of->median == 70);
        assert_true(isnan(of->sd) == cases[i].one && isnan(of->q1) == cases[i].one);
        json_decref(more);
        input_clear(&in);
    }
}

static void a_failed_loop_needs_no_summary(void **state) {
    (void)state;
    input in = input_of("{" HEAD ", 'loops': [{'configuration': 'on', 'loop': 2, 'position': 1,"
                        " 'started_ms': 1, 'seconds': 0, 'failed': 'it ended with 1'}]}");
    g_autoptr(srv__result) result = srv__result_read(in.body, &in.tree, (srv__commits){0}, NULL);
    const srv__loop *loop = &g_array_index(result->loops, srv__loop, 0);
    assert_false(loop->used);
    assert_string_equal(loop->failed, "it ended with 1");
    assert_true(result->rounds == 2);
    input_clear(&in);
}

/* The last undisturbed one counts, else the last. */
static void which_loop_counts(void **state) {
    (void)state;
    static const struct {
        struct {
            int order;
            double mean;
            bool disturbed;
        } tries[3];
        double counts;
    } cases[] = {
        {{{0, 1, false}, {1, 2, false}, {2, 3, false}}, 3},
        {{{2, 3, false}, {1, 2, false}, {0, 1, false}}, 3},
        {{{0, 1, false}, {1, 2, true}, {2, 3, true}}, 1},
        {{{0, 1, true}, {1, 2, false}, {2, 3, true}}, 2},
        {{{0, 1, true}, {1, 2, true}, {2, 3, true}}, 3},
        {{{2, 3, true}, {0, 1, true}, {1, 2, false}}, 2},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        input in = input_of("{" HEAD ", 'loops': []}");
        double means[2 * 3];
        for (size_t t = 0; t < 3; t++)
            add(&in, "on", 2, cases[i].tries[t].order, cases[i].tries[t].mean,
                cases[i].tries[t].disturbed);
        add(&in, "none", 3, 9, 7, true);
        g_autoptr(srv__result) result =
            srv__result_read(in.body, &in.tree, (srv__commits){0}, NULL);
        assert_true(result->rounds == 3);
        srv__result_values(result, 2, false, means);
        assert_true(means[3 + 1] == cases[i].counts);
        assert_true(means[2] == 7);
        assert_true(isnan(means[0]) && isnan(means[1]) && isnan(means[3]) && isnan(means[5]));
        srv__result_values(result, 2, true, means);
        assert_true(means[3 + 1] == cases[i].counts);
        input_clear(&in);
    }
}

/* Of as many loops as there are letters: q quiet, d disturbed, s a stray. Upper case counts. */
static void which_disturbed_loops_are_left_out(void **state) {
    (void)state;
    static const struct {
        const char *loops;
        int64_t minimum;
    } cases[] = {{"QQQd", 2}, {"QQQdd", 2}, {"QQQDDDD", 2}, {"QQQQdddd", 2}, {"QQD", 2},
                 {"QQDD", 2}, {"QQQD", 4},  {"QQQd", 3},    {"QQQS", 2},     {"QQSd", 2},
                 {"DDDD", 2}, {"D", 2},     {"QQQQ", 2}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        input in = input_of("{" HEAD ", 'loops': []}");
        in.tree.loops = in.tree.loops_most = 10;
        for (int l = 0; cases[i].loops[l]; l++) {
            const char kind = g_ascii_tolower(cases[i].loops[l]);
            add(&in, "on", l + 1, l, 100, kind != 'q');
            if (kind == 's')
                json_object_set_new(loop_at(&in, 2 * (size_t)l), "readings",
                                    json_of("{'stray': true}"));
            add(&in, "none", l + 1, 100 + l, 100, l == 0); /* others are not looked at */
        }
        g_autoptr(srv__result) result =
            srv__result_read(in.body, &in.tree, (srv__commits){0}, NULL);
        srv__result_leave_out(result, &in.tree, cases[i].minimum);
        for (guint l = 0; l < result->loops->len; l += 2)
            if (g_array_index(result->loops, srv__loop, l).used !=
                g_ascii_isupper(cases[i].loops[l / 2]))
                fail_msg("%s: loop %u", cases[i].loops, l / 2 + 1);
        input_clear(&in);
    }
}

static void a_trial_names_its_commits(void **state) {
    (void)state;
    const srv__commits commits = {.after = "aaa", .before = "bbb"};
    static const struct {
        const char *commit;
        int before; /* -1: refused */
    } cases[] = {{"'aaa'", 0}, {"'bbb'", 1}, {"'ccc'", -1}, {"null", -1}, {"''", -1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        input in = input_of("{" HEAD ", 'loops': [" LOOP "]}");
        json_object_set_new(loop_at(&in, 0), "commit", json_of(cases[i].commit));
        g_autoptr(GError) error = NULL;
        g_autoptr(srv__result) result = srv__result_read(in.body, &in.tree, commits, &error);
        assert_true(!result == (cases[i].before < 0));
        if (result)
            assert_int_equal(g_array_index(result->loops, srv__loop, 0).before, cases[i].before);
        else
            assert_non_null(strstr(error->message, "loops[0].commit"));
        input_clear(&in);
    }
}

static void results_from_elsewhere_know_less(void **state) {
    (void)state;
    static const char body[] =
        "{" HEAD ", 'loops': [{'configuration': 'none', 'loop': 1, 'position': 0, 'started_ms': 5,"
        " 'seconds': 1, 'summary': {'mean_ns': 70}}]}";
    input in = input_of(body);
    g_autoptr(GError) error = NULL;
    assert_null(srv__result_read(in.body, &in.tree, (srv__commits){0}, &error));
    g_autoptr(srv__result) result =
        srv__result_read(in.body, &in.tree, (srv__commits){.bare = true}, NULL);
    const srv__loop *loop = &g_array_index(result->loops, srv__loop, 0);
    assert_true(loop->used && loop->summary.mean == 70 && isnan(loop->summary.median));
    input_clear(&in);
}

static void a_flaw_has_its_reason(void **state) {
    (void)state;
    input in = input_of("{" HEAD ", 'loops': []}");
    add(&in, "none", 1, 0, 70, false);
    add(&in, "none", 2, 1, 70, false);
    add(&in, "on", 1, 2, 80, false);
    json_t *failed = json_of("{'failed': 'out of memory'}");
    add(&in, "on", 2, 3, 80, false);
    json_object_update(loop_at(&in, 3), failed);
    g_autoptr(srv__result) result = srv__result_read(in.body, &in.tree, (srv__commits){0}, NULL);
    g_autofree char *flaw = srv__result_flaw(result, &in.tree, 2);
    assert_string_equal(flaw, "configuration on has 1 of 3 loops, at least 2 are needed; the last "
                              "failure: out of memory");
    assert_null(srv__result_flaw(result, &in.tree, 1));
    assert_null(srv__result_flaw(result, &in.tree, 0));
    json_decref(failed);
    input_clear(&in);
}

static const char grown[] =
    "{'loops': 2, 'configurations': [{'name': 'none', 'label': 'N', 'portion': 'T', 'parent':"
    " null}, {'name': 'on', 'label': 'O', 'portion': 'I', 'parent': 'none'}, {'name': 'file',"
    " 'label': 'F', 'portion': 'W', 'parent': 'on'}, {'name': 'packed', 'label': 'P', 'portion':"
    " 'P', 'parent': 'file'}]}";

static void a_gap_is_a_flaw_where_nothing_is_left(void **state) {
    (void)state;
    static const struct {
        const char *measured, *flaw, *gap;
    } table[] = {
        {"none on file packed", NULL, NULL},
        {"none on file", NULL, "configuration packed has no result"},
        {"none on", NULL,
         "configuration file has no result; "
         "configuration packed has no result"},
        {"none on packed", NULL, "configuration file has no result"},
        {"none file packed", NULL, "configuration on has no result"},
        {"none file", "configuration on has no result", NULL},
        {"none", "configuration on has no result", NULL},
        {"on file packed", "configuration none has no result", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        input in = {.benchmark = json_of(grown), .body = json_of("{" HEAD ", 'loops': []}")};
        assert_true(srv__tree_read(&in.tree, in.benchmark, NULL));
        g_auto(GStrv) names = g_strsplit(table[i].measured, " ", -1);
        for (int n = 0; names[n]; n++)
            add(&in, names[n], 1, n, 70 + n, false);
        g_autoptr(srv__result) result =
            srv__result_read(in.body, &in.tree, (srv__commits){0}, NULL);
        g_autofree char *flaw = srv__result_flaw(result, &in.tree, 1);
        g_autofree char *gap = srv__result_gap(result, &in.tree, 1);
        if (g_strcmp0(flaw, table[i].flaw) != 0 || (!flaw && g_strcmp0(gap, table[i].gap) != 0))
            fail_msg("%s: %s / %s", table[i].measured, flaw, gap);
        input_clear(&in);
    }
}

static void a_configuration_has_its_place(void **state) {
    (void)state;
    input in = input_of("{}");
    for (size_t c = 0; c < in.tree.chain.count; c++)
        assert_int_equal(srv__tree_find(&in.tree, in.tree.name[c]), c);
    assert_int_equal(srv__tree_find(&in.tree, "nobody"), -1);
    input_clear(&in);
}

#define BOTH_HAVE_PARENTS                                                                          \
    "{'configurations': [{'name': 'a', 'label': 'a', 'portion': 'T', 'parent': 'b'}, {'name':"     \
    " 'b', 'label': 'b', 'portion': 'I', 'parent': 'c'}]}"

/* As many configurations as a project may have, and one more. */
static void as_many_configurations_as_the_rules_allow(void **state) {
    (void)state;
    json_auto_t *list = json_array();
    json_auto_t *benchmark = json_pack("{s:O}", "configurations", list);
    srv__tree tree;
    for (unsigned i = 0; i <= DET_CONFIGURATIONS_MAX; i++) {
        g_autofree char *name = g_strdup_printf("c%u", i);
        json_array_append_new(
            list, json_pack("{s:s,s:s,s:s}", "name", name, "label", name, "portion", name));
        if (i > 0)
            json_object_set_new(json_array_get(list, i), "parent", json_string("c0"));
        assert_int_equal(srv__tree_read(&tree, benchmark, NULL), i < DET_CONFIGURATIONS_MAX);
    }
}

/* What the database holds was checked when it came; another is a broken file. */
static void benchmarks_that_are_no_tree(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}",
        "{'configurations': []}",
        "{'configurations': [{'name': 'a', 'label': 'a'}]}",
        BOTH_HAVE_PARENTS, /* NOLINT(bugprone-suspicious-missing-comma) */
        "{'configurations': 3}",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        json_t *benchmark = json_of(texts[i]);
        srv__tree tree;
        if (srv__tree_read(&tree, benchmark, &error))
            fail_msg("read: %s", texts[i]);
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INTERNAL));
        json_decref(benchmark);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_result),
        cmocka_unit_test(a_budget_has_more_loops),
        cmocka_unit_test(what_is_told_has_a_size),
        cmocka_unit_test(detail_is_not_in_the_hash),
        cmocka_unit_test(wrong_loops_name_the_member),
        cmocka_unit_test(wrong_bodies),
        cmocka_unit_test(a_mean_may_be_off_by_rounding),
        cmocka_unit_test(few_calls_do_not_know_all),
        cmocka_unit_test(a_failed_loop_needs_no_summary),
        cmocka_unit_test(which_loop_counts),
        cmocka_unit_test(which_disturbed_loops_are_left_out),
        cmocka_unit_test(a_trial_names_its_commits),
        cmocka_unit_test(results_from_elsewhere_know_less),
        cmocka_unit_test(a_flaw_has_its_reason),
        cmocka_unit_test(a_gap_is_a_flaw_where_nothing_is_left),
        cmocka_unit_test(as_many_configurations_as_the_rules_allow),
        cmocka_unit_test(a_configuration_has_its_place),
        cmocka_unit_test(benchmarks_that_are_no_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
