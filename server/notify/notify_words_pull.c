
#include "config/json_text.h"
#include "config/model/detection.h"
#include "server/notify/notify_words.h"
#include "web/layout/text.h"
#include "web/words/words.h"

#include <math.h>
#include <string.h>

#define STATUS_MAX 139 /* and an ellipsis: GitHub's limit of a status' description is 140 */
#define SENTENCE_MAX 600

static bool is(const json_t *object, const char *key, const char *text) {
    return strcmp(cfg_json_word(object, key, ""), text) == 0;
}

static bool is_over(const json_t *pull) {
    return is(pull, "state", "done") || is(pull, "state", "failed") || is(pull, "state", "dropped");
}

const char *srv_words_pull_state(const json_t *pull) {
    if (!is_over(pull))
        return "pending";
    if (!is(pull, "state", "done"))
        return "error";
    return is(pull, "answer", "slower") ? "failure" : "success";
}

/* "W slower, I as before" */
static void answers(GString *to, const json_t *portions) {
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion)
        g_string_append_printf(to, "%s%s %s", i > 0 ? ", " : "",
                               cfg_json_word(portion, "portion", ""),
                               cfg_json_word(portion, "words", ""));
}

static void standing(GString *to, const json_t *pull) {
    const double place = cfg_json_number(pull, "place"),
                 left_s = cfg_json_number(pull, "left_seconds");
    g_string_append(to, cfg_json_word(pull, "headline", ""));
    if (place > 0)
        g_string_append_printf(to, ", place %.0f in the queue", place);
    if (isfinite(left_s))
        g_string_append_printf(to, ", at most %.0f minutes of measuring left", ceil(left_s / 60));
}

static void reason_add(GString *to, const json_t *pull) {
    const char *reason = cfg_json_word(pull, "reason", "");
    if (*reason != '\0')
        g_string_append_printf(to, ": %s", reason);
}

char *srv_words_pull(const json_t *pull) {
    g_autoptr(GString) to = g_string_new(NULL);
    if (is(pull, "state", "done") && !is(pull, "answer", "untouched"))
        answers(to, json_object_get(pull, "portions"));
    else
        standing(to, pull);
    reason_add(to, pull);
    return web_text_clean(to->str, STATUS_MAX);
}

static det_interval interval_of(const json_t *portion, const char *key) {
    det_interval interval;
    if (!model_read(&cfg_interval_ns_model, json_object_get(portion, key), &interval, NULL))
        model_begin(&cfg_interval_ns_model, &interval);
    return interval;
}

static void row(GString *to, const json_t *portion) {
    const det_interval before = interval_of(portion, "before"),
                       after = interval_of(portion, "after");
    const double change = cfg_json_number(json_object_get(portion, "difference"), "mean_ns");
    srv_words_row_add(to, cfg_json_word(portion, "portion", ""), &before, &after, change);
    g_string_append_printf(to,
                           is(portion, "answer", "slower")   ? " ▲ **%s** |\n"
                           : is(portion, "answer", "faster") ? " ▼ **%s** |\n"
                                                             : " %s |\n",
                           cfg_json_word(portion, "words", ""));
}

static void table(GString *to, const json_t *pull) {
    const json_t *portions = json_object_get(pull, "portions");
    g_autofree char *interval = web_level_interval(cfg_json_number(pull, "level"));
    size_t i;
    json_t *portion;
    g_string_append_printf(to,
                           "\n\n| portion | merge base, ns a call [%s] | this commit | change | |\n"
                           "|---|--:|--:|--:|---|\n",
                           interval);
    json_array_foreach (portions, i, portion)
        row(to, portion);
    json_array_foreach (portions, i, portion) {
        g_string_append(to, "\n- ");
        web_text_markdown_line(to, cfg_json_word(portion, "sentence", ""), SENTENCE_MAX);
    }
}

/* After the last whole line that fits. */
static void cut(GString *to, size_t bytes) {
    static const char note[] = "\n\n… cut off here; all of it is on this page:";
    if (to->len <= bytes)
        return;
    g_string_truncate(to, bytes > sizeof note ? bytes - sizeof note : 0);
    const char *end = strrchr(to->str, '\n');
    g_string_truncate(to, end ? (gsize)(end - to->str) : 0);
    g_string_append(to, note);
}

static void how_to_let_in(GString *to, const json_t *pull) {
    g_string_append(to,
                    "\n\nThis commit comes from a fork: its code runs on our machine only after a "
                    "maintainer sets the label");
    if (is(pull, "provider", "github")) /* the others do not say who may */
        g_string_append_printf(to, ", or comments `/moowatch measure %s`",
                               cfg_json_word(pull, "commit", ""));
    g_string_append_c(to, '.');
}

char *srv_words_pull_markdown(const json_t *pull, const char *page, const char *marker,
                              size_t bytes) {
    GString *to = g_string_new(NULL);
    g_autoptr(GString) line = g_string_new(NULL);
    srv_words_head_add(to, marker, cfg_json_word(pull, "project", ""),
                       cfg_json_word(pull, "commit", ""));
    standing(line, pull);
    reason_add(line, pull);
    web_text_markdown_line(to, line->str, SENTENCE_MAX);
    if (is(pull, "state", "held"))
        how_to_let_in(to, pull);
    else if (is(pull, "state", "done") && !is(pull, "answer", "untouched"))
        table(to, pull);
    const size_t link = strlen(page) + strlen("\n\n<>\n");
    cut(to, bytes > link ? bytes - link : 0);
    g_string_append_printf(to, "\n\n<%s>\n", page);
    return g_string_free(to, FALSE);
}
