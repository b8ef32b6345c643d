#pragma once
/* What the tests of ci/ share: errors with their words, numbers of JSON, a folder with files. */
#include "tests/unit/test.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "ci/command/command.h"
#include "ci/formats/night.h"

#define EXPECT_ERROR(error_, code_, words_)                                                        \
    do {                                                                                           \
        assert_non_null(error_);                                                                   \
        assert_true((error_)->domain == CI_ERROR);                                                 \
        assert_int_equal((error_)->code, (code_));                                                 \
        if (!strstr((error_)->message, (words_)))                                                  \
            fail_msg("\"%s\" does not say \"%s\"", (error_)->message, (words_));                   \
        g_clear_error(&(error_));                                                                  \
    } while (0)

/* The text as JSON, owned; single quotes stand for double ones. */
static inline json_t *json_of(const char *text) {
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    json_error_t wrong;
    json_t *json = json_loads(quoted, JSON_DECODE_ANY, &wrong);
    if (!json)
        fail_msg("%s: %s", wrong.text, quoted);
    return json;
}

static inline void expect_real(const json_t *object, const char *key, double value) {
    const double got = cfg_json_number(object, key);
    if (isnan(value) ? !isnan(got) : !(fabs(got - value) <= 1e-9 * fabs(value)))
        fail_msg("%s is %.17g, not %.17g", key, got, value);
}

static inline void expect_text(const json_t *object, const char *key, const char *value) {
    const char *got = cfg_json_word(object, key, NULL);
    if (g_strcmp0(got, value) != 0)
        fail_msg("%s is \"%s\", not \"%s\"", key, got ? got : "(none)", value ? value : "(none)");
}

/* For cmocka: *state is the path of an empty folder; what is in it goes with it. */
static inline int make_folder(void **state) {
    *state = g_dir_make_tmp("moowatch-ci-XXXXXX", NULL);
    return *state ? 0 : -1;
}

static inline int remove_folder(void **state) {
    g_autoptr(GDir) folder = g_dir_open(*state, 0, NULL);
    for (const char *name; folder && (name = g_dir_read_name(folder));) {
        g_autofree char *path = g_build_filename(*state, name, NULL);
        g_remove(path);
    }
    const int gone = g_rmdir(*state);
    g_free(*state);
    return gone;
}

/* What is in a folder, whatever it is. */
static inline void remove_below(const char *folder) {
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    for (const char *name; directory && (name = g_dir_read_name(directory));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        remove_below(path);
        (void)g_remove(path);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

/* The path of a new file; caller frees. */
static inline char *put(const char *folder, const char *name, const char *text) {
    char *path = g_build_filename(folder, name, NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
    return path;
}
