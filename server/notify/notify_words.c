#include "server/notify/notify_words.h"

#include "web/layout/text.h"

#include <math.h>
#include <string.h>

#define TEXT_MAX 300
#define SLACK_ALERTS_MAX 20

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

char *srv_words_ns(double value) {
    if (!isfinite(value))
        return g_strdup("-");
    const double size = fabs(value);
    return g_strdup_printf("%.*f", size >= 1000 ? 0 : size >= 10 ? 1 : 2, value);
}

static char *level(const json_t *interval) {
    g_autofree char *mean = srv_words_ns(number_of(interval, "mean_ns"));
    g_autofree char *low = srv_words_ns(number_of(interval, "low_ns"));
    g_autofree char *high = srv_words_ns(number_of(interval, "high_ns"));
    return g_strdup_printf("%s ns [%s, %s]", mean, low, high);
}

static char *percent_text(const json_t *alert) {
    const double percent = number_of(json_object_get(alert, "difference"), "percent");
    return isfinite(percent) ? g_strdup_printf("%+.1f %%", percent) : g_strdup("");
}

static const char *way(const json_t *alert) {
    return g_str_equal(text_of(alert, "direction"), "up") ? "slower" : "faster";
}

/* Where an alert that is over went. */
static const char *ending(const json_t *alert) {
    const char *state = text_of(alert, "state");
    return g_str_equal(state, "fixed")      ? "fixed"
           : g_str_equal(state, "accepted") ? "accepted as the new level"
           : g_str_equal(state, "false")    ? "a false alarm"
                                            : "withdrawn";
}

static bool is_ended(const srv_words *words) {
    return g_str_equal(words->event, "ended");
}

/* The portions that the change moved, the guilty one first: at least one. */
static size_t portion_count(const json_t *alert) {
    return MAX(json_array_size(json_object_get(alert, "portions")), 1);
}

static const json_t *portion_at(const json_t *alert, size_t i) {
    const json_t *portion = json_array_get(json_object_get(alert, "portions"), i);
    return portion ? portion : alert;
}

/* "W +4.1 % (slower)", "C +9.0 %, W +4.1 % (slower)", "C +9.0 % (slower), W -2.0 % (faster)" */
static char *headline(const srv_words *words, const json_t *alert) {
    g_autoptr(GString) all = g_string_new(NULL);
    for (size_t i = 0, n = portion_count(alert); i < n; i++) {
        const json_t *portion = portion_at(alert, i);
        g_autofree char *name = web_text_clean(text_of(portion, "portion"), TEXT_MAX);
        g_autofree char *percent = percent_text(portion);
        g_string_append_printf(all, "%s%s %s", i > 0 ? ", " : "", name, percent);
        if (i + 1 == n)
            g_string_append_printf(all, " (%s)", is_ended(words) ? ending(alert) : way(portion));
        else if (!is_ended(words) && !g_str_equal(way(portion), way(portion_at(alert, i + 1))))
            g_string_append_printf(all, " (%s)", way(portion));
    }
    return g_string_free(g_steal_pointer(&all), FALSE);
}

/* "1332 ns [1300, 1360] -> 1387 ns [1370, -]", with the portion's name where there are several. */
static char *step(const json_t *alert, size_t i, const char *arrow) {
    const json_t *portion = portion_at(alert, i);
    g_autofree char *name = web_text_clean(text_of(portion, "portion"), TEXT_MAX);
    g_autofree char *before = level(json_object_get(portion, "before"));
    g_autofree char *after = level(json_object_get(portion, "after"));
    return g_strdup_printf("%s%s%s %s %s", portion_count(alert) > 1 ? name : "",
                           portion_count(alert) > 1 ? ": " : "", before, arrow, after);
}

char *srv_words_subject(const srv_words *words) {
    const size_t count = json_array_size(words->alerts);
    g_autoptr(GString) all = g_string_new(NULL);
    for (size_t i = 0; i < count && i < 3; i++) {
        g_autofree char *one = headline(words, json_array_get(words->alerts, i));
        g_string_append_printf(all, "%s%s", i > 0 ? ", " : "", one);
    }
    return count > 1 ? g_strdup_printf("[overhead] %s: %zu changes: %s%s", words->project, count,
                                       all->str, count > 3 ? ", …" : "")
                     : g_strdup_printf("[overhead] %s %s", words->project, all->str);
}

static char *link_of(const srv_words *words, const json_t *alert) {
    return g_strdup_printf("%s/alerts/%" JSON_INTEGER_FORMAT, words->base,
                           json_integer_value(json_object_get(alert, "id")));
}

/* "5158397b1 subject (author)"; the found culprit when there is one. */
static char *commit_text(const json_t *alert) {
    const json_t *culprit = json_object_get(json_object_get(alert, "bisection"), "culprit");
    const json_t *commit =
        json_is_object(culprit) ? culprit : json_object_get(json_object_get(alert, "to"), "commit");
    g_autofree char *subject = web_text_clean(text_of(commit, "subject"), TEXT_MAX);
    g_autofree char *author = web_text_clean(text_of(commit, "author"), TEXT_MAX);
    return g_strdup_printf("%.12s %s (%s)", text_of(commit, "short"), subject, author);
}

/* "after 0a1b2c3 of 2026-01-03, at the latest with" */
static char *range_text(const json_t *alert) {
    const json_t *from = json_object_get(alert, "from");
    return g_strdup_printf("after %.12s of %.10s, at the latest with",
                           text_of(json_object_get(from, "commit"), "short"),
                           text_of(from, "night"));
}

static void last_answer(GString *to, const json_t *alert) {
    const json_t *audit = json_object_get(alert, "audit");
    const json_t *last = json_array_get(audit, json_array_size(audit) - 1);
    g_autofree char *author = web_text_clean(text_of(last, "author"), TEXT_MAX);
    g_autofree char *reason = web_text_clean(text_of(last, "reason"), TEXT_MAX);
    if (last)
        g_string_append_printf(to, "%s: %s\n", author, reason);
}

static char *levels(const json_t *alert) {
    g_autoptr(GString) all = g_string_new(NULL);
    for (size_t p = 0; p < portion_count(alert); p++) {
        g_autofree char *line = step(alert, p, "->");
        g_string_append_printf(all, "%s%s", p > 0 ? ", " : "", line);
    }
    return g_string_free(g_steal_pointer(&all), FALSE);
}

/* One of cfg_notify_names; config/ has refused every other. */
static char *named(const srv_words *words, const json_t *alert, const char *name) {
    if (g_str_equal(name, "project"))
        return g_strdup(words->project);
    if (g_str_equal(name, "change"))
        return headline(words, alert);
    if (g_str_equal(name, "levels"))
        return levels(alert);
    if (g_str_equal(name, "range"))
        return range_text(alert);
    if (g_str_equal(name, "commit"))
        return commit_text(alert);
    if (g_str_equal(name, "reason"))
        return web_text_clean(text_of(alert, "reason"), TEXT_MAX);
    return g_str_equal(name, "event") ? g_strdup(words->event) : link_of(words, alert);
}

/* The rule's own words; what is put in is not looked at for names again. */
static void fill(GString *to, const srv_words *words, const json_t *alert) {
    for (const char *at = words->text; *at != '\0';) {
        const size_t plain = strcspn(at, "{");
        g_string_append_len(to, at, (gssize)plain);
        at += plain;
        const char *end = strchr(at, '}');
        if (*at == '{' && end) {
            g_autofree char *name = g_strndup(at + 1, (gsize)(end - at - 1));
            g_autofree char *text = named(words, alert, name);
            g_string_append(to, text);
            at = end + 1;
        }
    }
    g_string_append_c(to, '\n');
}

char *srv_words_text(const srv_words *words) {
    GString *to = g_string_new(NULL);
    size_t i;
    json_t *alert;
    json_array_foreach (words->alerts, i, alert) {
        g_autofree char *head = headline(words, alert);
        g_autofree char *range = range_text(alert);
        g_autofree char *commit = commit_text(alert);
        g_autofree char *reason = web_text_clean(text_of(alert, "reason"), TEXT_MAX);
        g_autofree char *address = link_of(words, alert);
        if (i > 0)
            g_string_append_c(to, '\n');
        if (words->text) {
            fill(to, words, alert);
            continue;
        }
        g_string_append_printf(to, "%s %s\n", words->project, head);
        for (size_t p = 0; p < portion_count(alert); p++) {
            g_autofree char *line = step(alert, p, "->");
            g_string_append_printf(to, "%s\n", line);
        }
        if (is_ended(words))
            last_answer(to, alert);
        else
            g_string_append_printf(to, "%s\n  %s\n%s\n", range, commit, reason);
        g_string_append_printf(to, "%s\n", address);
    }
    return g_string_free(to, FALSE);
}

static void paragraph(GString *to, const char *tag, const char *text) {
    g_autofree char *safe = g_markup_escape_text(text, -1);
    g_string_append_printf(to, "<%s>%s</%s>\n", tag, safe, tag);
}

char *srv_words_html(const srv_words *words, const char *image) {
    GString *to = g_string_new("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                               "<title>moowatch</title></head>"
                               "<body style=\"font-family:sans-serif\">\n");
    size_t i;
    json_t *alert;
    json_array_foreach (words->alerts, i, alert) {
        if (words->text) {
            g_autoptr(GString) own = g_string_new(NULL);
            fill(own, words, alert);
            paragraph(to, "pre", own->str);
            continue;
        }
        g_autofree char *head = headline(words, alert);
        g_autofree char *title = g_strdup_printf("%s %s", words->project, head);
        g_autofree char *range = range_text(alert);
        g_autofree char *commit = commit_text(alert);
        g_autofree char *where = g_strdup_printf("%s %s", range, commit);
        g_autofree char *reason = web_text_clean(text_of(alert, "reason"), TEXT_MAX);
        g_autofree char *address = link_of(words, alert);
        g_autofree char *safe = g_markup_escape_text(address, -1);
        paragraph(to, "h3", title);
        for (size_t p = 0; p < portion_count(alert); p++) {
            g_autofree char *line = step(alert, p, "→");
            paragraph(to, "p", line);
        }
        if (is_ended(words)) {
            g_autoptr(GString) answer = g_string_new(NULL);
            last_answer(answer, alert);
            paragraph(to, "p", answer->str);
        } else {
            paragraph(to, "p", where);
            paragraph(to, "p", reason);
        }
        g_string_append_printf(to, "<p><a href=\"%s\">%s</a></p>\n", safe, safe);
    }
    if (image)
        g_string_append_printf(to, "<p><img src=\"cid:%s\" alt=\"the last nights\"></p>\n", image);
    g_string_append(to, "</body></html>\n");
    return g_string_free(to, FALSE);
}

/* Nothing in the text may start Markdown or HTML, or call a person by name. */
void srv_words_markdown_add(GString *to, const char *text) {
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '<')
            g_string_append(to, "&lt;");
        else if (*c == '@')
            g_string_append(to, "&#64;");
        else if (strchr("\\`*_{}[]()#+!|~>", *c) != NULL)
            g_string_append_printf(to, "\\%c", *c);
        else
            g_string_append_c(to, *c);
}

char *srv_words_markdown(const srv_words *words, const char *marker) {
    GString *to = g_string_new(NULL);
    g_autofree char *text = srv_words_text(words);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    if (marker)
        g_string_append_printf(to, "<!-- %s -->\n", marker);
    for (guint i = 0; lines[i]; i++) {
        if (words->base[0] != '\0' && g_str_has_prefix(lines[i], words->base))
            g_string_append_printf(to, "\n<%s>", lines[i]);
        else
            srv_words_markdown_add(to, lines[i]);
        g_string_append(to, lines[i + 1] ? "  \n" : "");
    }
    return g_string_free(to, FALSE);
}

/* Slack's three: & < > */
static char *slack_escaped(const char *text) {
    g_autoptr(GString) to = g_string_new(text);
    g_string_replace(to, "&", "&amp;", 0);
    g_string_replace(to, "<", "&lt;", 0);
    g_string_replace(to, ">", "&gt;", 0);
    return g_string_free(g_steal_pointer(&to), FALSE);
}

static json_t *section(const char *text) {
    return json_pack("{s:s,s:{s:s,s:s}}", "type", "section", "text", "type", "mrkdwn", "text",
                     text);
}

static json_t *slack_block(const srv_words *words, const json_t *alert) {
    json_t *alone = json_pack("[O]", alert);
    const srv_words one = {words->base, words->project, words->event, alone, words->text};
    g_autofree char *head = headline(words, alert);
    g_autofree char *text = srv_words_text(&one);
    g_autofree char *address = link_of(words, alert);
    json_decref(alone);
    if (words->text) {
        g_autofree char *own = slack_escaped(g_strchomp(text));
        return section(own);
    }
    /* first line is the headline, last one the link: both are written anew */
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    const guint count = g_strv_length(lines);
    g_autoptr(GString) body = g_string_new(NULL);
    for (guint i = 1; i + 2 < count; i++)
        g_string_append_printf(body, "\n%s", lines[i]);
    g_autofree char *safe_head = slack_escaped(head);
    g_autofree char *safe_body = slack_escaped(body->str);
    g_autofree char *safe_project = slack_escaped(words->project);
    g_autofree char *all =
        g_strdup_printf("*<%s|%s %s>*%s", address, safe_project, safe_head, safe_body);
    return section(all);
}

json_t *srv_words_slack(const srv_words *words) {
    g_autofree char *subject = srv_words_subject(words);
    g_autofree char *fallback = slack_escaped(subject);
    json_t *blocks = json_array();
    size_t i;
    json_t *alert;
    json_array_foreach (words->alerts, i, alert)
        if (i < SLACK_ALERTS_MAX)
            json_array_append_new(blocks, slack_block(words, alert));
    if (json_array_size(words->alerts) > SLACK_ALERTS_MAX)
        json_array_append_new(blocks, section("… and more; see the link above"));
    return json_pack("{s:s,s:o}", "text", fallback, "blocks", blocks);
}
