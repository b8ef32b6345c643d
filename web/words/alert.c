#include "web/words/words.h"

#include "detector/statistics/dimension.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* What a part of an alert is of; NULL: time. */
static const det_dimension *dimension_of(const cfg_change *part) {
    return det_dimension_find(part->dimension);
}

/* "peak memory of W", of time "W"; to g_free. */
static char *name_of(const char *dimension, const char *portion) {
    const det_dimension *of = det_dimension_find(dimension);
    return of ? g_strdup_printf("%s of %s", of->noun, portion) : g_strdup(portion);
}

static det_change change_of(const char *name, const cfg_change *part, double level) {
    const det_dimension *of = dimension_of(part);
    return (det_change){.name = name,
                        .unit = of ? of->unit : part->unit,
                        .before = part->before.mean,
                        .after = part->after.mean,
                        .low = part->difference.low,
                        .high = part->difference.high,
                        .level = level,
                        .known = DET_KNOWN_JUDGED,
                        .before_half = part->before.mean - part->before.low};
}

/* "Measured again, W rose from … to … (…), 40 loops": where the sentence begins in it. */
static const char *sentence_in(const char *reason, const char *sentence, size_t *length) {
    const char *from = strstr(sentence, " from ");
    const char *found = strstr(reason, sentence);
    *length = strlen(sentence);
    if (found || !from)
        return found;
    /* A slow shift is told as one. */
    g_autofree char *slow =
        g_strdup_printf("%.*s slowly%s", (int)(from - sentence), sentence, from);
    *length = strlen(slow);
    return strstr(reason, slow);
}

/* Something else is said there from now on; text is consumed. */
static void set(char **member, char *text) {
    g_free(*member);
    *member = text;
}

/* A reason keeps what the sentence beside it does not say. */
static void reason_shorten(char **reason, const char *sentence) {
    size_t length = 0;
    const char *found = *reason ? sentence_in(*reason, sentence, &length) : NULL;
    if (!found)
        return;
    g_autoptr(GString) rest = g_string_new_len(*reason, found - *reason);
    const char *after = found + length;
    after += strspn(after, rest->len > 0 ? "" : ", ");
    g_string_truncate(rest, rest->len - (g_str_has_suffix(rest->str, ", ") ? 2 : 0));
    g_string_append(rest, after);
    if (rest->len > 0)
        rest->str[0] = g_ascii_toupper(rest->str[0]);
    set(reason, g_strdup(rest->str));
}

/* Verdicts and trials call a portion by its own name alone. */
static void reasons_shorten(cfg_change *part, double level) {
    char text[DET_CHANGE_MAX];
    g_autofree char *name = name_of(part->dimension, part->portion ? part->portion : "?");
    const det_change change = change_of(name, part, level);
    det_change_sentence(text, sizeof text, &change);
    reason_shorten(&part->reason, text);
    if (part->confirmation)
        reason_shorten(&part->confirmation->reason, text);
}

/* Its configuration, where several portions of the alert's nights have its letter; else NULL. */
static const char *which_of(const cfg_alert *alert, const cfg_change *part) {
    const bool named = alert->names_count > 0;
    const cfg_change *all = named ? alert->names : alert->portions;
    for (unsigned i = 0; i < (named ? alert->names_count : alert->portions_count); i++)
        if (cfg_is(all[i].portion, part->portion) &&
            !cfg_is(all[i].configuration, part->configuration))
            return part->configuration;
    return NULL;
}

/* Beside what was measured in turn: of which nights its level before is, out of its reason; "".
 * Owned. */
static char *nights_of(const cfg_alert *alert, cfg_change *part) {
    const char *end = part->reason ? strstr(part->reason, ": ") : NULL;
    if (!alert->change.confirmation || part->confirmation || !end ||
        !g_str_has_prefix(part->reason, "Against "))
        return g_strdup("");
    char *nights = g_strdup_printf(" a%.*s", (int)(end - part->reason) - 1, part->reason + 1);
    set(&part->reason, g_strdup(end + 2));
    return nights;
}

/* Was its level before measured in turn with what came after? */
static bool is_measured(const cfg_change *part) {
    return part->confirmation && isfinite(part->confirmation->before_ns);
}

/* A level before that none of its nights had, as its reason says; of a trial it was measured. */
static const char *beside_of(const cfg_change *part) {
    return !is_measured(part) && part->reason &&
                   strstr(part->reason, "where the control's factor puts it")
               ? " beside the control's factor"
               : "";
}

static void say(const cfg_alert *alert, cfg_change *part) {
    char text[DET_CHANGE_MAX];
    g_autofree char *portion = web_portion_name(part->portion, which_of(alert, part));
    g_autofree char *name = name_of(part->dimension, portion);
    g_autofree char *thread =
        part->thread ? g_strdup_printf(" (thread %s)", part->thread) : g_strdup("");
    det_change change = change_of(name, part, alert->level);
    if (cfg_is(alert->state, "withdrawn")) /* its verdict was taken back */
        change.known = DET_KNOWN_MEASURED;
    det_change_headline(text, sizeof text, &change);
    set(&part->headline, g_strconcat(text, thread, NULL));
    det_change_sentence(text, sizeof text, &change);
    reasons_shorten(part, alert->level);
    g_autofree char *nights = nights_of(alert, part);
    set(&part->sentence, g_strconcat(text, nights, beside_of(part), thread, NULL));
}

/* What is surely more than so many times the share that time moved by is another change. */
static const double SAME_SHARES = 4;

static bool is_as(const cfg_change *part, const cfg_change *time) {
    const double least = fmin(fabs(part->difference.low), fabs(part->difference.high));
    return !(least / fabs(part->before.mean) >
             SAME_SHARES * fabs(time->after.mean / time->before.mean - 1));
}

/* Does it say of another dimension what the time of its configuration says already? */
static bool says_again(const cfg_alert *alert, const cfg_change *part) {
    const det_dimension *of = dimension_of(part);
    const cfg_change *other = alert->portions;
    for (unsigned i = 0; of && of->follows && i < alert->portions_count; i++, other++)
        if (cfg_is(other->configuration, part->configuration) &&
            cfg_is(other->direction, part->direction) && !dimension_of(other))
            return is_as(part, other);
    return false;
}

static void join(GString *to, const char *between, const char *text) {
    g_string_append_printf(to, "%s%s", to->len > 0 ? between : "", text);
}

/* The headline is brief: without what the time of the same configuration says. */
static void parts_join(cfg_alert *alert) {
    g_autoptr(GString) headline = g_string_new(NULL), sentence = g_string_new(NULL);
    for (unsigned i = 0; i < alert->portions_count; i++) {
        const cfg_change *part = &alert->portions[i];
        if (!says_again(alert, part))
            join(headline, ", ", part->headline);
        join(sentence, "; ", part->sentence);
    }
    set(&alert->change.headline, g_strdup(headline->str));
    set(&alert->change.sentence, g_strdup(sentence->str));
}

/* Cheaper, or more of a rate, while more is lost: one sentence says both, and nobody reads of an
 * improvement. What others lose stands by itself. */
static void losses_say(cfg_alert *alert) {
    cfg_change *all = &alert->change;
    g_autoptr(GString) lost = g_string_new(NULL);
    for (unsigned i = 0; i < alert->portions_count; i++) {
        const cfg_change *part = &alert->portions[i];
        if (part->lost && !cfg_is_worse(part->direction, part->better) &&
            !strstr(lost->str, part->lost))
            join(lost, ", ", part->lost);
    }
    if (lost->len > 0) {
        set(&all->headline, g_strdup_printf("%s, but %s", all->headline, lost->str));
        set(&all->sentence, web_lost_reason(all->sentence, lost->str));
    }
    if (!all->lost)
        return;
    set(&all->headline, g_strdup_printf("%s, %s", all->headline, all->lost));
    set(&all->sentence, g_strdup_printf("%s; %s", all->sentence, all->lost));
}

static bool was_measured(const cfg_alert *alert, const cfg_portion *before) {
    const cfg_change *part = alert->portions;
    for (unsigned i = 0; i < alert->portions_count; i++, part++)
        if (is_measured(part) && cfg_is(part->configuration, before->configuration) &&
            dimension_of(part) == det_dimension_find(before->dimension))
            return true;
    return false;
}

/* The level before is no surer than its last night, unless it was measured again. */
static void before_say(cfg_alert *alert) {
    cfg_change *all = &alert->change;
    const cfg_portion *before = alert->levels_before;
    for (unsigned i = 0; i < alert->levels_before_count; i++, before++) {
        if (!cfg_is(cfg_portion_standing(before), "doubtful") || was_measured(alert, before))
            continue;
        g_autofree char *portion = web_portion_name(before->portion, NULL);
        g_autofree char *name = name_of(before->dimension, portion);
        set(&alert->before_doubt, g_strdup_printf("the level before is itself in question (%s: %s)",
                                                  name, web_portion_words(before)));
        set(&all->sentence, g_strdup_printf("%s; %s", all->sentence, alert->before_doubt));
        return;
    }
}

/* Its id, where that is whole; NULL. Borrowed. */
static const char *whole_id(const cfg_commit *commit) {
    const char *sha = commit ? commit->sha : NULL;
    const size_t length = sha ? strspn(sha, "0123456789abcdef") : 0;
    return sha && !sha[length] && (length == 40 || length == 64) ? sha : NULL;
}

/* The command that measures two commits in turn on the reader's machine: those of both of its
 * nights, or, where a search has ended, since it was moved if it was, what that found and the
 * commit before. NULL: one commit, or ids that are not whole, or a project without a file. Owned.
 */
static char *repeat_of(const cfg_alert *alert) {
    const cfg_search *asked = alert->search;
    const cfg_search *search =
        asked && asked->last && (!alert->moved || asked->steps_count > 0) ? asked : NULL;
    const cfg_commit *from = alert->from ? &alert->from->commit : NULL;
    const cfg_commit *until = alert->until ? &alert->until->commit : NULL;
    const char *before = whole_id(search && search->before ? search->before : from);
    const char *after = whole_id(search ? search->last : until);
    return alert->file && before && after && !g_str_equal(before, after)
               ? g_strdup_printf("moowatch run %s.yaml --commit %s --compare %s", alert->file,
                                 after, before)
               : NULL;
}

/* "moved by hand from 2026-01-02 to 2026-01-03: a release (ada)"; NULL: it is where nights have it.
 * Owned. */
static char *moved_of(const cfg_alert *alert) {
    for (unsigned i = alert->audit_count; i-- > 0;) {
        const cfg_decision *entry = &alert->audit[i];
        if (!entry->reason || g_strcmp0(entry->from, entry->to) != 0)
            continue; /* an answer, whatever its reason says */
        if (g_str_has_prefix(entry->reason, CFG_ALERT_MOVED))
            return g_strdup_printf("%s (%s)", entry->reason, entry->author ? entry->author : "?");
        if (g_str_has_prefix(entry->reason, CFG_ALERT_MOVED_BACK))
            break;
    }
    return NULL;
}

/* Do the words begin with the short id of the commit that did it? */
static bool is_named(const cfg_alert *alert, const char *words) {
    const cfg_commit *commit = cfg_alert_culprit(alert);
    const size_t length = strspn(words, "0123456789abcdef");
    return commit && commit->sha && length > 0 && strncmp(commit->sha, words, length) == 0;
}

/* "The search had found 9d66…; as the change is dated now, it was not that commit." of the newest
 * such entry of its history; NULL: there is none, or by now it is that commit. Owned. */
static char *corrected_of(const cfg_alert *alert) {
    for (unsigned i = alert->audit_count; i-- > 0;) {
        const char *told = alert->audit[i].reason;
        if (told && g_str_has_prefix(told, CFG_ALERT_HAD_FOUND))
            return is_named(alert, told + strlen(CFG_ALERT_HAD_FOUND))
                       ? NULL
                       : g_strdup_printf("%c%s.", g_ascii_toupper(told[0]), told + 1);
    }
    return NULL;
}

static const double LEAST_SHARE = 0.01; /* of a change, below which nothing is told */

static bool is_changed(const cfg_step *step) {
    return cfg_is(step->state, "after") || cfg_is(step->state, "part");
}

/* The last of the commits that brought the most of it, as far as a search got: the one that it
 * found, or of those that it could not tell apart; NULL: that may be all. */
static const cfg_commit *last_of(const cfg_search *search) {
    return search->culprit                     ? search->culprit
           : search->left > 0 && search->first ? search->last
                                               : NULL;
}

/* What a search measured at that one; NULL: nothing, such as of a night's own. */
static const cfg_step *step_found(const cfg_search *search) {
    const cfg_commit *last = last_of(search);
    for (unsigned i = 0; last && i < search->steps_count; i++)
        if (cfg_is(search->steps[i].commit.sha, last->sha))
            return &search->steps[i];
    return NULL;
}

/* The last commit below a place that brought a part itself, or, if that will do, was as before;
 * NULL: none. */
static const cfg_step *step_below(const cfg_search *search, int64_t place, bool before) {
    const cfg_step *last = NULL;
    for (unsigned i = 0; i < search->steps_count; i++)
        if ((cfg_is(search->steps[i].state, "part") ||
             (before && cfg_is(search->steps[i].state, "before"))) &&
            search->steps[i].place < place && (!last || search->steps[i].place > last->place))
            last = &search->steps[i];
    return last;
}

static bool is_apart(const cfg_step *step) {
    return step->after.low > step->before.high || step->after.high < step->before.low;
}

/* What a step saw of the change. One that is there, and too small for the one that is searched, is
 * passed over; what is after a commit that brought it, or a part, is compared with that one, and is
 * a part itself. Owned. */
static char *saw_of(const cfg_search *search, const cfg_step *step) {
    const cfg_step *with = step_below(search, step->place, false), *found = step_found(search);
    const bool before = cfg_is(step->state, "before");
    const bool apart = is_apart(step);
    const cfg_step *as = with ? with : found && found->place < step->place ? found : NULL;
    return before && !apart && as
               ? g_strdup_printf("as with %.9s", as->commit.sha)
               : g_strdup(before && apart                       ? "less than a quarter of it"
                          : before                              ? "as before"
                          : cfg_is(step->state, "skipped")      ? "could not be measured"
                          : cfg_is(step->state, "undecided")    ? "undecided"
                          : !is_changed(step)                   ? "no answer yet"
                          : cfg_is(step->state, "part") || with ? "a part of it"
                                                                : "already changed");
}

/* Was the range's last commit measured against it, and as it? Then nothing of the change came
 * after.
 */
static bool is_last(const cfg_search *search, const cfg_step *found) {
    bool last = false;
    for (unsigned i = 0; found && i < search->steps_count; i++) {
        const cfg_step *step = &search->steps[i];
        if (cfg_is(step->state, "part") ||
            (step->place > found->place && cfg_is(step->state, "after")))
            return false;
        last = last || (step->place > found->place && cfg_is(step->state, "before"));
    }
    return last;
}

/* Of a change: how much was there with a commit, half its interval, and how much of a level as the
 * change's trial had it: the machine may be another one by now. */
typedef struct {
    double mean, half, scaled;
} part_there;

/* step NULL: otherwise. */
static part_there part_of(const cfg_step *step, const cfg_confirmation *all, part_there otherwise) {
    if (!step)
        return otherwise;
    const double mean = step->after.mean - step->before.mean;
    const double own = (step->difference.high - step->difference.low) / 2;
    const double half = isfinite(own) ? own /* of the trial; else of its two levels */
                                      : hypot(step->after.high - step->after.mean,
                                              step->before.mean - step->before.low);
    return (part_there){mean, half, mean * all->before_ns / step->before.mean};
}

/* What came with a commit alone: less what was there with the last one below it that was measured
 * against the same commit, if that showed anything. */
static part_there own_of(const cfg_search *search, const cfg_step *step,
                         const cfg_confirmation *all) {
    const part_there none = {0, 0, 0}, whole = {all->difference.mean, 0, all->difference.mean};
    const cfg_step *below = step_below(search, step ? step->place : INT64_MAX, true);
    const bool less = below && cfg_is(below->state, "before") && is_apart(below);
    const part_there with = part_of(step, all, whole),
                     without = part_of(less ? below : NULL, all, none);
    return (part_there){with.mean - without.mean, hypot(with.half, without.half),
                        with.scaled - without.scaled};
}

/* All of the change, or what the steps show together where that is more: they waver. later: out, of
 * it, what they show after the last part. */
static double change_of_steps(const cfg_search *search, const cfg_confirmation *all,
                              double *later) {
    double parts = 0;
    *later = 0;
    for (unsigned i = 0; i < search->steps_count; i++) {
        const cfg_step *step = &search->steps[i];
        if (cfg_is(step->state, "part"))
            parts += own_of(search, step, all).mean / all->difference.mean;
        else if (cfg_is(step->state, "after"))
            *later = fmax(*later, (step->after.mean - step->before.mean) / all->difference.mean);
    }
    return all->difference.mean * (parts > 0 ? fmax(1, parts + *later) : 1);
}

/* The share of the change that a step's commit brought beside the one that was found; 0: none, or
 * there are others before it that could not be measured. */
static double share_of(const cfg_search *search, const cfg_step *step, const cfg_confirmation *all,
                       double change) {
    const cfg_step *below = step_below(search, step->place, true);
    if (!is_changed(step) || step == step_found(search) ||
        step->place != (below ? below->place : -1) + 1)
        return 0;
    const double share = own_of(search, step, all).mean / change;
    return share < LEAST_SHARE ? 0 : share;
}

static void part_add(cfg_search *search, const char *sha, double share) {
    cfg_part *part = model_add(model_noun_of(&cfg_alert_model, "bisection"), search, "parts");
    *part = (cfg_part){g_strdup(sha), 100 * share};
}

/* More than this leaves nothing for others. */
static const double ALL_SHARE = 0.95;

/* Did the commit that was found bring a part of the change alone? All trials of a search that found
 * no other part began with the same commit, and their shares are compared in time and by level.
 * change: all of it. */
static bool is_part(part_there own, const cfg_confirmation *all, double change) {
    return own.mean / change < CFG_WHOLE_SHARE &&
           !(all->before_ns > 0 && own.scaled / change >= CFG_WHOLE_SHARE);
}

/* With whom the rest of a change came: "others after 73c241981 up to 2559ae666". Owned. */
static char *others_of(const cfg_alert *alert) {
    const char *from = alert->from ? alert->from->commit.shortened : NULL;
    const char *to = cfg_alert_end(alert)->commit.shortened;
    return from && to ? g_strdup_printf("others after %s up to %s", from, to)
                      : g_strdup("others of the range");
}

/* Of the change that the search asks of. NULL: nobody measured it again. */
static const cfg_confirmation *confirmed_of(const cfg_alert *alert) {
    const cfg_change *of = &alert->change;
    for (unsigned i = 0; !cfg_alert_is_searched(alert, of) && i < alert->portions_count; i++)
        of = &alert->portions[i];
    return cfg_alert_is_searched(alert, of) ? of->confirmation : NULL;
}

/* Is there a commit of the range beside so many that are named, and those up to a step that saw
 * nothing? */
static bool has_others(const cfg_search *search, int64_t named) {
    const cfg_step *found = step_found(search);
    for (unsigned i = 0; i < search->steps_count; i++) {
        const cfg_step *step = &search->steps[i], *below = step_below(search, step->place, true);
        if (found && found->place < step->place && (!below || below->place < found->place))
            below = found;
        if (cfg_is(step->state, "before") && !is_apart(step))
            named += step->place - (below ? below->place : -1);
    }
    return search->commits < 0 || named < search->commits;
}

/* "17 % came with 5158397b1, 62 % with 9d6643e27": beside what was found. */
static void parts_add(GString *rest, cfg_search *search, const cfg_confirmation *all,
                      double change) {
    bool first = true;
    for (unsigned i = 0; i < search->steps_count; i++) {
        const cfg_step *step = &search->steps[i];
        const double one = share_of(search, step, all, change);
        if (one <= 0)
            continue;
        g_string_append_printf(rest, first ? "%.0f %% came with %.9s" : ", %.0f %% with %.9s",
                               100 * one, step->commit.sha);
        part_add(search, step->commit.sha, one);
        first = false;
    }
}

/* A search asks where a quarter of the change begins, so its commit, or those that it could not
 * tell apart, may have brought no more. */
static void rest_say(cfg_alert *alert) {
    cfg_search *search = alert->search;
    const cfg_confirmation *all = confirmed_of(alert);
    if (!search || !all)
        return;
    const bool running = cfg_is(search->state, "running"); /* nobody knows yet of the rest */
    const cfg_step *found = step_found(search);
    const cfg_commit *last = last_of(search);
    const int64_t left = search->culprit ? 1 : last ? search->left : 0;
    double later;
    const double steps = change_of_steps(search, all, &later);
    const double change = is_last(search, found) ? found->after.mean - found->before.mean : steps;
    const bool followed = found && cfg_is(found->state, "part") && later > 0;
    const part_there with = own_of(search, found, all);
    const double own = last ? with.mean / change : 0;
    const bool alone = !followed && (!is_part(with, all, change) || !has_others(search, left));
    double share = own;
    int64_t named = left;
    for (unsigned i = 0; i < search->steps_count; i++) {
        const double one = share_of(search, &search->steps[i], all, change);
        named += one > 0;
        share += one;
    }
    const bool several = named > left, others = has_others(search, named);
    if (last ? own <= 0 || (!several && alone) : !several)
        return;
    const double whole = others ? 1 : share; /* all that every commit of the range brought */
    g_autoptr(GString) rest = g_string_new(last ? NULL : "Of the change ");
    if (last) {
        const bool about = !several && own + with.half / fabs(change) >= CFG_WHOLE_SHARE;
        g_string_printf(rest, "Only %s%.0f %% of the change came with %s%s%s; ",
                        about ? "about " : "", 100 * own / whole,
                        search->culprit ? "" : search->first->shortened,
                        search->culprit ? "" : " to ", last->shortened);
        if (search->culprit)
            part_add(search, last->sha, own / whole);
    }
    parts_add(rest, search, all, change * whole);
    g_autofree char *whom = others_of(alert);
    if (others && share <= ALL_SHARE && !running)
        g_string_append_printf(rest, "%s %s", several ? ", the rest with" : "the rest came with",
                               whom);
    g_string_append_c(rest, '.');
    set(&search->rest, g_string_free(g_steal_pointer(&rest), FALSE));
}

/* May others have brought some of it? */
static void partly_say(cfg_search *search) {
    if (search)
        search->partly =
            search->culprit &&
            (search->rest || !(search->least >= CFG_WHOLE_SHARE || !has_others(search, 1)));
}

/* A search asks of one portion, and what else the alert tells of, or is lost since, may have come
 * with another commit. */
static void alone_say(cfg_alert *alert) {
    g_autoptr(GString) others = g_string_new(NULL);
    for (unsigned i = 0; i < alert->portions_count; i++) {
        const cfg_change *part = &alert->portions[i];
        g_autofree char *portion = web_portion_name(part->portion, which_of(alert, part));
        g_autofree char *name = name_of(part->dimension, portion);
        if (!cfg_alert_is_searched(alert, part)) {
            if (!says_again(alert, part))
                join(others, ", ", name);
        } else if (alert->search) {
            set(&alert->search->of, g_steal_pointer(&name));
        }
        if (part->lost && !cfg_is_worse(part->direction, part->better) && alert->search &&
            alert->search->configuration && !strstr(others->str, part->lost))
            join(others, ", ", part->lost);
    }
    if (alert->change.lost && alert->search && alert->search->configuration)
        join(others, ", ", alert->change.lost);
    if (others->len > 0 && alert->search && alert->search->of)
        set(&alert->search->alone,
            g_strdup_printf("The search is of %s alone; the commit of %s is not known.",
                            alert->search->of, others->str));
}

/* Did it surely bring more than the change that is there in the end? */
static bool is_more(const cfg_search *search, const cfg_step *found, const cfg_confirmation *all) {
    if (!search->culprit || is_last(search, found))
        return false;
    const part_there own = own_of(search, found, all);
    const double whole = all->difference.mean;
    const double most = whole < 0 ? -all->difference.low : all->difference.high;
    return CFG_WHOLE_SHARE * fmin(own.mean / whole, own.scaled / whole) >= 1 &&
           fabs(own.mean) - own.half > most;
}

/* Whose levels those of a step are, where its trial says that not all of its loops count. */
static const char *counting_of(const cfg_step *step) {
    const char *reason = step->reason ? step->reason : "";
    return strstr(reason, "fastest half counts")      ? ", of the fastest half of the loops"
           : strstr(reason, "fastest quarter counts") ? ", of the fastest quarter of the loops"
                                                      : "";
}

bool web_alert_brought(const cfg_alert *alert, const cfg_change *part, const char *sha,
                       cfg_change *own) {
    char text[DET_CHANGE_MAX];
    const cfg_search *search = alert->search;
    const cfg_confirmation *all = confirmed_of(alert);
    const cfg_step *step = NULL;
    if (!search || !search->of || !all || !cfg_alert_is_searched(alert, part))
        return false;
    for (unsigned i = 0; i < search->steps_count; i++)
        if (cfg_commit_is(&search->steps[i].commit, sha))
            step = &search->steps[i];
    if (!step || (!search->rest && !is_more(search, step, all)))
        return false;
    const part_there alone = own_of(search, step, all);
    *own = *part;
    own->before = (det_interval){.mean = step->after.mean - alone.mean, .low = NAN, .high = NAN};
    own->after = step->after;
    own->difference = (det_interval){
        .mean = alone.mean, .low = alone.mean - alone.half, .high = alone.mean + alone.half};
    own->percent = own->before.mean != 0 ? 100 * alone.mean / fabs(own->before.mean) : NAN;
    const det_change with = change_of(search->of, own, alert->level);
    det_change_sentence(text, sizeof text, &with);
    own->sentence = g_strdup_printf("With %.9s %s%s", step->commit.sha, text, counting_of(step));
    return true;
}

/* What a commit brought by what its step measured, where it was more. Owned; NULL: it was not. */
static char *more_of(const cfg_alert *alert, const cfg_step *found) {
    cfg_change with;
    const cfg_confirmation *all = confirmed_of(alert);
    if (!all || !is_more(alert->search, found, all) ||
        !web_alert_brought(alert, &alert->change, alert->search->culprit->sha, &with))
        return NULL;
    g_autofree char *text = with.sentence;
    return g_strconcat(text, "; others after it took a part of that back.", NULL);
}

/* What the search measured at its commit says beside the alert's numbers. That the last of the
 * range has changed the alert says: where no other is the one, no step measures it. Owned; NULL. */
static char *own_words(const cfg_alert *alert) {
    const cfg_search *search = alert->search;
    const cfg_step *found = step_found(search);
    return found ? more_of(alert, found)
           : search->culprit && search->commits > 1
               ? g_strdup_printf("%s is named by exclusion: no other was seen to bring a "
                                 "quarter of the change, and no step of the search measured it.",
                                 search->culprit->shortened)
               : NULL;
}

/* All that has to be told beside the commit. */
static void search_say(cfg_alert *alert) {
    cfg_search *search = alert->search;
    if (!search)
        return;
    g_autofree char *own = own_words(alert);
    const char *const all[] = {search->rest, search->alone, own};
    g_autoptr(GString) told = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i])
            join(told, " ", all[i]);
    set(&search->told, told->len > 0 ? g_strdup(told->str) : NULL);
}

/* Why it is told is of the nights where it was: nobody measured in turn what it is between now. */
static void moved_say(cfg_alert *alert) {
    if (!alert->moved)
        return;
    for (unsigned i = 0; i <= alert->portions_count; i++) {
        cfg_change *part = i == 0 ? &alert->change : &alert->portions[i - 1];
        set(&part->reason, g_strdup(alert->moved));
        part->reason[0] = g_ascii_toupper(part->reason[0]);
    }
}

void web_alert_say(cfg_alert *alert) {
    for (unsigned i = 0; alert->search && i < alert->search->steps_count; i++)
        set(&alert->search->steps[i].saw, saw_of(alert->search, &alert->search->steps[i]));
    set(&alert->moved, moved_of(alert)); /* whom the others name hangs on it */
    set(&alert->repeat, repeat_of(alert));
    set(&alert->corrected, corrected_of(alert));
    rest_say(alert);
    partly_say(alert->search);
    alone_say(alert);
    search_say(alert);
    if (alert->portions_count == 0)
        say(alert, &alert->change);
    for (unsigned i = 0; i < alert->portions_count; i++)
        say(alert, &alert->portions[i]);
    if (alert->portions_count > 0) {
        reasons_shorten(&alert->change, alert->level);
        parts_join(alert);
        losses_say(alert);
    }
    before_say(alert);
    moved_say(alert);
}

const char *web_which_words(const cfg_alert *alert) {
    const char *state = alert->search ? alert->search->state : NULL;
    return cfg_is(state, "range") || cfg_is(state, "failed") ? "the search found no single commit"
           : alert->search && alert->search->rest            ? "the search goes on"
           : cfg_is(state, "running") || alert->searchable   ? "which one is being searched"
                                                             : "which one is not known";
}
