#include "server/notify/notify_words__.h"

#include "web/layout/text.h"

#include <math.h>
#include <string.h>

const char *srv__words_text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static char *clean(const json_t *object, const char *key) {
    return web_text_clean(srv__words_text_of(object, key), SRV__WORDS_TEXT_MAX);
}

char *srv_words_ns(double value) {
    if (!isfinite(value))
        return g_strdup("-");
    const double size = fabs(value);
    return g_strdup_printf("%.*f", size >= 1000 ? 0 : size >= 10 ? 1 : 2, value);
}

/* Where an alert that is over went. */
static const char *ending(const json_t *alert) {
    const char *state = srv__words_text_of(alert, "state");
    return g_str_equal(state, "fixed")      ? "fixed"
           : g_str_equal(state, "accepted") ? "accepted as the new level"
           : g_str_equal(state, "false")    ? "a false alarm"
                                            : "withdrawn";
}

static bool is_incident(const srv_words *words) {
    return g_str_equal(words->event, "opened") || g_str_equal(words->event, "over");
}

static bool is_counted(const srv_words *words) {
    return g_str_equal(words->event, "counted");
}

static bool is_ended(const srv_words *words) {
    return g_str_equal(words->event, "ended") || g_str_equal(words->event, "over");
}

static bool is_explained(const srv_words *words) {
    return g_str_equal(words->event, "explained");
}

static bool is_found(const srv_words *words) {
    return g_str_equal(words->event, "found");
}

char *srv__words_headline(const srv_words *words, const json_t *alert) {
    g_autofree char *headline = clean(alert, "headline");
    const char *how = is_incident(words) ? srv__words_text_of(alert, "state") : ending(alert);
    return is_ended(words)       ? g_strdup_printf("%s (%s)", headline, how)
           : is_explained(words) ? g_strdup_printf("%s: where it is", headline)
           : is_found(words)     ? g_strdup_printf("%s: the commit", headline)
                                 : g_steal_pointer(&headline);
}

char *srv_words_subject(const srv_words *words) {
    const size_t count = json_array_size(words->alerts);
    g_autoptr(GString) all = g_string_new(NULL);
    for (size_t i = 0; i < count && i < 3; i++) {
        g_autofree char *one = srv__words_headline(words, json_array_get(words->alerts, i));
        g_string_append_printf(all, "%s%s", i > 0 ? ", " : "", one);
    }
    return count > 1 ? g_strdup_printf("[overhead] %s: %zu %s: %s%s", words->project, count,
                                       is_incident(words) ? "incidents" : "changes", all->str,
                                       count > 3 ? ", …" : "")
                     : g_strdup_printf("[overhead] %s: %s", words->project, all->str);
}

char *srv__words_link(const srv_words *words, const json_t *alert) {
    return g_strdup_printf("%s/%s/%" JSON_INTEGER_FORMAT, words->base,
                           is_incident(words)  ? "incidents"
                           : is_counted(words) ? "experiments"
                                               : "alerts",
                           json_integer_value(json_object_get(alert, "id")));
}

static const json_t *end_of(const json_t *alert) {
    const json_t *until = json_object_get(alert, "until"); /* a test's alert has none */
    return until ? until : json_object_get(alert, "to");
}

/* How many commits came between the two nights; 0: not known. What is counted has one night. */
static json_int_t commits_of(const json_t *alert) {
    const json_t *searched = json_object_get(json_object_get(alert, "bisection"), "commits");
    return !json_object_get(alert, "from") ? 1
           : searched                      ? json_integer_value(searched)
                                           : json_integer_value(json_object_get(alert, "commits"));
}

/* The commit that did it, as far as is known; NULL: one of several, and nobody is accused. */
static const json_t *culprit_of(const json_t *alert) {
    const json_t *culprit = json_object_get(json_object_get(alert, "bisection"), "culprit");
    return json_is_object(culprit)  ? culprit
           : commits_of(alert) == 1 ? json_object_get(end_of(alert), "commit")
                                    : NULL;
}

char *srv__words_commit(const json_t *alert) {
    const json_t *commit = culprit_of(alert);
    if (!commit)
        return g_strdup_printf(
            "%.12s or an earlier commit",
            srv__words_text_of(json_object_get(end_of(alert), "commit"), "short"));
    g_autofree char *subject = clean(commit, "subject");
    g_autofree char *author = clean(commit, "author");
    return g_strdup_printf("%.12s %s (%s)", srv__words_text_of(commit, "short"), subject, author);
}

char *srv__words_range(const json_t *alert) {
    const json_t *from = json_object_get(alert, "from");
    if (!from) /* what is counted is of one night */
        return g_strdup("with");
    return g_strdup_printf(
        "after %.12s of %.10s, %s", srv__words_text_of(json_object_get(from, "commit"), "short"),
        srv__words_text_of(from, "night"), culprit_of(alert) ? "with" : "at the latest with");
}

/* "one of 3 commits after 73c24198 of 2026-11-23 up to 2559ae66; being searched" */
static char *several(const json_t *alert) {
    const json_t *from = json_object_get(alert, "from"), *to = end_of(alert);
    const json_int_t count = commits_of(alert);
    const char *state = srv__words_text_of(json_object_get(alert, "bisection"), "state");
    g_autofree char *many = count > 1 ? g_strdup_printf("%" JSON_INTEGER_FORMAT " ", count) : NULL;
    return g_strdup_printf(
        "one of %scommits after %.12s of %.10s up to %.12s of %.10s; %s", many ? many : "the ",
        srv__words_text_of(json_object_get(from, "commit"), "short"),
        srv__words_text_of(from, "night"),
        srv__words_text_of(json_object_get(to, "commit"), "short"), srv__words_text_of(to, "night"),
        g_str_equal(state, "range") || g_str_equal(state, "failed")
            ? "the search found no single one"
            : "which one is being searched");
}

/* Since when, and by whom as far as that is known. */
static char *since(const json_t *alert) {
    if (!culprit_of(alert))
        return several(alert);
    g_autofree char *range = srv__words_range(alert), *commit = srv__words_commit(alert);
    return g_strdup_printf("%s %s", range, commit);
}

/* Who decided last, and why; NULL when nobody did. */
static char *last_answer(const json_t *alert) {
    const json_t *audit = json_object_get(alert, "audit");
    const json_t *last = json_array_get(audit, json_array_size(audit) - 1);
    g_autofree char *author = clean(last, "author");
    g_autofree char *reason = clean(last, "reason");
    return last ? g_strdup_printf("%s: %s", author, reason) : NULL;
}

/* Where the change is, where that is known; a sentence each, NULL-terminated, owned. */
static char **explanation_of(const json_t *alert) {
    const json_t *portions = json_object_get(json_object_get(alert, "explanation"), "portions");
    GPtrArray *lines = g_ptr_array_new();
    size_t i;
    const json_t *portion;
    json_array_foreach (portions, i, portion)
        g_ptr_array_add(lines, clean(portion, "sentence"));
    g_ptr_array_add(lines, NULL);
    return (char **)(void *)g_ptr_array_free(lines, FALSE);
}

static void add_explanation(GPtrArray *lines, const json_t *alert) {
    char **sentences = explanation_of(alert);
    for (size_t i = 0; sentences[i]; i++)
        g_ptr_array_add(lines, sentences[i]);
    g_free(sentences);
}

char *srv__words_where(const json_t *alert) {
    const json_t *explanation = json_object_get(alert, "explanation");
    g_auto(GStrv) sentences = explanation_of(alert);
    if (sentences[0])
        return g_strjoinv("; ", sentences);
    return g_strdup(g_str_equal(srv__words_text_of(explanation, "state"), "waiting")
                        ? "not known yet"
                        : "not known");
}

char **srv__words_lines(const srv_words *words, const json_t *alert) {
    GPtrArray *lines = g_ptr_array_new();
    char *answer = is_ended(words) ? last_answer(alert) : NULL;
    if (!is_explained(words))
        g_ptr_array_add(lines, clean(alert, "sentence"));
    if (answer)
        g_ptr_array_add(lines, answer);
    if (!is_ended(words) && json_is_string(json_object_get(alert, "counted")))
        g_ptr_array_add(lines, clean(alert, "counted"));
    if (!is_ended(words))
        add_explanation(lines, alert);
    if (!is_ended(words) && !is_incident(words)) {
        g_ptr_array_add(lines, since(alert));
        if (!is_explained(words) && !is_found(words) && !is_counted(words))
            g_ptr_array_add(lines, clean(alert, "reason"));
    }
    g_ptr_array_add(lines, NULL);
    return (char **)(void *)g_ptr_array_free(lines, FALSE);
}

static void append_alert(GString *to, const srv_words *words, const json_t *alert) {
    g_autofree char *headline = srv__words_headline(words, alert);
    g_autofree char *address = srv__words_link(words, alert);
    g_auto(GStrv) lines = srv__words_lines(words, alert);
    g_string_append_printf(to, "%s: %s\n", words->project, headline);
    for (guint i = 0; lines[i]; i++)
        g_string_append_printf(to, "%s\n", lines[i]);
    g_string_append_printf(to, "%s\n", address);
}

char *srv_words_text(const srv_words *words) {
    GString *to = g_string_new(NULL);
    size_t i;
    json_t *alert;
    json_array_foreach (words->alerts, i, alert) {
        g_autofree char *own = words->text ? srv__words_own(words, alert) : NULL;
        if (i > 0)
            g_string_append_c(to, '\n');
        if (own)
            g_string_append(to, own);
        else
            append_alert(to, words, alert);
    }
    return g_string_free(to, FALSE);
}
