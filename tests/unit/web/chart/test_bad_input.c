/* Every history that has gone wrong in some way, in every view, value, size and format. */
#include "tests/unit/web/drawn.h"

#include "web/chart/chart.h"

static json_t *none(void) {
    return json_array();
}

static json_t *one_night(void) {
    return json_pack("[o]", night(0, 70, 200, 830, 2650));
}

static json_t *one_portion(void) {
    json_t *one = bare_night(0, "measured");
    json_array_append_new(json_object_get(one, "portions"),
                          portion("T", "none", NULL, 70, "first", NULL));
    return json_pack("[o]", one);
}

static json_t *gap_of_a_year(void) {
    json_t *json = nights(10);
    for (size_t i = 0; i < 10; i++)
        json_array_insert_new(json, i, night(384 - (int)i, 70, 200, 830, 2650));
    return json;
}

static json_t *chain(int length, const char *name) {
    json_t *json = json_array();
    for (int day = 0; day < 5; day++) {
        json_t *one = bare_night(day, "measured");
        char last[16] = "", configuration[16];
        for (int i = 0; i < length; i++) {
            g_autofree char *full = g_strdup_printf("%d%s", i, name);
            snprintf(configuration, sizeof configuration, "run%d", i);
            json_array_append_new(json_object_get(one, "portions"),
                                  portion(full, configuration, i ? last : NULL, 10 + i,
                                          i % 7 == 3 ? "anomaly" : "ok", "up"));
            memcpy(last, configuration, sizeof last);
        }
        json_object_set_new(one, "release", json_string(name));
        json_array_append_new(json, one);
    }
    return json;
}

static json_t *forty_configurations(void) {
    return chain(40, "P");
}

static json_t *names_of_300_characters(void) {
    g_autofree char *endless = g_strnfill(300, 'w');
    return chain(4, endless);
}

static json_t *right_to_left(void) {
    return chain(4, "إصلاح كاتب السجلات \u202etxt.exe");
}

static json_t *emoji(void) {
    return chain(4, "🐮 faster moo 👩‍👩‍👧‍👦");
}

static json_t *markup(void) {
    return chain(4, "</text><script>alert(1)</script>&amp;\"'");
}

/* JSON has no NaN; what damaged files have instead. */
static json_t *no_numbers(void) {
    json_t *json = nights(10);
    static const char *const keys[] = {"mean_ns", "low_ns", "high_ns"};
    for (size_t i = 0; i < 9; i++) {
        json_t *p = json_array_get(json_object_get(json_array_get(json, i), "portions"), i % 4);
        json_object_set_new(p, keys[i % 3],
                            i % 2   ? json_null()
                            : i % 3 ? json_string("NaN")
                                    : json_real(1e300));
    }
    return json;
}

static json_t *zeros(void) {
    return json_pack("[o, o, o]", night(2, 0, 0, 0, 0), night(1, 0, 0, 0, 0), night(0, 0, 0, 0, 0));
}

static json_t *negatives(void) {
    return json_pack("[o, o, o]", night(2, 70, 200, -40, 300), night(1, -1, -2, -3, -4),
                     night(0, 70, -500, 1, 1));
}

static json_t *from_1_ns_to_10_s(void) {
    return json_pack("[o, o, o, o]", night(3, 1, 1, 1, 1), night(2, 1, 1000, 1e6, 1e10),
                     night(1, 1e3, 1e3, 1e3, 1e3), night(0, 1, 1, 1, 1));
}

static json_t *everything_failed(void) {
    return json_pack("[o, o]", bare_night(1, "failed"), bare_night(0, "quarantined"));
}

static json_t *ten_years(void) {
    return nights(3650);
}

static const struct {
    const char *name;
    json_t *(*make)(void);
} CASES[] = {
    {"no night", none},
    {"one night", one_night},
    {"one portion", one_portion},
    {"a gap of a year", gap_of_a_year},
    {"40 configurations", forty_configurations},
    {"names of 300 characters", names_of_300_characters},
    {"right to left", right_to_left},
    {"emoji", emoji},
    {"markup", markup},
    {"no numbers", no_numbers},
    {"zeros", zeros},
    {"negative portions", negatives},
    {"1 ns to 10 s", from_1_ns_to_10_s},
    {"everything failed", everything_failed},
    {"ten years", ten_years},
};

static json_t *with_medians(json_t *json) {
    size_t i;
    json_t *one;
    json_array_foreach (json, i, one)
        add_medians(one);
    return json;
}

static void every_layout_is_sane(void **state) {
    (void)state;
    static const int sizes[][2] = {{240, 200}, {390, 320}, {900, 380}, {2400, 1200}};
    for (size_t c = 0; c < G_N_ELEMENTS(CASES); c++) {
        json_t *json = with_medians(CASES[c].make());
        for (unsigned k = 0; k < 4 * G_N_ELEMENTS(sizes); k++) {
            web_chart_options o = {.title = CASES[c].name,
                                   .width = sizes[k / 4][0],
                                   .height = sizes[k / 4][1],
                                   .view = k & 1 ? WEB_VIEW_LINES : WEB_VIEW_BARS,
                                   .of = k & 2 ? WEB_OF_MEDIAN : WEB_OF_MEAN};
            drawn d = lay(json_incref(json), o);
            check_sane(d.layout);
            check_no_collision(d.layout);
            release(&d);
        }
        json_decref(json);
    }
}

static void every_file_is_written(void **state) {
    (void)state;
    for (size_t c = 0; c < G_N_ELEMENTS(CASES); c++) {
        json_t *json = CASES[c].make();
        for (int k = 0; k < 6; k++) {
            const web_chart_options o = {.title = CASES[c].name, .view = (web_chart_view)(k & 1)};
            GBytes *file = web_chart_render(json, &o, (web_chart_format)(k / 2), NULL);
            assert_non_null(file);
            gsize size;
            const char *data = g_bytes_get_data(file, &size);
            assert_true(size > 400);
            if (k / 2 == WEB_CHART_SVG) {
                assert_null(g_strstr_len(data, (gssize)size, "<script"));
                assert_null(g_strstr_len(data, (gssize)size, "nan"));
            }
            g_bytes_unref(file);
        }
        json_decref(json);
    }
}

/* bad_input <folder>: the pictures to look at. */
static int write_pictures(const char *folder) {
    for (size_t c = 0; c < G_N_ELEMENTS(CASES); c++) {
        for (int view = 0; view < 2; view++) {
            const web_chart_options o = {.title = CASES[c].name, .view = (web_chart_view)view};
            json_t *json = CASES[c].make();
            GBytes *file = web_chart_render(json, &o, WEB_CHART_PNG, NULL);
            json_decref(json);
            g_autofree char *name =
                g_strdup_printf("%s/%02zu-%s.png", folder, c, view ? "lines" : "bars");
            gsize size;
            const char *data = g_bytes_get_data(file, &size);
            if (!g_file_set_contents(name, data, (gssize)size, NULL))
                return 1;
            g_bytes_unref(file);
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2)
        return write_pictures(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_is_sane),
        cmocka_unit_test(every_file_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
