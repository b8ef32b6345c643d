
#include "config/limits.h"
#include "server/notify/notify_words.h"

#include "web/layout/text.h"
#include "web/words/words.h"

#include <math.h>

#define REASON_MAX 300
#define STATUS_MAX 139 /* and an ellipsis: GitHub's limit of a status' description is 140 */

static const char *text(const char *known) {
    return known ? known : "";
}

static bool changed(const cfg_portion *portion) {
    return cfg_is(portion->verdict, "anomaly");
}

static bool got_worse(const cfg_portion *portion) {
    return changed(portion) && cfg_is_worse(portion->direction, portion->better);
}

/* Did it change as a commit had announced? */
static bool in_advance(const cfg_portion *portion) {
    return changed(portion) && portion->accepted_in_advance;
}

/* Got worse with this commit, and nobody had announced it. */
static bool blamed(const cfg_portion *portion) {
    return got_worse(portion) && !in_advance(portion) && !portion->culprit && portion->among == 0 &&
           !portion->slow;
}

/* Nobody can say whether it changed, or with which of several commits, as the gate's answer: also
 * of a change that another night shows. */
static bool unsure(const cfg_night *night, const cfg_portion *portion) {
    const bool passes = changed(portion) && (!got_worse(portion) || in_advance(portion));
    return (!passes && (portion->slow || portion->among > 0)) || web_unclear_words(night, portion);
}

/* Without its limits. */
static const char *state_of_portions(const cfg_night *night) {
    const char *state = "success";
    for (unsigned i = 0; i < night->portions_count; i++) {
        if (blamed(&night->portions[i]))
            return "failure";
        if (unsure(night, &night->portions[i]))
            state = "error";
    }
    return state;
}

const char *srv_words_night_state(const cfg_night *night) {
    if (!cfg_is(night->state, "measured"))
        return "error";
    g_autofree char *beyond = web_limits_words(night, true);
    g_autofree char *perhaps = web_limits_words(night, false);
    const char *state = state_of_portions(night);
    return beyond ? "failure" : perhaps && g_str_equal(state, "success") ? "error" : state;
}

/* What has to be said beside the mark; NULL: nothing. Owned. */
static char *beside_mark(const cfg_portion *portion) {
    return in_advance(portion) ? g_strdup(" (accepted in advance)")
           : portion->culprit  ? g_strdup_printf(" (since %s)", portion->culprit)
           : portion->slow     ? g_strdup(" (slowly; its commit is not known)")
           : portion->among > 0
               ? g_strdup_printf(" (%sone or more of %" G_GINT64_FORMAT " commits)",
                                 changed(portion) ? "" : "changed with ", portion->among)
               : NULL;
}

/* By how much, where that is known: " +27.3 %". */
static void share_add(GString *to, const cfg_portion *portion) {
    if (changed(portion))
        srv_words_share_add(to, portion->difference.mean, &portion->reference);
}

static void limits_add(GString *to, const cfg_night *night) {
    for (int surely = 1; surely >= 0; surely--) {
        g_autofree char *words = web_limits_words(night, surely);
        if (words)
            g_string_append_printf(to, "; %s", words);
    }
}

/* Why nobody can tell, and what disturbed the night, last: what is too long is cut off, and no mark
 * is. */
static void unclear_add(GString *to, const cfg_night *night) {
    const char *before = "; ";
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *portion = &night->portions[i];
        const char *words = web_unclear_words(night, portion);
        if (!words)
            continue;
        g_string_append_printf(to, "%s%s: %s", before, text(portion->portion), words);
        before = ", ";
    }
    if (night->disturbed)
        g_string_append_printf(to, "; %s", night->disturbed);
}

char *srv_words_night(const cfg_night *night) {
    g_autoptr(GString) to = g_string_new(NULL);
    if (!cfg_is(night->state, "measured"))
        g_string_append_printf(to, "%s: %s", text(night->state), text(night->reason));
    for (unsigned i = 0; cfg_is(night->state, "measured") && i < night->portions_count; i++) {
        const cfg_portion *portion = &night->portions[i];
        g_autofree char *mean = web_format_value(portion->now.mean, portion->unit);
        g_autofree char *beside = beside_mark(portion);
        g_string_append_printf(to, "%s%s", i > 0 ? ", " : "", text(portion->portion));
        if (isfinite(portion->now.mean))
            g_string_append_printf(to, " %s", mean);
        g_string_append(to, !changed(portion)                  ? ""
                            : cfg_is(portion->direction, "up") ? " ▲"
                                                               : " ▼");
        share_add(to, portion);
        g_string_append(to, text(beside));
    }
    if (cfg_is(night->state, "measured")) {
        limits_add(to, night);
        if (night->lost)
            g_string_append_printf(to, "; %s", night->lost);
        unclear_add(to, night);
    }
    return web_text_clean(to->str, STATUS_MAX);
}

/* "▲ **rose**", or what else the verdict is. */
static void verdict_add(GString *to, const cfg_portion *portion) {
    const char *words = web_portion_words(portion);
    if (changed(portion))
        g_string_append_printf(to, " %s **%s**", web_verdict_mark(portion->direction), words);
    else {
        g_string_append_c(to, ' ');
        web_text_markdown(to, words);
    }
}

/* Where its portions by themselves say less than the night; NULL: they do not. */
static const char *limits_title(const char *of_portions, const char *state) {
    return g_str_equal(of_portions, state) ? NULL
           : g_str_equal(state, "failure") ? "Beyond a limit"
                                           : "May be beyond a limit";
}

const char *srv_words_night_title(const cfg_night *night) {
    const char *state = state_of_portions(night);
    const char *limited = limits_title(state, srv_words_night_state(night));
    bool announced = false, several = false, elsewhere = false, first = night->portions_count > 0;
    bool rates = false, slow = false; /* rates: of which less is worse */
    for (unsigned i = 0; i < night->portions_count; i++) {
        announced = announced || in_advance(&night->portions[i]);
        several = several || night->portions[i].among > 0;
        slow = slow || night->portions[i].slow;
        elsewhere = elsewhere || night->portions[i].culprit;
        first = first && cfg_is(night->portions[i].verdict, "first");
        rates = rates || night->portions[i].better;
    }
    return cfg_is(night->state, "quarantined") ? "Quarantined"
           : !cfg_is(night->state, "measured") ? "Not measured"
           : limited                           ? limited
           : first                             ? "Nothing to compare with yet"
           : g_str_equal(state, "error")
               ? slow      ? rates ? "A portion got worse slowly" : "A portion rose slowly"
                 : several ? rates ? "A portion got worse with one or more of several commits"
                                   : "A portion rose with one or more of several commits"
                           : "Nobody can tell"
           : g_str_equal(state, "failure") ? rates ? "A portion got worse" : "A portion rose"
           : elsewhere                     ? "Changed, not with this commit"
           : announced                     ? "Changed as accepted in advance"
           : rates                         ? "No portion got worse"
                                           : "No portion rose";
}

static void row(GString *to, const cfg_night *night, const cfg_portion *portion) {
    g_autofree char *title = cfg_portion_title(night, portion);
    srv_words_row_add(to, title, &portion->reference, &portion->now, portion->difference.mean);
    verdict_add(to, portion);
    g_autofree char *beside = changed(portion) ? NULL : beside_mark(portion);
    g_string_append_printf(to, "%s%s |\n", in_advance(portion) ? ", accepted in advance" : "",
                           text(beside));
}

static void point(GString *to, const char *why) {
    g_string_append(to, "\n- ");
    web_text_markdown_line(to, why, REASON_MAX);
}

/* One sentence of each portion that somebody should look at, and of loops that were disturbed. */
static void reasons(GString *to, const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *portion = &night->portions[i];
        g_autofree char *why =
            changed(portion) ? g_strdup(text(portion->reason)) : web_unclear_reason(night, portion);
        if (why && (!cfg_is(portion->verdict, "first") || cfg_portion_is_begun(portion)))
            point(to, why);
    }
    for (unsigned i = 0; i < night->limits_count; i++)
        if (cfg_limit_broken(&night->limits[i]) || cfg_is(night->limits[i].state, "unsure"))
            point(to, text(night->limits[i].sentence));
    if (night->disturbed)
        point(to, night->disturbed);
}

static void table(GString *to, const cfg_night *night) {
    g_autofree char *interval = web_level_interval(night->level);
    const char *judged = web_judged_words(night);
    if (judged) {
        web_text_markdown_line(to, judged, REASON_MAX);
        g_string_append(to, "\n\n");
    }
    g_string_append_printf(to,
                           "| portion | before, %s [decision band] | now [%s] | change | |\n"
                           "|---|--:|--:|--:|---|\n",
                           cfg_night_unit(night), interval);
    for (unsigned i = 0; i < night->portions_count; i++)
        row(to, night, &night->portions[i]);
    reasons(to, night);
    if (night->counted) {
        g_string_append(to, "\n\nCounted: ");
        web_text_markdown(to, night->counted);
    }
}

char *srv_words_night_markdown(const cfg_night *night, const char *page, const char *chart,
                               const char *marker) {
    GString *to = g_string_new(NULL);
    srv_words_head_add(to, marker, text(night->project), text(night->commit.shortened));
    if (cfg_is(night->state, "measured")) {
        table(to, night);
    } else {
        g_autofree char *said = srv_words_night(night);
        web_text_markdown(to, said);
    }
    g_string_append_printf(to, "\n\n<%s>\n", page);
    if (chart)
        g_string_append_printf(to, "\n![the last nights](%s)\n", chart);
    return g_string_free(to, FALSE);
}
