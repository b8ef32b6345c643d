#include "web/words/words.h"

#include "config/limits.h"
#include "detector/words/change.h"
#include "web/layout/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define FLAWS_TOLD 3u

static const cfg_portion *found(const cfg_night *night, const char *verdict) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(night->portions[i].verdict, verdict))
            return &night->portions[i];
    return NULL;
}

static bool has_standing(const cfg_night *night, const char *standing) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(cfg_portion_standing(&night->portions[i]), standing))
            return true;
    return false;
}

static bool is_pending(const cfg_portion *portion) {
    return cfg_is(portion->verdict, "ok") && cfg_is(portion->rule, "pending");
}

char *web_night_name(const cfg_night *night, const cfg_portion *portion) {
    return web_portion_name(portion->portion, cfg_portion_which(night, portion));
}

static void append(GString *to, const char *text) {
    g_string_append_printf(to, "%s%s", to->len > 0 ? ", " : "", text);
}

/* Nobody reads of what got cheaper without what it loses. */
static void append_lost(GString *to, const cfg_portion *portion) {
    if (portion->lost)
        g_string_append_printf(to, ", but %s", portion->lost);
}

/* "Writing (W) rose by 4.10 %": the level that was judged against its reference. */
static void append_change(GString *to, const cfg_night *night, const cfg_portion *portion) {
    char text[DET_CHANGE_MAX];
    const double before = portion->reference.mean;
    g_autofree char *name = web_night_name(night, portion);
    const det_change change = {.name = name,
                               .unit = portion->unit,
                               .before = before,
                               .after = before + portion->difference.mean,
                               .low = NAN,
                               .high = NAN,
                               .known = DET_KNOWN_JUDGED,
                               .before_half = before - portion->reference.low};
    if (isfinite(change.after)) {
        det_change_headline(text, sizeof text, &change);
        append(to, text);
        return;
    }
    g_autofree char *plain = g_strdup_printf("%s %s", name, web_portion_words(portion));
    append(to, plain);
}

static void append_state(GString *to, const cfg_night *night, const cfg_portion *portion,
                         const char *words) {
    g_autofree char *name = web_night_name(night, portion);
    g_autofree char *text = g_strdup_printf("%s %s", name, words);
    append(to, text);
}

/* "Writing (W) has no result", or how many have none. */
static void append_missing(GString *to, const cfg_night *night) {
    unsigned missing = 0;
    const cfg_portion *last = NULL;
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(cfg_portion_standing(&night->portions[i]), "missing")) {
            missing++;
            last = &night->portions[i];
        }
    if (missing == 1)
        append_state(to, night, last, "has no result");
    else if (missing > 1)
        g_string_append_printf(to, "%s%u portions have no result", to->len > 0 ? ", " : "",
                               missing);
}

static unsigned count_of(const cfg_night *night, const char *verdict, const char *rule) {
    unsigned count = 0;
    for (unsigned i = 0; i < night->portions_count; i++)
        count += cfg_is(night->portions[i].verdict, verdict) &&
                 (!rule || cfg_is(night->portions[i].rule, rule));
    return count;
}

static void append_share(GString *to, unsigned some, unsigned all, const char *words) {
    g_autofree char *text = g_strdup_printf("%u of %u portions %s", some, all, words);
    append(to, text);
}

/* Is it told with the others, by one factor of which the night speaks? */
static bool is_scaled(const cfg_portion *portion) {
    return cfg_is(portion->rule, "common-scale") || cfg_is(portion->rule, "not-scaled");
}

/* Cleared by measuring again: did it move by the factor of the one that moved, as far as the night
 * can tell? */
static bool follows(const cfg_portion *portion, const cfg_portion *moved) {
    const det_interval *a = &portion->judged, *b = &moved->judged;
    const double of_a = portion->reference.low + portion->reference.high;
    const double of_b = moved->reference.low + moved->reference.high;
    return cfg_is(portion->verdict, "cleared") && !portion->later &&
           cfg_is(moved->rule, "common-scale") && a->low * of_b <= b->high * of_a &&
           a->high * of_b >= b->low * of_a;
}

/* Another machine or another level, by each rule that says so. */
static void append_elsewhere(GString *to, const cfg_night *night) {
    const unsigned stayed = count_of(night, "environment", "not-scaled");
    const unsigned all = night->portions_count;
    const char *told[4] = {NULL}; /* words of the other rules, each once */
    unsigned n = 0, moved = count_of(night, "environment", "common-scale");
    for (unsigned i = 0; moved > 0 && i < all; i++)
        moved += follows(&night->portions[i], found(night, "environment"));
    if (moved > 0 && moved == all)
        append(to, "everything moved by one factor");
    else if (moved > 0)
        append_share(to, moved, all, "moved by one factor");
    else if (stayed > 0)
        append_share(to, stayed, all, "moved otherwise than the control");
    for (unsigned i = 0; i < all && n < G_N_ELEMENTS(told); i++) {
        const cfg_portion *portion = &night->portions[i];
        const char *words = web_portion_words(portion);
        bool known = !cfg_is(portion->verdict, "environment") || is_scaled(portion);
        for (unsigned k = 0; k < n; k++)
            known = known || told[k] == words;
        if (known)
            continue;
        append(to, words);
        told[n++] = words;
    }
}

/* Of some portions it is the first night, of its series or of a level that somebody set; where it
 * is the same of all, that is the night's own headline. */
static void append_first(GString *to, const cfg_night *night, bool by_hand) {
    const unsigned begun = count_of(night, "first", "new-level"), all = night->portions_count;
    const unsigned some = by_hand ? begun : count_of(night, "first", NULL) - begun;
    if (some == 0 || some == all)
        return;
    if (some > 1)
        append_share(to, some, all,
                     by_hand ? "have a new level, set by hand" : "are the first of their series");
    for (unsigned i = 0; some == 1 && i < all; i++)
        if (cfg_is(night->portions[i].verdict, "first") &&
            cfg_portion_is_begun(&night->portions[i]) == by_hand)
            append_state(to, night, &night->portions[i],
                         by_hand ? "has a new level, set by hand" : "is the first of its series");
}

/* What befell all portions alike is told once. */
static void append_common(GString *to, const cfg_night *night) {
    append_elsewhere(to, night);
    append_first(to, night, false);
    append_first(to, night, true);
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *portion = &night->portions[i];
        if (cfg_is(portion->verdict, "harness") &&
            cfg_is(cfg_portion_standing(portion), "doubtful")) {
            append(to, web_portion_words(portion));
            break;
        }
    }
    append_missing(to, night);
}

char *web_moved_words(const char *direction, bool slow, const char *since, bool later) {
    const bool dated = since && *since;
    return g_strconcat(det_change_verb(cfg_is(direction, "down") ? -1 : 1), slow ? " slowly" : "",
                       !dated ? ""
                       : slow ? " from "
                              : " on ",
                       dated ? since : "", dated && slow ? " on" : "",
                       later ? ", as a later measurement showed" : "", NULL);
}

/* A change that a later night told of, and that is dated to this one or to one before. */
static void append_later(GString *to, const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *portion = &night->portions[i];
        if (!portion->later)
            continue;
        g_autofree char *words =
            web_moved_words(portion->later, portion->slow, portion->since, true);
        append_state(to, night, portion, words);
        append_lost(to, portion);
    }
}

/* What is in question is told whatever else stood out. */
static void append_pending(GString *to, const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (is_pending(&night->portions[i]) && !night->portions[i].later)
            append_state(to, night, &night->portions[i], web_portion_words(&night->portions[i]));
}

/* What a person said of a portion that differs: of such a night nobody says that nothing changed.
 * NULL: nobody did, or a later night told of it. Static. */
static const char *said_of(const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_portion_is_denied(&night->portions[i]) && !night->portions[i].later)
            return "no change here, as somebody said";
    return NULL;
}

static bool any_small(const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_portion_is_small(&night->portions[i]))
            return true;
    return false;
}

/* Nothing stood out. That is no "nothing changed" where counts moved, where something differs,
 * where somebody said that what differs is no change, or where others disturbed most of what was
 * looked at. */
static void append_quiet(GString *to, const cfg_night *night) {
    if (found(night, "first")) {
        append(to, web_portion_words(found(night, "first")));
        return;
    }
    const bool counts = night->counts_moved, small = any_small(night);
    const bool little = count_of(night, "ok", "little-evidence") > 0 || (small && night->disturbed);
    const char *said = said_of(night);
    if (counts)
        append(to, night->counts_moved);
    append(to, little
                   ? counts ? "nothing else shown to have changed" : "nothing shown to have changed"
               : said && !small   ? said
               : night->disturbed ? counts ? "no other change seen" : "no change seen"
               : counts           ? "nothing else changed"
                                  : "nothing changed");
    if (small)
        g_string_append(to, " by more than is ignored");
    if ((little || small) && said)
        append(to, "partly as somebody said");
    if (night->disturbed)
        append(to, "but most loops of a configuration were disturbed or stood apart");
}

/* Is a change told that is in no question? Counts that moved with it explain it. */
static bool is_told(const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (night->portions[i].later)
            return true;
    return found(night, "anomaly") ||
           (night->beside && g_strcmp0(night->beside, night->beside_asked) != 0);
}

char *web_night_headline(const cfg_night *night) {
    g_autoptr(GString) to = g_string_new(NULL);
    if (night->state && *night->state && !cfg_is(night->state, "measured"))
        return g_strdup_printf("%s: %s", night->state,
                               night->reason && *night->reason ? night->reason : "no reason given");
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *portion = &night->portions[i];
        if (cfg_is(portion->verdict, "anomaly")) {
            append_change(to, night, portion);
            append_lost(to, portion);
        } else if (cfg_is(portion->verdict, "suspect"))
            append_state(to, night, portion, "is suspected and to be measured again");
        else if (cfg_is(portion->verdict, "cleared") && !portion->later)
            append_state(to, night, portion, "was suspected and cleared");
    }
    append_later(to, night);
    append_common(to, night);
    if (night->beside)
        append(to, night->beside);
    append_pending(to, night);
    if (to->len == 0)
        append_quiet(to, night);
    else if (night->counts_moved && !is_told(night)) { /* no doubt hides what is known */
        g_autofree char *doubts = g_strdup(to->str);
        append(g_string_assign(to, night->counts_moved), doubts);
    } else if (night->lost) { /* which no other change explains */
        append(to, night->lost);
    }
    return g_string_free(g_steal_pointer(&to), FALSE);
}

void web_reason_end(char **reason, const char *direction, bool slow, const char *since) {
    g_autofree char *told = *reason, *moved = web_moved_words(direction, slow, since, false);
    *reason = g_strdup_printf("%s, until a later measurement showed that it %s", told, moved);
}

char *web_lost_reason(const char *reason, const char *lost) {
    return g_strdup_printf("%s, but %s: this is no improvement", reason, lost);
}

/* A fall has what is lost since in its own sentence, wherever that is shown. */
static void reason_lose(cfg_portion *portion) {
    g_autofree char *told = portion->reason;
    portion->reason = web_lost_reason(told, portion->lost);
}

void web_night_say(cfg_night *night) {
    g_free(night->headline);
    night->headline = web_night_headline(night);
    for (unsigned i = 0; i < night->portions_count; i++) {
        cfg_portion *portion = &night->portions[i];
        g_autofree char *later =
            portion->later ? web_moved_words(portion->later, portion->slow, NULL, true) : NULL;
        const char *words = later ? later : web_portion_words(portion);
        g_free(portion->standing);
        g_free(portion->words);
        portion->standing = g_strdup(cfg_portion_known(portion));
        portion->words = cfg_is(words, "as before") ? NULL : g_strdup(words);
        if (portion->later && portion->reason)
            web_reason_end(&portion->reason, portion->later, portion->slow, portion->since);
        if (portion->lost && portion->reason)
            reason_lose(portion);
    }
}

/* Nothing is known of the newest nights: nothing is not "nothing new". */
static char *unmeasured_words(const web_quiet *quiet, const char *headline) {
    return quiet->again
               ? g_strconcat("The newest night was measured, but not again; ", headline, NULL)
           : quiet->unmeasured > 1
               ? g_strdup_printf("Nothing is known of the last %" G_GINT64_FORMAT " nights; %s",
                                 quiet->unmeasured, headline)
               : g_strconcat("Nothing is known of the newest night; ", headline, NULL);
}

char *web_blind_words(const cfg_night *night, const cfg_portion *portion) {
    if (!cfg_portion_is_blind(night, portion))
        return NULL;
    g_autofree char *seen =
        web_format_value(cfg_portion_visible(portion), det_gap_unit(portion->unit));
    return g_strdup_printf(
        "%s: only a change of %s or more could have been seen, which is more than a doubling",
        portion->portion ? portion->portion : "?", seen);
}

const char *web_judged_words(const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (isfinite(night->portions[i].judged.high))
            return "Before and change are as they were judged, not of this night alone.";
    return NULL;
}

/* The control's doubling is no overhead, where anything stands on it. */
static bool is_blind(const cfg_night *night, const cfg_portion *portion) {
    return (night->portions_count == 1 || !cfg_is(portion->portion, "T")) &&
           cfg_portion_is_blind(night, portion);
}

/* Fell with this night, as nobody had announced, and nobody can say that it takes less. */
static bool is_lossy(const cfg_portion *portion) {
    return portion->lost && cfg_is(portion->verdict, "anomaly") && !portion->since &&
           !portion->culprit && !portion->accepted_in_advance;
}

const char *web_unclear_words(const cfg_night *night, const cfg_portion *portion) {
    return cfg_portion_is_unclear(portion) ? web_portion_words(portion)
           : is_lossy(portion)             ? "loses more records"
           : is_blind(night, portion)      ? "could have doubled unseen"
                                           : NULL;
}

char *web_unclear_reason(const cfg_night *night, const cfg_portion *portion) {
    const char *words = web_unclear_words(night, portion);
    return !words ? NULL
           : cfg_portion_is_unclear(portion) || is_lossy(portion)
               ? g_strdup(portion->reason ? portion->reason : words)
               : web_blind_words(night, portion);
}

char *web_limits_words(const cfg_night *night, bool surely) {
    GString *to = g_string_new(NULL);
    for (unsigned i = 0; i < night->limits_count; i++) {
        const cfg_limited *one = &night->limits[i];
        if (surely ? cfg_limit_broken(one) : cfg_is(one->state, "unsure"))
            g_string_append_printf(to, "%s%s",
                                   to->len > 0 ? ", "
                                   : surely    ? "beyond "
                                               : "may be beyond ",
                                   one->limit ? one->limit : "?");
    }
    return g_string_free(to, to->len == 0);
}

/* "+0.80 %", "+0.17 points": by how much it differs. Owned. */
static char *gap_of(const cfg_portion *portion) {
    char share[DET_SHARE_MAX];
    const char *unit = det_gap_unit(portion->unit);
    const double by = portion->difference.mean;
    if (unit == portion->unit && det_change_share(share, sizeof share, by, &portion->reference))
        return g_strdup(share);
    g_autofree char *size = web_format_value(fabs(by), unit);
    return g_strconcat(by < 0 ? "-" : "+", size, NULL);
}

/* Which of its project's two floors a change is below: "1 %", "5 ns". Owned. */
static char *least_of(const cfg_night *night, const cfg_portion *portion) {
    const double by = fabs(portion->difference.mean), percent = night->minimum_effect_percent;
    return by < percent / 100 * fabs(portion->reference.mean)
               ? g_strdup_printf("%.4g %%", percent)
               : web_format_value(night->minimum_effect_ns, portion->unit);
}

/* "Writing (W) differs little (+0.80 %, below the minimum effect of 1 %)": no news, and there; else
 * when that was. NULL: of nothing. Owned. */
static char *small_words(const cfg_night *night, const char *last) {
    GString *to = g_string_new(NULL);
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *portion = &night->portions[i];
        if (!cfg_portion_is_small(portion))
            continue;
        g_autofree char *gap = gap_of(portion), *least = least_of(night, portion);
        g_autofree char *words = g_strdup_printf("%s (%s, below the minimum effect of %s)",
                                                 web_portion_words(portion), gap, least);
        append_state(to, night, portion, words);
    }
    if (to->len == 0 && last)
        g_string_printf(to, "a change below the minimum effect was last seen on %s", last);
    return g_string_free(to, to->len == 0);
}

/* Open suspicions, whatever the newest night says; a night that asks itself says it by itself. */
static char *suspected_words(int64_t suspicions, const char *headline) {
    return g_strdup_printf("? %" G_GINT64_FORMAT " %s open; newest night: %s", suspicions,
                           suspicions == 1 ? "suspicion is" : "suspicions are", headline);
}

/* For how long; told: the newest night tells of a change. */
static char *nights_words(const web_quiet *quiet, bool told) {
    if (told && quiet->changed)
        return g_strdup("Nothing new since the last known change");
    if (told) /* of one that somebody took back */
        return g_strdup("Nothing else is new");
    const char *here = quiet->here ? quiet->here : "";
    if (quiet->nights == 0)
        return g_strdup_printf("No night was clear%s %s", here,
                               quiet->changed && !*here ? "since the last known change" : "yet");
    return g_strdup_printf("Nothing new for %s%" G_GINT64_FORMAT " %s%s%s%s",
                           quiet->at_least ? "at least " : "", quiet->nights,
                           quiet->nights == 1 ? "night" : "nights", here,
                           quiet->until ? " up to " : "", quiet->until ? quiet->until : "");
}

/* What stands against a night by itself: not all of it is known, or a doubling would not have been
 * seen, others disturbed it, or the machine is in question. NULL: nothing. Owned. */
static char *against_words(const cfg_night *latest, const web_quiet *quiet, bool unclear) {
    if (unclear)
        return web_night_headline(latest);
    for (unsigned i = 0; i < latest->portions_count; i++)
        if (is_blind(latest, &latest->portions[i]))
            return web_blind_words(latest, &latest->portions[i]);
    if (latest->disturbed)
        return g_strconcat("hard to tell: ", latest->disturbed, NULL);
    return quiet->unsettled ? g_strconcat("not settled: ", quiet->unsettled, NULL) : NULL;
}

char *web_quiet_words(const cfg_night *latest, const web_quiet *quiet, bool *clear) {
    *clear = false;
    if (!latest)
        return g_strdup("No night measured yet");
    const bool measured = cfg_is(latest->state, "measured");
    if (!measured && quiet->unmeasured == 0 && !quiet->again)
        return g_strdup("No night could be measured yet");
    g_autofree char *headline = web_night_headline(latest);
    if (!measured)
        return unmeasured_words(quiet, headline);
    if (has_standing(latest, "doubtful") || latest->beside_doubtful)
        return g_strconcat("? ", headline, NULL);
    if (quiet->suspicions > 0)
        return suspected_words(quiet->suspicions, headline);
    const unsigned first = count_of(latest, "first", NULL);
    if (first > 0 && first == latest->portions_count)
        return g_strconcat("Nothing to compare with yet; ", headline, NULL);
    const bool told = quiet->told || has_standing(latest, "changed") || latest->beside;
    bool unclear = latest->beside || first > 0 || (told ? !quiet->changed : quiet->nights == 0);
    for (unsigned i = 0; i < latest->portions_count; i++)
        unclear = unclear || cfg_portion_is_unclear(&latest->portions[i]);
    g_autofree char *against = against_words(latest, quiet, unclear);
    g_autofree char *words = nights_words(quiet, told);
    g_autofree char *small = against ? NULL : small_words(latest, quiet->small);
    const char *said = said_of(latest);
    *clear = !against;
    g_autofree char *counted = latest->counts_moved ? g_strdup(latest->counts_moved)
                               : quiet->counted
                                   ? g_strdup_printf("what is counted moved on %s", quiet->counted)
                                   : NULL;
    const char *const behind[] = {against ? against : counted, against ? NULL : said, small};
    GString *all = g_string_new(words);
    for (size_t i = 0; i < G_N_ELEMENTS(behind); i++)
        if (behind[i])
            g_string_append_printf(all, "; %s", behind[i]);
    return g_string_free(all, FALSE);
}

/* A configuration that has no result in some of the nights that came. */
typedef struct {
    char *configuration;
    int64_t nights;
} gap;

/* A night of which there is something to say: it cannot be judged, or has other values here. */
typedef struct {
    char *night, *reason;
} flaw;

typedef struct {
    int64_t nights, known, answers, unmatched, quarantined, changes, incidents;
    gap *gaps;
    flaw *flaws, *differing, *replaced;
    char **apart;
    unsigned gaps_count, flaws_count, differing_count, replaced_count, apart_count;
} brought;

static const model_member gap_members[] = {MODEL_NULLS(gap, configuration, nights)};
static const model_noun gap_noun = MODEL_NOUN(gap, gap_members, "gap");
static const model_member flaw_members[] = {MODEL_NULLS(flaw, night, reason)};
static const model_noun flaw_noun = MODEL_NOUN(flaw, flaw_members, "flaw");
#define COUNT(field) MODEL(brought, field, #field, MODEL_NULL)
static const model_member brought_members[] = {
    COUNT(nights),
    COUNT(known),
    COUNT(answers),
    COUNT(unmatched),
    COUNT(quarantined),
    COUNT(changes),
    COUNT(incidents),
    MODEL_SEVERAL(brought, gaps, gap_noun, MODEL_LIST, "gaps", MODEL_NULL),
    MODEL_SEVERAL(brought, flaws, flaw_noun, MODEL_LIST, "flaws", MODEL_NULL),
    MODEL_SEVERAL(brought, differing, flaw_noun, MODEL_LIST, "differing", MODEL_NULL),
    MODEL_SEVERAL(brought, replaced, flaw_noun, MODEL_LIST, "replaced", MODEL_NULL),
    MODEL_COUNTED(brought, apart, "apart", MODEL_NULL)};
static const model_noun brought_noun = MODEL_NOUN(brought, brought_members, "import");

/* " (2026-01-02: configuration none has no result; …)": the first of them. */
static void flaws_append(GString *to, const flaw *flaws, unsigned count) {
    for (unsigned i = 0; i < MIN(count, FLAWS_TOLD); i++)
        g_string_append_printf(to, "%s%s: %s", i > 0 ? "; " : " (",
                               flaws[i].night ? flaws[i].night : "?",
                               flaws[i].reason ? flaws[i].reason : "?");
    if (count > 0)
        g_string_append(to, count > FLAWS_TOLD ? "; …)" : ")");
}

/* What was here with other values than the file's. */
static void others_append(GString *to, const brought *of) {
    if (of->differing_count > 0) {
        g_string_append_printf(to, "left as they are, with other values here: %u",
                               of->differing_count);
        flaws_append(to, of->differing, of->differing_count);
        g_string_append(to, "; --replace takes the file's\n");
    }
    if (of->replaced_count > 0) {
        g_string_append_printf(to, "replaced, with other values here before: %u",
                               of->replaced_count);
        flaws_append(to, of->replaced, of->replaced_count);
        g_string_append_c(to, '\n');
    }
    if (of->apart_count > 0)
        g_string_append_printf(to,
                               "new here, and not what has their name: %u (%s%s); to go on with a "
                               "history after a renaming, give its former name in the file\n",
                               of->apart_count, of->apart[0], of->apart_count > 1 ? ", …" : "");
}

char *web_import_words(const json_t *report) {
    brought of;
    GString *text = g_string_new(NULL);
    model_read_leniently(&brought_noun, report, &of);
    g_string_append_printf(text,
                           "results imported: %" G_GINT64_FORMAT
                           ", already present: %" G_GINT64_FORMAT
                           "; decisions and notes imported: %" G_GINT64_FORMAT
                           ", skipped (no matching alert or night): %" G_GINT64_FORMAT "\n",
                           of.nights, of.known, of.answers, of.unmatched);
    others_append(text, &of);
    const bool judged = of.nights > 0 || of.replaced_count > 0;
    if (judged)
        g_string_append_printf(text,
                               "changes found: %" G_GINT64_FORMAT ", incidents: %" G_GINT64_FORMAT
                               "; results that cannot be judged: %" G_GINT64_FORMAT,
                               of.changes, of.incidents, of.quarantined);
    flaws_append(text, of.flaws, judged ? of.flaws_count : 0);
    for (unsigned i = 0; judged && i < of.gaps_count; i++)
        g_string_append_printf(
            text, "; configuration %s has no value in %" G_GINT64_FORMAT " of them",
            of.gaps[i].configuration ? of.gaps[i].configuration : "?", of.gaps[i].nights);
    if (judged)
        g_string_append_c(text, '\n');
    model_clear(&brought_noun, &of);
    return g_string_free(text, FALSE);
}
