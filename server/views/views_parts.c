#include "server/views/views_parts.h"

#include "detector/words/counted.h"
#include "server/alarm/trial_judge.h"
#include "server/views/views_queries.h"

void srv__drop_empty(json_t *object, const char *key, const char *member) {
    json_t *inner = json_object_get(object, key);
    if (inner && json_is_null(json_object_get(inner, member)))
        json_object_set_new(object, key, json_null());
}

/* In words, or null. */
static void tell_counted(json_t *question) {
    char text[DET_COUNTED_MAX];
    const det_counted counted = srv__counted_read(json_object_get(question, "counted"));
    det_counted_alone(text, sizeof text, &counted);
    json_object_set_new(question, "counted", text[0] != '\0' ? json_string(text) : json_null());
}

/* What measuring two commits in turn has shown so far; NULL with error. */
static json_t *trial_view(srv_store *store, int64_t trial, int64_t job, GError **error) {
    static const char *const intervals[] = {"before", "after", "difference"};
    json_t *view = srv__trial_row(store, trial, job, error);
    json_t *questions = view ? srv__trial_question_rows(store, trial, error) : NULL, *question;
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
    json_t *view = srv__job_row(store, job, with_log, error);
    if (!view)
        return NULL;
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
