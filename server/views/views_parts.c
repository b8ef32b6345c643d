#include "server/views/views_parts.h"

#include "detector/words/counted.h"
#include "server/alarm/trial_rows.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "sql/views.h"

void srv__drop_empty(json_t *object, const char *key, const char *member) {
    json_t *inner = json_object_get(object, key);
    if (inner && json_is_null(json_object_get(inner, member)))
        json_object_set_new(object, key, json_null());
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
    if (!srv__object(store, sql, SRV__ARGS(SRV__I(id)), &row, error))
        return NULL;
    if (!row)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no %s %" G_GINT64_FORMAT, what,
                    id);
    return row;
}

/* What measuring two commits in turn has shown so far; NULL with error. */
static json_t *trial_view(srv_store *store, int64_t trial, int64_t job, GError **error) {
    static const char *const intervals[] = {"before", "after", "difference"};
    json_t *view;
    if (!srv__object(store, SQL(trial_row), SRV__ARGS(SRV__I(trial), SRV__I(job)), &view, error))
        return NULL;
    srv__member_instead(view, "maximum", "remeasure_loops");
    json_t *questions =
               view ? srv__array(store, SQL(trial_question_rows), SRV__ARGS(SRV__I(trial)), error)
                    : NULL,
           *question;
    if (!questions) {
        json_decref(view);
        return NULL;
    }
    size_t k;
    json_array_foreach (questions, k, question) {
        for (size_t i = 0; i < G_N_ELEMENTS(intervals); i++)
            srv__drop_empty(question, intervals[i], "mean_ns");
        tell_counted(question);
    }
    json_object_set_new(view, "questions", questions);
    return view;
}

json_t *srv__job_view(srv_store *store, int64_t job, bool with_log, GError **error) {
    json_t *view =
        srv__only_row(store, with_log ? SQL(job_row_with_log) : SQL(job_row), job, "job", error);
    if (!view)
        return NULL;
    srv__member_instead(view, "unmatched_labels", "node_labels");
    srv__drop_empty(view, "waiting", "artifact");
    int64_t trial = json_integer_value(json_object_get(view, "trial"));
    if (trial == 0)
        return view;
    json_t *known = trial_view(store, trial, job, error);
    if (known) {
        json_object_set_new(view, "trial", known);
        return view;
    }
    json_decref(view);
    return NULL;
}
