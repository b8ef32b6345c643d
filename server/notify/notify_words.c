#include "server/notify/notify_words.h"

#include "detector/words/change.h"
#include "server/notify/notify_rule.h"

#include "web/layout/text.h"
#include "web/words/words.h"

#include <math.h>
#include <string.h>

#define ROW_NAME_MAX 300

static const char *said(const char *text) {
    return text ? text : "";
}

static char *clean(const char *text) {
    return web_text_clean(said(text), SRV__WORDS_TEXT_MAX);
}

/* "1332", "44.6", "3.21"; "-" when it is not a number. Owned. */
static char *words_ns(double value) {
    if (!isfinite(value))
        return g_strdup("-");
    const double size = fabs(value);
    return g_strdup_printf("%.*f", size >= 1000 ? 0 : size >= 10 ? 1 : 2, value);
}

/* Where an alert that is over went; of what people say of the code, that they say it. */
static const char *ending(const cfg_alert *alert) {
    return cfg_is(alert->state, "fixed") ? alert->change.fixed_by > 0 ? "fixed" : "answered: fixed"
           : cfg_is(alert->state, "accepted") ? "accepted as the new level"
           : cfg_is(alert->state, "false")    ? "answered: a false alarm"
                                              : "withdrawn";
}

static bool is_incident(const srv_words *words) {
    return g_str_equal(words->event, "opened") || g_str_equal(words->event, "over");
}

/* What a night counted, or how its limits stand. */
static bool is_of_night(const srv_words *words) {
    return g_str_equal(words->event, "counted") || g_str_equal(words->event, "limited");
}

static bool is_ended(const srv_words *words) {
    return g_str_equal(words->event, "ended") || g_str_equal(words->event, "over");
}

static bool is_explained(const srv_words *words) {
    return g_str_equal(words->event, "explained");
}

/* Of moowatchd notify: of no alert. */
static bool is_test(const srv_words *words) {
    return g_str_equal(words->event, "test");
}

/* "Writing (W) rose by 4.10 %", with how it ended when it has. */
static char *words_headline(const srv_words *words, const cfg_alert *alert) {
    static const char *const of_search[][2] = {{"explained", "where it is"},
                                               {"found", "the commit"},
                                               {"corrected", "not the commit that was named"}};
    g_autofree char *headline = clean(alert->change.headline);
    if (g_str_equal(words->event, "found") && alert->search && alert->search->alone)
        return g_strdup_printf("%s: the commit of %s", headline, alert->search->of);
    if (g_str_equal(words->event, "found") && alert->search && alert->search->rest)
        return g_strdup_printf("%s: one of its commits", headline);
    const char *how = is_incident(words) ? said(alert->state) : ending(alert);
    for (size_t i = 0; i < G_N_ELEMENTS(of_search); i++)
        if (g_str_equal(words->event, of_search[i][0]))
            return g_strdup_printf("%s: %s", headline, of_search[i][1]);
    return is_ended(words) ? g_strdup_printf("%s (%s)", headline, how) : g_steal_pointer(&headline);
}

static const char *words_title(const srv_words *words) {
    return words->title ? words->title : words->project;
}

char *srv_words_subject(const srv_words *words) {
    const cfg_alert *alerts = words->alerts->items;
    const unsigned count = words->alerts->count;
    g_autofree char *title = clean(words_title(words));
    g_autoptr(GString) all = g_string_new(NULL);
    for (unsigned i = 0; i < count && i < 3; i++) {
        g_autofree char *one = words_headline(words, &alerts[i]);
        g_string_append_printf(all, "%s%s", i > 0 ? ", " : "", one);
    }
    return count > 1 ? g_strdup_printf("[overhead] %s: %u %s: %s%s", title, count,
                                       is_incident(words) ? "incidents" : "changes", all->str,
                                       count > 3 ? ", …" : "")
                     : g_strdup_printf("[overhead] %s: %s", title, all->str);
}

/* The alert's page. */
static char *words_link(const srv_words *words, const cfg_alert *alert) {
    if (is_test(words))
        return g_strdup_printf("%s/projects/%s", words->base, words->project);
    return g_strdup_printf("%s/%s/%" JSON_INTEGER_FORMAT, words->base,
                           is_incident(words)   ? "incidents"
                           : is_of_night(words) ? "experiments"
                                                : "alerts",
                           (json_int_t)alert->id);
}

/* "5158397b1 subject (author)", ", of Writing (W)" where the alert tells of others; of several
 * commits of which none is known to have done it "5158397b1 or an earlier commit". */
static char *words_commit(const cfg_alert *alert) {
    const cfg_commit *commit = cfg_alert_culprit(alert);
    if (!commit)
        return g_strdup_printf("%.12s or an earlier commit",
                               said(cfg_alert_latest(alert)->shortened));
    g_autofree char *subject = clean(commit->subject);
    g_autofree char *author = clean(commit->author);
    const bool alone = alert->search && alert->search->alone;
    return g_strdup_printf("%.12s %s (%s)%s%s", said(commit->shortened), subject, author,
                           alone ? ", of " : "", alone ? alert->search->of : "");
}

/* "after 0a1b2c3 of 2026-01-03, with", or "…, at the latest with". */
static char *words_range(const cfg_alert *alert) {
    const cfg_end *from = alert->from;
    if (!from) /* what is counted, and a limit, is of one night */
        return g_strdup("with");
    return g_strdup_printf("after %.12s of %.10s, %s", said(from->commit.shortened),
                           said(from->night),
                           cfg_alert_culprit(alert) ? "with" : "at the latest with");
}

/* "one of 3 commits after 73c24198 of 2026-11-23 up to 2559ae66; which one is being searched", "one
 * of 3 left of the 12 commits after …; the search found no single commit", "slowly, with some of
 * the 3 commits after …; they were not measured again", "slowly, at the latest with 2559ae66 …" */
static char *several(const cfg_alert *alert) {
    const cfg_end *from = alert->from, *to = cfg_alert_end(alert);
    const int64_t count = cfg_alert_commits(alert), left = cfg_alert_left(alert);
    const cfg_search *search = alert->search;
    if (cfg_alert_of_one_commit(alert)) {
        g_autofree char *ends =
            cfg_is(from->night, to->night)
                ? g_strdup_printf("two measurements of %.10s", said(to->night))
                : g_strdup_printf("%.10s and %.10s", said(from->night), said(to->night));
        return g_strdup_printf("between %s; before and after are of the same commit %.12s", ends,
                               said(to->commit.shortened));
    }
    if (alert->moved)
        return g_strdup_printf("after %.12s of %.10s, at the latest with %.12s of %.10s; %s",
                               said(from->commit.shortened), said(from->night),
                               said(to->commit.shortened), said(to->night), alert->moved);
    g_autofree char *of =
        left < count ? g_strdup_printf("%" G_GINT64_FORMAT " left of the ", left) : g_strdup("");
    g_autofree char *many =
        count > 1 ? g_strdup_printf("%s%" G_GINT64_FORMAT " ", of, count) : g_strdup("");
    if (alert->slow && count == 1)
        return g_strdup_printf(
            "slowly, at the latest with %.12s of %.10s; it was not measured again",
            said(to->commit.shortened), said(to->night));
    return g_strdup_printf("%s%scommits after %.12s of %.10s up to %.12s of %.10s; %s",
                           alert->slow                           ? "slowly, with some of the "
                           : count > 1 && search && search->rest ? "some of "
                           : count > 1                           ? "one of "
                                                                 : "one of the ",
                           many, said(from->commit.shortened), said(from->night),
                           said(to->commit.shortened), said(to->night),
                           alert->slow ? "they were not measured again" : web_which_words(alert));
}

/* Since when, and by whom as far as that is known. */
static char *since(const cfg_alert *alert) {
    if (!cfg_alert_culprit(alert))
        return several(alert);
    g_autofree char *range = words_range(alert), *commit = words_commit(alert);
    return g_strdup_printf("%s %s", range, commit);
}

/* Where the commit that did it can be read; NULL: it is not known, or nobody says where. */
static char *commit_link(const srv_words *words, const cfg_alert *alert) {
    const cfg_commit *commit = words->commit_url ? cfg_alert_culprit(alert) : NULL;
    if (!commit || !commit->sha)
        return NULL;
    g_autoptr(GString) link = g_string_new(words->commit_url);
    g_string_replace(link, "{commit}", commit->sha, 0);
    return g_string_free(g_steal_pointer(&link), FALSE);
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
    const cfg_explanation *why = alert->explanation;
    for (unsigned i = 0; why && i < why->portions_count; i++)
        g_ptr_array_add(lines, clean(why->portions[i].sentence));
}

/* What profiles say of each portion, "; " between, or that it is not known. */
static char *words_where(const cfg_alert *alert) {
    g_autoptr(GPtrArray) sentences = g_ptr_array_new_with_free_func(g_free);
    add_explanation(sentences, alert);
    g_ptr_array_add(sentences, NULL);
    if (sentences->len > 1)
        return g_strjoinv("; ", (char **)(void *)sentences->pdata);
    const cfg_explanation *why = alert->explanation;
    return g_strdup(why && cfg_is(why->state, "waiting") ? "not known yet" : "not known");
}

/* Why the first change is told; where not all of the alert's were measured again alike, of how many
 * that is said. Owned. */
static char *words_reason(const cfg_alert *alert) {
    const cfg_confirmation *first = alert->change.confirmation;
    g_autofree char *reason = clean(alert->change.reason);
    unsigned alike = 0;
    for (unsigned i = 0; first && i < alert->portions_count; i++) {
        const cfg_confirmation *own = alert->portions[i].confirmation;
        alike += own && cfg_is(own->state, first->state ? first->state : "");
    }
    return first && alike < alert->portions_count
               ? g_strdup_printf("%s. That is of %u of the %u changes.", reason, alike,
                                 alert->portions_count)
               : g_steal_pointer(&reason);
}

/* One of cfg_notify_names; config/ has refused every other. */
static char *named(const srv_words *words, const cfg_alert *alert, const char *name) {
    if (g_str_equal(name, "project"))
        return g_strdup(words->project);
    if (g_str_equal(name, "change"))
        return words_headline(words, alert);
    if (g_str_equal(name, "sentence"))
        return web_text_clean(alert->change.sentence, SRV__WORDS_TEXT_MAX);
    if (g_str_equal(name, "reason"))
        return words_reason(alert);
    if (g_str_equal(name, "range"))
        return words_range(alert);
    if (g_str_equal(name, "commit"))
        return words_commit(alert);
    if (g_str_equal(name, "where"))
        return words_where(alert);
    return g_str_equal(name, "event") ? g_strdup(words->event) : words_link(words, alert);
}

/* The rule's own text (words->text) with its {names} filled in, and a line feed.
 */
static char *words_own(const srv_words *words, const cfg_alert *alert) {
    GString *to = g_string_new(NULL);
    for (const char *at = words->text; *at != '\0';) {
        const size_t plain = strcspn(at, "{");
        g_string_append_len(to, at, (gssize)plain);
        at += plain;
        const char *end = strchr(at, '}');
        if (*at == '{' && end) {
            /* what is put in is not looked at for names again */
            g_autofree char *name = g_strndup(at + 1, (gsize)(end - at - 1));
            g_autofree char *text = named(words, alert, name);
            g_string_append(to, text);
            at = end + 1;
        }
    }
    g_string_append_c(to, '\n');
    return g_string_free(to, FALSE);
}

/* Is this line an address and nothing else? */
static bool is_link(const char *line) {
    return (g_str_has_prefix(line, "https://") || g_str_has_prefix(line, "http://")) &&
           !strpbrk(line, " <>");
}

/* What is told below the headline and above the link, a string a line:
 * NULL-terminated, g_strfreev. */
static char **words_lines(const srv_words *words, const cfg_alert *alert) {
    GPtrArray *lines = g_ptr_array_new();
    char *answer = is_ended(words) ? last_answer(alert) : NULL;
    if (!is_explained(words))
        g_ptr_array_add(lines, clean(alert->change.sentence));
    if (answer)
        g_ptr_array_add(lines, answer);
    if (!is_ended(words) && alert->change.counted)
        g_ptr_array_add(lines, clean(alert->change.counted));
    if (!is_ended(words))
        add_explanation(lines, alert);
    if (!is_ended(words) && !is_incident(words) && !is_test(words)) {
        char *link = commit_link(words, alert);
        if (alert->corrected && srv_notify_event_of(words->event)->of_search)
            g_ptr_array_add(lines, clean(alert->corrected));
        g_ptr_array_add(lines, since(alert));
        if (alert->search && alert->search->told)
            g_ptr_array_add(lines, clean(alert->search->told));
        if (link)
            g_ptr_array_add(lines, link);
        if (!srv_notify_event_of(words->event)->of_search && !is_of_night(words))
            g_ptr_array_add(lines, words_reason(alert));
        if (alert->repeat)
            g_ptr_array_add(lines, g_strdup_printf("To repeat it, with the project's file and its "
                                                   "repository: `%s`",
                                                   alert->repeat));
    }
    g_ptr_array_add(lines, NULL);
    return (char **)(void *)g_ptr_array_free(lines, FALSE);
}

static void append_alert(GString *to, const srv_words *words, const cfg_alert *alert) {
    g_autofree char *headline = words_headline(words, alert);
    g_autofree char *address = words_link(words, alert);
    g_auto(GStrv) lines = words_lines(words, alert);
    g_string_append_printf(to, "%s: %s\n", words_title(words), headline);
    for (guint i = 0; lines[i]; i++)
        g_string_append_printf(to, "%s\n", lines[i]);
    g_string_append_printf(to, "%s\n", address);
}

char *srv_words_text(const srv_words *words) {
    GString *to = g_string_new(NULL);
    const cfg_alert *alert = words->alerts->items;
    for (unsigned i = 0; i < words->alerts->count; i++, alert++) {
        g_autofree char *own = words->text ? words_own(words, alert) : NULL;
        if (i > 0)
            g_string_append_c(to, '\n');
        if (own)
            g_string_append(to, own);
        else
            append_alert(to, words, alert);
    }
    return g_string_free(to, FALSE);
}

static void interval_add(GString *to, const det_interval *interval) {
    g_autofree char *mean = words_ns(interval->mean);
    g_autofree char *low = words_ns(interval->low);
    g_autofree char *high = words_ns(interval->high);
    if (isfinite(interval->mean))
        g_string_append_printf(to, " %s [%s, %s] |", mean, low, high);
    else
        g_string_append(to, " |");
}

void srv_words_share_add(GString *to, double change, const det_interval *before) {
    char text[DET_SHARE_MAX];
    if (det_change_share(text, sizeof text, change, before))
        g_string_append_printf(to, " %s", text);
}

void srv_words_row_add(GString *to, const char *name, const det_interval *before,
                       const det_interval *after, double change) {
    g_string_append(to, "| ");
    web_text_markdown_line(to, name, ROW_NAME_MAX);
    g_string_append(to, " |");
    interval_add(to, before);
    interval_add(to, after);
    srv_words_share_add(to, change, before);
    g_string_append(to, " |");
}

static void marker_add(GString *to, const char *marker) {
    if (marker)
        g_string_append_printf(to, "<!-- %s -->\n", marker);
}

void srv_words_head_add(GString *to, const char *marker, const char *project, const char *commit) {
    marker_add(to, marker);
    g_string_append(to, "### Monitoring overhead of ");
    web_text_markdown(to, project);
    g_string_append_printf(to, " at %.12s\n", commit);
}

char *srv_words_markdown(const srv_words *words, const char *marker) {
    GString *to = g_string_new(NULL);
    g_autofree char *text = srv_words_text(words);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    marker_add(to, marker);
    for (guint i = 0; lines[i]; i++) {
        if (is_link(lines[i]))
            g_string_append_printf(to, "\n<%s>", lines[i]);
        else
            web_text_markdown(to, lines[i]);
        g_string_append(to, lines[i + 1] ? "  \n" : "");
    }
    return g_string_free(to, FALSE);
}

#define ALERTS_MAX 20

/* Slack's three: & < >, and nobody is called by name. */
static char *escaped(const char *text) {
    g_autofree char *unpinged = web_text_unpinged(text);
    g_autoptr(GString) to = g_string_new(unpinged);
    g_string_replace(to, "&", "&amp;", 0);
    g_string_replace(to, "<", "&lt;", 0);
    g_string_replace(to, ">", "&gt;", 0);
    return g_string_free(g_steal_pointer(&to), FALSE);
}

static json_t *section(const char *text) {
    return json_pack("{s:s,s:{s:s,s:s}}", "type", "section", "text", "type", "mrkdwn", "text",
                     text);
}

static json_t *block(const srv_words *words, const cfg_alert *alert) {
    if (words->text) {
        g_autofree char *own = words_own(words, alert);
        g_autofree char *safe = escaped(g_strchomp(own));
        return section(safe);
    }
    g_autofree char *headline = words_headline(words, alert);
    g_autofree char *address = words_link(words, alert);
    g_auto(GStrv) lines = words_lines(words, alert);
    g_autofree char *safe_headline = escaped(headline);
    g_autofree char *safe_project = escaped(words_title(words));
    g_autoptr(GString) all = g_string_new(NULL);
    g_string_printf(all, "*<%s|%s: %s>*", address, safe_project, safe_headline);
    for (guint i = 0; lines[i]; i++) {
        g_autofree char *safe = escaped(lines[i]);
        if (is_link(lines[i]))
            g_string_append_printf(all, "\n<%s>", lines[i]);
        else
            g_string_append_printf(all, "\n%s", safe);
    }
    return section(all->str);
}

json_t *srv_words_slack(const srv_words *words) {
    g_autofree char *subject = srv_words_subject(words);
    g_autofree char *safe = escaped(subject);
    g_autoptr(GString) plain =
        g_string_new(safe); /* all that Mattermost shows: it knows no blocks */
    json_t *blocks = json_array();
    const cfg_alert *alert = words->alerts->items;
    for (unsigned i = 0; i < words->alerts->count; i++, alert++) {
        if (i >= ALERTS_MAX)
            break;
        g_autofree char *address = words_link(words, alert);
        g_string_append_printf(plain, "\n<%s>", address);
        json_array_append_new(blocks, block(words, alert));
    }
    if (words->alerts->count > ALERTS_MAX)
        json_array_append_new(blocks, section("… and more; see the link above"));
    return json_pack("{s:s,s:o}", "text", plain->str, "blocks", blocks);
}

static void paragraph(GString *to, const char *tag, const char *text) {
    g_autofree char *safe = g_markup_escape_text(text, -1);
    if (is_link(text))
        g_string_append_printf(to, "<p><a href=\"%s\">%s</a></p>\n", safe, safe);
    else
        g_string_append_printf(to, "<%s>%s</%s>\n", tag, safe, tag);
}

static void html_alert(GString *to, const srv_words *words, const cfg_alert *alert) {
    g_autofree char *headline = words_headline(words, alert);
    g_autofree char *title = g_strdup_printf("%s: %s", words_title(words), headline);
    g_autofree char *address = words_link(words, alert);
    g_auto(GStrv) lines = words_lines(words, alert);
    paragraph(to, "h3", title);
    for (guint i = 0; lines[i]; i++)
        paragraph(to, "p", lines[i]);
    paragraph(to, "p", address);
}

char *srv_words_html(const srv_words *words, const char *image) {
    GString *to = g_string_new("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                               "<title>moowatch</title></head>"
                               "<body style=\"font-family:sans-serif\">\n");
    const cfg_alert *alert = words->alerts->items;
    for (unsigned i = 0; i < words->alerts->count; i++, alert++) {
        g_autofree char *own = words->text ? words_own(words, alert) : NULL;
        if (own)
            paragraph(to, "pre", own);
        else
            html_alert(to, words, alert);
    }
    if (image)
        g_string_append_printf(to, "<p><img src=\"cid:%s\" alt=\"the last nights\"></p>\n", image);
    g_string_append(to, "</body></html>\n");
    return g_string_free(to, FALSE);
}
