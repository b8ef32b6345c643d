/* What real histories have and neat samples do not: every chart of them can be read. */
#include "tests/unit/web/readable.h"
#include "tests/unit/web/suite_history.h"

enum { ROUGH_NIGHTS = 576 };

static double share(GRand *dice) {
    return g_rand_double(dice);
}

static json_t *ordinary(GRand *dice, int day, double factor) {
    double unit = factor * (1 + 0.02 * (share(dice) - 0.5));
    return night(day, 70 * unit, 350 * unit, 1400 * unit, 2000 * unit * (1 + 0.05 * share(dice)));
}

/* A cluster of nights in the wrong unit, some of them in another direction. */
static json_t *broken_cluster(GRand *dice, int day) {
    bool broken = day < 6 || (day > 280 && day < 290) || day == ROUGH_NIGHTS - 3;
    return ordinary(dice, day, broken ? (day % 2 ? 1000 : 37) : 1);
}

static json_t *steps(GRand *dice, int day) {
    return ordinary(dice, day, 1 + 0.4 * ((day / 90) % 3));
}

/* One night in twenty anywhere between nothing and fifty times as slow. */
static json_t *heavy_tail(GRand *dice, int day) {
    return ordinary(dice, day, share(dice) < 0.05 ? 50 * share(dice) : 1);
}

static json_t *negatives(GRand *dice, int day) {
    double moved = share(dice) < 0.1 ? 40 : 0.2;
    return night(day, 70, moved * (share(dice) - 0.5) * 200, 800, 900 + 200 * share(dice));
}

static json_t *seconds(GRand *dice, int day) {
    return ordinary(dice, day, day % 200 == 7 ? 1e9 : 1e5);
}

static json_t *hardly_anything(GRand *dice, int day) {
    return ordinary(dice, day, day % 50 == 3 ? 1 : 1e-4);
}

/* Failed, quarantined, released, on new machines, and with more marks than there is room for. */
static json_t *everything_marked(GRand *dice, int day) {
    static const char *const states[] = {"failed", "quarantined"};
    if (day % 17 == 3)
        return bare_night(day, states[day % 2]);
    json_t *json = ordinary(dice, day, share(dice) < 0.03 ? 200 : 1);
    for (size_t portion = 0; portion < 4; portion++)
        if (share(dice) < 0.3)
            mark(json, portion, share(dice) < 0.5 ? "up" : "down");
    g_autofree char *release = g_strdup_printf("v%d.%d.0-rc1", day / 10, day % 10);
    if (share(dice) < 0.2)
        json_object_set_new(json, "release", json_string(release));
    json_object_set_new(json, "environment_changed", json_boolean(share(dice) < 0.1));
    json_object_set_new(json, "accepted", json_boolean(share(dice) < 0.1));
    return json;
}

/* Every night the same commit: the benchmark's own repository. */
static json_t *one_commit(GRand *dice, int day) {
    json_t *json = ordinary(dice, day, 1);
    json_object_set_new(json_object_get(json, "commit"), "short", json_string("3ca1b01bf"));
    return json;
}

static json_t *(*const ROUGH[])(GRand *, int) = {broken_cluster,    steps,     heavy_tail,
                                                 negatives,         seconds,   hardly_anything,
                                                 everything_marked, one_commit};

static json_t *rough(size_t kind) {
    g_autoptr(GRand) dice = g_rand_new_with_seed((guint32)kind + 1);
    json_t *json = json_array();
    for (int day = ROUGH_NIGHTS - 1; day >= 0; day--)
        json_array_append_new(json, ROUGH[kind](dice, day));
    return json;
}

/* As the pages ask for it at 1280 and 390 pixels, as a frame, and the default. */
static const int SIZES[][2] = {{1220, 400}, {360, 320}, {760, 300}, {0, 0}};
static const unsigned RANGES[] = {8, 30, 90, 365, 0};

static void check_chart(json_t *json, web_chart_options o) {
    drawn d = {web_history_new(json, NULL, NULL, o.nights, NULL), NULL};
    d.layout = web_layout_new(d.history, &o);
    check_sane(d.layout);
    check_no_collision(d.layout);
    check_readable(d.layout);
    check_whole(d.layout);
    check_inside(d.layout);
    if (d.layout->axis.low >= 0 && typical_share(&d) < 0.5)
        fail_msg("%u nights, %.0f x %.0f: the typical night has %.2f of the height", o.nights,
                 d.layout->width, d.layout->height, typical_share(&d));
    release(&d);
}

static void check_charts(json_t *json) {
    for (size_t size = 0; size < G_N_ELEMENTS(SIZES); size++)
        for (size_t range = 0; range < G_N_ELEMENTS(RANGES); range++)
            for (int view = WEB_VIEW_BARS; view <= WEB_VIEW_LINES; view++)
                check_chart(json, (web_chart_options){.title = "A framework (imported)",
                                                      .nights = RANGES[range],
                                                      .width = SIZES[size][0],
                                                      .height = SIZES[size][1],
                                                      .view = (web_chart_view)view});
    json_decref(json);
}

static void rough_histories_are_readable(void **state) {
    (void)state;
    for (size_t kind = 0; kind < G_N_ELEMENTS(ROUGH); kind++)
        check_charts(rough(kind));
}

static void real_histories_are_readable(void **state) {
    (void)state;
    g_autoptr(GPtrArray) paths = suite_paths();
    for (guint i = 0; i < paths->len; i++) {
        print_message("%s\n", (char *)paths->pdata[i]);
        check_charts(suite_history(paths->pdata[i]));
    }
}

static guint labels_with(const web_layout *l, const char *text) {
    guint n = 0;
    for (guint i = 0; i < l->labels->len; i++)
        n += strstr(AT(l->labels, web_label, i)->text, text) != NULL;
    return n;
}

static void a_commit_is_named_once_however_often_it_is_measured(void **state) {
    (void)state;
    for (int count = 8; count <= 30; count += 22) {
        json_t *json = json_array();
        g_autoptr(GRand) dice = g_rand_new_with_seed(1);
        for (int day = count - 1; day >= 0; day--)
            json_array_append_new(json, one_commit(dice, day));
        json_object_set_new(json_object_get(json_array_get(json, 2), "commit"), "short",
                            json_string("0badcafe0"));
        drawn d = lay(json, (web_chart_options){0});
        assert_int_equal(labels_with(d.layout, "0badcafe0"), 1);
        assert_int_equal(labels_with(d.layout, "3ca1b01bf"), 2); /* before it and after */
        release(&d);
    }
}

static void marks_take_at_most_a_quarter_of_the_height(void **state) {
    (void)state;
    json_t *json = nights(30);
    for (size_t i = 0; i < 4; i++)
        mark(json_array_get(json, 0), i, "up");
    for (int height = 200; height <= 400; height += 40) {
        drawn d = lay(json_incref(json), (web_chart_options){.height = height});
        double top = web__y_of(d.layout, d.layout->shown.high_ns);
        assert_true(top - d.layout->plot.y <= 0.25 * d.layout->plot.height + EPSILON);
        check_no_collision(d.layout);
        release(&d);
    }
    json_decref(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rough_histories_are_readable),
        cmocka_unit_test(real_histories_are_readable),
        cmocka_unit_test(a_commit_is_named_once_however_often_it_is_measured),
        cmocka_unit_test(marks_take_at_most_a_quarter_of_the_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
