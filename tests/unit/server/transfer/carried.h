#pragma once
/* An export and its import for the tests of what goes along. */
#include "tests/unit/server/fixture.h"
#include "tests/unit/test.h"

#include <string.h>

#include "server/views/views.h"
#include "tests/unit/server/transfer/imported.h"

static inline bool collect(const char *line, void *user, GError **error) {
    (void)error;
    g_ptr_array_add(user, g_strdup(line));
    return true;
}

static inline GPtrArray *exported(fixture *fix, const char *project) {
    GError *error = NULL;
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    if (!srv_export_project(fix->store, project, 5, collect, lines, &error))
        fail_msg("%s", error->message);
    return lines;
}

/* The first of these lines, each with its end; caller frees. */
static inline char *first_of(const GPtrArray *lines, guint count) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < count; i++)
        g_string_append_printf(text, "%s\n", (const char *)lines->pdata[i]);
    return g_string_free(text, FALSE);
}

static inline srv_import_counts counts_of(const srv_import *import) {
    json_auto_t *report = srv_import_report(import);
    return (srv_import_counts){.nights = (unsigned)number_of(report, "nights"),
                               .known = (unsigned)number_of(report, "known"),
                               .alerts = (unsigned)number_of(report, "answers"),
                               .unmatched = (unsigned)number_of(report, "unmatched")};
}

/* project: its name here; NULL: as in the export. */
static inline srv_import_counts imported(fixture *fix, const char *project,
                                         const GPtrArray *lines) {
    GError *error = NULL;
    g_autofree char *text = first_of(lines, lines->len);
    g_autoptr(srv_import) import = srv_import_new(fix->store, project, fix->now_ms);
    if (!import_text(import, text, &error))
        fail_msg("%s", error->message);
    return counts_of(import);
}

/* Raw files stay behind. */
static inline char *without_raw(const char *line) {
    json_auto_t *object = json_loads(line, 0, NULL);
    size_t i;
    json_t *loop;
    json_array_foreach (json_object_get(json_object_get(object, "result"), "loops"), i, loop)
        json_object_del(loop, "raw");
    return json_dumps(object, JSON_SORT_KEYS);
}

/* The lines of this type, one below the other; owned. */
static inline char *of_type(const GPtrArray *lines, const char *type) {
    g_autofree char *mark = g_strdup_printf("\"type\":\"%s\"", type);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < lines->len; i++)
        if (strstr(lines->pdata[i], mark)) {
            char *line = without_raw(lines->pdata[i]);
            g_string_append_printf(text, "%s\n", line);
            free(line);
        }
    return g_string_free(text, FALSE);
}

/* The nights' verdicts and reasons, in order; owned. */
static inline char *verdicts(fixture *fix) {
    json_auto_t *page = srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0}, NULL);
    GString *text = g_string_new(NULL);
    size_t i, k;
    json_t *night, *portion;
    json_array_foreach (json_object_get(page, "items"), i, night)
        json_array_foreach (json_object_get(night, "portions"), k, portion)
            g_string_append_printf(text, "%s %s %s: %s\n", text_of(night, "night"),
                                   text_of(portion, "portion"), text_of(portion, "verdict"),
                                   text_of(portion, "reason"));
    return g_string_free(text, FALSE);
}

/* Both tell the same of nights and of these lines. */
static inline void alike(fixture *fix, fixture *other, const char *type) {
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    g_autoptr(GPtrArray) again = exported(other, "kieker");
    g_autofree char *first = of_type(lines, type), *second = of_type(again, type);
    g_autofree char *judged = verdicts(fix), *judged_again = verdicts(other);
    assert_string_not_equal(first, "");
    assert_string_equal(first, second);
    assert_string_equal(judged, judged_again);
}
