#include "server/notify/notify_words__.h"

#include "web/layout/text.h"

#include <math.h>
#include <string.h>

static const char *said(const char *text) {
    return text ? text : "";
}

static char *clean(const char *text) {
    return web_text_clean(said(text), SRV__WORDS_TEXT_MAX);
}

char *srv_words_ns(double value) {
    if (!isfinite(value))
        return g_strdup("-");
    const double size = fabs(value);
    return g_strdup_printf("%.*f", size >= 1000 ? 0 : size >= 10 ? 1 : 2, value);
}

/* Where an alert that is over went. */
static const char *ending(const cfg_alert *alert) {
    return cfg_is(alert->state, "fixed")      ? "fixed"
           : cfg_is(alert->state, "accepted") ? "accepted as the new level"
           : cfg_is(alert->state, "false")    ? "a false alarm"
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

/* Of moowatchd notify: of no alert. */
static bool is_test(const srv_words *words) {
    return g_str_equal(words->event, "test");
}

char *srv__words_headline(const srv_words *words, const cfg_alert *alert) {
    g_autofree char *headline = clean(alert->headline);
    const char *how = is_incident(words) ? said(alert->state) : ending(alert);
    return is_ended(words)       ? g_strdup_printf("%s (%s)", headline, how)
           : is_explained(words) ? g_strdup_printf("%s: where it is", headline)
           : is_found(words)     ? g_strdup_printf("%s: the commit", headline)
                                 : g_steal_pointer(&headline);
}

char *srv_words_subject(const srv_words *words) {
    const size_t count = json_array_size(words->alerts);
    g_autoptr(GString) all = g_string_new(NULL);
    for (size_t i = 0; i < count && i < 3; i++) {
        g_auto(cfg_alert) alert = cfg_alert_of(json_array_get(words->alerts, i));
        g_autofree char *one = srv__words_headline(words, &alert);
        g_string_append_printf(all, "%s%s", i > 0 ? ", " : "", one);
    }
    return count > 1 ? g_strdup_printf("[overhead] %s: %zu %s: %s%s", words->project, count,
                                       is_incident(words) ? "incidents" : "changes", all->str,
                                       count > 3 ? ", …" : "")
                     : g_strdup_printf("[overhead] %s: %s", words->project, all->str);
}

char *srv__words_link(const srv_words *words, const cfg_alert *alert) {
    if (is_test(words))
        return g_strdup_printf("%s/projects/%s", words->base, words->project);
    return g_strdup_printf("%s/%s/%" JSON_INTEGER_FORMAT, words->base,
                           is_incident(words)  ? "incidents"
                           : is_counted(words) ? "experiments"
                                               : "alerts",
                           (json_int_t)alert->id);
}

char *srv__words_commit(const cfg_alert *alert) {
    const cfg_commit *commit = cfg_alert_culprit(alert);
    if (!commit)
        return g_strdup_printf("%.12s or an earlier commit",
                               said(cfg_alert_end(alert)->commit.shortened));
    g_autofree char *subject = clean(commit->subject);
    g_autofree char *author = clean(commit->author);
    return g_strdup_printf("%.12s %s (%s)", said(commit->shortened), subject, author);
}

char *srv__words_range(const cfg_alert *alert) {
    const cfg_end *from = alert->from;
    if (!from) /* what is counted is of one night */
        return g_strdup("with");
    return g_strdup_printf("after %.12s of %.10s, %s", said(from->commit.shortened),
                           said(from->night),
                           cfg_alert_culprit(alert) ? "with" : "at the latest with");
}

/* "one of 3 commits after 73c24198 of 2026-11-23 up to 2559ae66; being searched" */
static char *several(const cfg_alert *alert) {
    const cfg_end *from = alert->from, *to = cfg_alert_end(alert);
    const int64_t count = cfg_alert_commits(alert);
    const char *state = alert->search_state;
    g_autofree char *many = count > 1 ? g_strdup_printf("%" G_GINT64_FORMAT " ", count) : NULL;
    return g_strdup_printf("one of %scommits after %.12s of %.10s up to %.12s of %.10s; %s",
                           many ? many : "the ", said(from->commit.shortened), said(from->night),
                           said(to->commit.shortened), said(to->night),
                           cfg_is(state, "range") || cfg_is(state, "failed")
                               ? "the search found no single one"
                               : "which one is being searched");
}

/* Since when, and by whom as far as that is known. */
static char *since(const cfg_alert *alert) {
    if (!cfg_alert_culprit(alert))
        return several(alert);
    g_autofree char *range = srv__words_range(alert), *commit = srv__words_commit(alert);
    return g_strdup_printf("%s %s", range, commit);
}

/* Who decided last, and why; NULL when nobody did. */
static char *last_answer(const cfg_alert *alert) {
    if (alert->audit_count == 0)
        return NULL;
    const cfg_decision *last = &alert->audit[alert->audit_count - 1];
    g_autofree char *author = clean(last->author);
    g_autofree char *reason = clean(last->reason);
    return g_strdup_printf("%s: %s", author, reason);
}

/* Where the change is, where that is known: a sentence a portion. */
static void add_explanation(GPtrArray *lines, const cfg_alert *alert) {
    for (unsigned i = 0; i < alert->where_count; i++)
        g_ptr_array_add(lines, clean(alert->where[i].sentence));
}

char *srv__words_where(const cfg_alert *alert) {
    g_autoptr(GPtrArray) sentences = g_ptr_array_new_with_free_func(g_free);
    add_explanation(sentences, alert);
    g_ptr_array_add(sentences, NULL);
    if (sentences->len > 1)
        return g_strjoinv("; ", (char **)(void *)sentences->pdata);
    return g_strdup(cfg_is(alert->explained, "waiting") ? "not known yet" : "not known");
}

char **srv__words_lines(const srv_words *words, const cfg_alert *alert) {
    GPtrArray *lines = g_ptr_array_new();
    char *answer = is_ended(words) ? last_answer(alert) : NULL;
    if (!is_explained(words))
        g_ptr_array_add(lines, clean(alert->sentence));
    if (answer)
        g_ptr_array_add(lines, answer);
    if (!is_ended(words) && alert->counted)
        g_ptr_array_add(lines, clean(alert->counted));
    if (!is_ended(words))
        add_explanation(lines, alert);
    if (!is_ended(words) && !is_incident(words) && !is_test(words)) {
        g_ptr_array_add(lines, since(alert));
        if (!is_explained(words) && !is_found(words) && !is_counted(words))
            g_ptr_array_add(lines, clean(alert->reason));
    }
    g_ptr_array_add(lines, NULL);
    return (char **)(void *)g_ptr_array_free(lines, FALSE);
}

static void append_alert(GString *to, const srv_words *words, const cfg_alert *alert) {
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
    json_t *json;
    json_array_foreach (words->alerts, i, json) {
        g_auto(cfg_alert) alert = cfg_alert_of(json);
        g_autofree char *own = words->text ? srv__words_own(words, &alert) : NULL;
        if (i > 0)
            g_string_append_c(to, '\n');
        if (own)
            g_string_append(to, own);
        else
            append_alert(to, words, &alert);
    }
    return g_string_free(to, FALSE);
}
