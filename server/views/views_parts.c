#include "server/views/views_parts.h"

#include "config/json_text.h"
#include "config/number.h"
#include "detector/words/counted.h"
#include "server/alarm/trial_rows.h"
#include "server/ground/error.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "sql/views.h"

#include <string.h>

bool srv__page_limit(srv_page page, unsigned *limit, GError **error) {
    *limit = page.limit == 0 ? SRV_PAGE_DEFAULT : page.limit;
    if (*limit <= SRV_PAGE_LIMIT)
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "limit: must be 1 to %u", SRV_PAGE_LIMIT);
}

bool srv__cursor_read(const char *text, bool with_night, srv__cursor *cursor, GError **error) {
    *cursor = (srv__cursor){.night = "9999-99-99", .time_ms = INT64_MAX, .id = INT64_MAX};
    if (!text)
        return true;
    g_auto(GStrv) part = g_strsplit(text, "~", 4);
    guint parts = g_strv_length(part);
    bool good = parts == (with_night ? 3u : 1u) &&
                cfg_number_signed(part[parts - 1], 0, INT64_MAX, &cursor->id);
    if (good && with_night) {
        good = strlen(part[0]) == 10 && strspn(part[0], "0123456789-") == 10 &&
               cfg_number_signed(part[1], INT64_MIN, INT64_MAX, &cursor->time_ms);
        g_strlcpy(cursor->night, part[0], sizeof cursor->night);
    }
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "cursor: use the unchanged 'next' of the previous page");
    return good;
}

json_t *srv__page_of(json_t *items, unsigned limit, char *(*key)(const json_t *item)) {
    json_t *next = json_null();
    if (json_array_size(items) > limit) {
        json_array_remove(items, limit);
        g_autofree char *text = key(json_array_get(items, limit - 1));
        next = json_string(text);
    }
    return json_pack("{s:o,s:o}", "items", items, "next", next);
}

/* In words, or null. */
static void tell_counted(json_t *question) {
    char text[DET_COUNTED_MAX];
    srv__counted read = {0};
    const bool there =
        model_read(&srv__counted_model, json_object_get(question, "counted"), &read, NULL);
    const det_counted counted = srv__counted_of(there ? &read : NULL);
    det_counted_alone(text, sizeof text, &counted);
    model_clear(&srv__counted_model, &read);
    json_object_set_new(question, "counted", text[0] != '\0' ? json_string(text) : json_null());
}

json_t *srv__only_row(srv_store *store, const srv_sql *sql, int64_t id, const char *what,
                      GError **error) {
    json_t *row;
    if (!srv__object(store, sql, SRV__ARGS(id), &row, error))
        return NULL;
    if (!row)
        (void)SRV__NONE(error, what, id);
    return row;
}

/* What measuring two commits in turn has shown so far; NULL with error. */
static json_t *trial_view(srv_store *store, int64_t trial, int64_t job, GError **error) {
    json_auto_t *view = NULL;
    if (!srv__object(store, ASK(trial_row, trial, job), &view, error))
        return NULL;
    srv__member_instead(view, "maximum", "remeasure_loops");
    json_t *questions = view ? srv__array(store, ASK(trial_question_rows, trial), error) : NULL,
           *question;
    if (!questions)
        return NULL;
    size_t k;
    json_array_foreach (questions, k, question) {
        tell_counted(question);
        if (json_is_null(json_object_get(question, "unit"))) /* left out of times, as of portions */
            json_object_del(question, "unit");
    }
    json_object_set_new(view, "questions", questions);
    return json_incref(view);
}

json_t *srv__job_view(srv_store *store, int64_t job, bool with_log, GError **error) {
    json_auto_t *view =
        srv__only_row(store, with_log ? SQL(job_row_with_log) : SQL(job_row), job, "job", error);
    if (!view)
        return NULL;
    srv__member_instead(view, "unmatched_labels", "node_labels");
    int64_t trial = cfg_json_integer(view, "trial");
    json_t *known = trial != 0 ? trial_view(store, trial, job, error) : NULL;
    if (known)
        json_object_set_new(view, "trial", known);
    return known || trial == 0 ? json_incref(view) : NULL;
}
