/* moowatch gate PROJECT COMMIT - may this commit pass? The exit status is the answer. */
#include "ci/command/client.h"
#include "ci/command/outputs.h"
#include "ci/command/pull.h"
#include "ci/command/revision.h"
#include "ci/formats/policy.h"
#include "config/json_text.h"
#include "config/model/alert.h"
#include "config/shown.h"
#include "web/words/words.h"

#include <stdio.h>
#include <string.h>

/* Any portion with this verdict? */
static bool has(const json_t *json, const char *verdict) {
    g_auto(cfg_night) night = cfg_night_of(json);
    for (unsigned i = 0; i < night.portions_count; i++)
        if (cfg_is(night.portions[i].verdict, verdict))
            return true;
    return false;
}

static void add_sentences(json_t *to, const cfg_alert *alert) {
    const cfg_explanation *why = alert->explanation;
    for (unsigned i = 0; why && i < why->portions_count; i++)
        if (why->portions[i].sentence)
            json_array_append_new(to, json_string(why->portions[i].sentence));
}

/* What is no improvement, as the night knows; the alert says it of all its portions at once. */
static void tell_lost(json_t *portion) {
    const char *lost = cfg_json_word(portion, "lost", NULL);
    if (!lost)
        return;
    g_autofree char *reason = web_lost_reason(cfg_json_word(portion, "reason", "?"), lost);
    json_object_set_new(portion, "reason", json_string(reason));
}

/* By how much a portion changed, as an alert has it of its first night. */
static void tell_numbers(json_t *portion, const cfg_change *changed) {
    json_auto_t *all = model_write(model_noun_of(&cfg_alert_model, "portions"), changed);
    json_object_set(portion, "reference", json_object_get(all, "before"));
    json_object_set(portion, "difference", json_object_get(all, "difference"));
}

/* A sentence, and what is told beside it, which may have it; NULL: nothing. Owned. */
static char *and_beside(const char *sentence, const char *beside) {
    return !beside                                 ? g_strdup(sentence)
           : !sentence || strstr(beside, sentence) ? g_strdup(beside)
                                                   : g_strdup_printf("%s. %s", sentence, beside);
}

/* What an alert says of its first night, in place of the verdict that came too early. own: what a
 * commit brought by itself, of which no step says what it loses. beside: of its search; NULL:
 * nothing. */
static void tell_change(json_t *night, const cfg_change *changed, bool own, const char *beside) {
    size_t i;
    json_t *portion;
    cfg_json_each (night, "portions", i, portion) {
        if (!cfg_is(changed->configuration, cfg_json_word(portion, "configuration", "-")))
            continue;
        json_object_set_new(portion, "verdict", json_string("anomaly"));
        json_object_set_new(portion, "rule", json_null());
        json_object_del(portion, "later"); /* it is said now */
        json_object_set_new(portion, "direction", json_string(changed->direction));
        json_object_set_new(portion, "reason", json_string(changed->sentence));
        tell_numbers(portion, changed);
        if (!own)
            tell_lost(portion);
        g_autofree char *told = and_beside(cfg_json_word(portion, "reason", "?"), beside);
        json_object_set_new(portion, "reason", json_string(told));
        json_object_del(night, "headline");
    }
}

/* Likewise of a commit that its search names (NULL: of none): what that brought by itself, where it
 * is known. */
static void tell_part(json_t *night, const cfg_alert *alert, const cfg_change *part,
                      const char *sha) {
    cfg_change own = {0};
    const bool known = sha && web_alert_brought(alert, part, sha, &own);
    tell_change(night, known ? &own : part, known, sha ? alert->search->told : NULL);
    g_free(known ? own.sentence : NULL);
}

/* Its change is not this commit's. doubtful: or nobody knows whose it is, and what got worse cannot
 * pass then. */
static void acquit(json_t *night, json_t *portion, const char *direction, bool doubtful,
                   const char *why) {
    const bool worse = cfg_is_worse(direction, cfg_json_word(portion, "better", NULL)) &&
                       !cfg_json_true(portion, "accepted_in_advance");
    const char *rule = !doubtful ? "not-this-commit" : worse ? "pending" : "commit-unknown";
    g_auto(cfg_night) all = cfg_night_of(night);
    const cfg_portion *own = cfg_night_portion(&all, cfg_json_word(portion, "configuration", NULL));
    g_autofree char *name =
        own ? cfg_portion_name(&all, own) : g_strdup(cfg_json_word(portion, "portion", "?"));
    g_autofree char *reason = g_strdup_printf("the change of %s %s", name, why);
    json_object_set_new(portion, "verdict", json_string("ok"));
    json_object_set_new(portion, "rule", json_string(rule));
    json_object_set_new(portion, "direction", json_string(direction));
    json_object_set_new(portion, "reason", json_string(reason));
    json_object_del(portion, "later"); /* it is said now */
    json_object_set_new(night, "headline", json_string(reason));
}

/* from: " from 2025-03-13 on", or nothing. Owned. */
static char *slow_words(const char *from) {
    return g_strdup_printf("came slowly%s; which commit it came with is not known", from);
}

/* A change that this night or a later one has shown is the earlier commit's; a slow shift is
 * nobody's. */
static void tell_earlier(json_t *night) {
    size_t i;
    json_t *portion;
    cfg_json_each (night, "portions", i, portion) {
        const char *since = cfg_json_word(portion, "since", NULL);
        const bool slow = cfg_json_true(portion, "slow");
        const char *moved = g_str_equal(cfg_json_word(portion, "verdict", ""), "anomaly")
                                ? cfg_json_word(portion, "direction", "up")
                            : since ? cfg_json_word(portion, "later", NULL)
                                    : NULL;
        if (!moved || (!since && !slow))
            continue;
        g_autofree char *from = since ? g_strdup_printf(" from %s on", since) : g_strdup("");
        g_autofree char *why =
            slow ? slow_words(from) : g_strdup_printf("began on %s, not with this commit", since);
        acquit(night, portion, moved, slow, why);
    }
}

/* Somebody took it back, or called it no change. */
static bool is_void(const cfg_alert *alert) {
    return cfg_is(alert->state, "withdrawn") || cfg_is(alert->state, "false");
}

/* Is this part of an alert about the time of a call, as the night's portions and the gate are? What
 * another dimension did of the same configuration has other numbers and its own direction. */
static bool is_of_time(const cfg_change *portion) {
    return !portion->dimension || cfg_is(portion->dimension, "time");
}

/* Has the step an answer? */
static bool is_done(const cfg_step *step) {
    return step->saw && !cfg_is(step->state, "testing") && !cfg_is(step->state, "skipped");
}

/* What the search for an alert's commit saw of this one; found: out, it did it, or a part. Owned;
 * NULL: it did not measure it. */
static char *search_words(const cfg_alert *alert, const char *commit, bool *found) {
    static const char begin[] = "no night measured it, but the search for the commit of alert";
    const cfg_search *search = is_void(alert) ? NULL : alert->search;
    *found = search && cfg_alert_is_named(alert, commit);
    if (*found)
        return g_strdup_printf("%s %" G_GINT64_FORMAT " found it", begin, alert->id);
    for (unsigned i = 0; search && i < search->steps_count; i++)
        if (cfg_commit_is(&search->steps[i].commit, commit) && is_done(&search->steps[i]))
            return g_strdup_printf("%s %" G_GINT64_FORMAT " did (%s: %s)", begin, alert->id,
                                   search->of ? search->of : alert->change.portion,
                                   search->steps[i].saw);
    return NULL;
}

/* The portions of the alert's night, each without a result, and why; those that the search found
 * the commit of have changed. */
static json_t *searched_portions(const json_t *experiment, const char *why) {
    static const char *const kept[] = {"portion", "configuration", "parent", "unit", "better"};
    json_t *all = json_array(), *portion;
    size_t i;
    cfg_json_each (experiment, "portions", i, portion) {
        json_t *without = json_pack("{s:s,s:s}", "verdict", "harness", "reason", why);
        for (size_t k = 0; k < G_N_ELEMENTS(kept); k++)
            (void)json_object_set(without, kept[k], json_object_get(portion, kept[k]));
        json_array_append_new(all, without);
    }
    return all;
}

static void tell_found(json_t *night, const cfg_alert *alert, const char *commit, const char *why) {
    const cfg_change *of = &alert->change; /* what was searched */
    cfg_change own = {0};
    json_t *portion;
    size_t i;
    for (unsigned k = 0; k < alert->portions_count; k++) {
        const cfg_change *part = &alert->portions[k];
        if (!cfg_alert_is_searched(alert, part))
            continue;
        of = alert->search->configuration ? part : of;
        if (is_of_time(part))
            tell_part(night, alert, part, commit);
    }
    const bool known = web_alert_brought(alert, of, commit, &own);
    g_autofree char *told = and_beside(known ? own.sentence : of->sentence, alert->search->told);
    g_free(known ? own.sentence : NULL);
    g_autofree char *words = g_strdup_printf("%s: %s", why, told);
    cfg_json_each (night, "portions", i, portion)
        json_object_set_new(portion, "reason", json_string(words));
}

static json_t *searched_by(ci_client *client, const json_t *of, const char *commit,
                           GError **error) {
    bool found;
    g_auto(cfg_alert) alert = cfg_alert_of(of);
    g_autofree char *why = search_words(&alert, commit, &found);
    json_auto_t *experiment = ci_client_experiment(client, alert.to.experiment, error);
    if (!experiment)
        return NULL;
    json_t *night = json_pack("{s:s,s:{s:s},s:o}", "state", "measured", "commit", "sha", commit,
                              "portions", searched_portions(experiment, why));
    if (found)
        tell_found(night, &alert, commit, why);
    return night;
}

/* The alert whose search found the commit, or else the first whose search measured it. */
typedef struct {
    const char *commit;
    bool found;
    json_t *best; /* owned */
} looked;

static bool look(void *user, const json_t *page) {
    looked *at = user;
    json_t *item;
    size_t i;
    cfg_json_each (page, "items", i, item) {
        g_auto(cfg_alert) alert = cfg_alert_of(item);
        g_autofree char *why = at->found ? NULL : search_words(&alert, at->commit, &at->found);
        if (why && (at->found || !at->best)) {
            json_decref(at->best);
            at->best = json_incref(item);
        }
    }
    return at->found;
}

static char *alerts_of(const char *project) {
    g_autofree char *base = ci_client_path("projects", project, "alerts");
    return g_strconcat(base, "?limit=100", NULL);
}

/* A commit between two nights, of which only the search for an alert's commit knows something: as
 * if it were a night. Owned; NULL without error: none measured it. */
static json_t *night_of_search(ci_client *client, const char *project, const char *commit,
                               GError **error) {
    looked at = {.commit = commit};
    g_autofree char *list = alerts_of(project);
    const bool good = ci_client_pages(client, list, look, &at, error);
    json_auto_t *best = at.best;
    return good && best ? searched_by(client, best, commit, error) : NULL;
}

/* How much a result tells: of what got worse more than of another change, and of what is another
 * night's less than of any that may be its own; 0: of none. */
static unsigned weight_of(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    unsigned most = 0;
    for (unsigned i = 0; i < night.portions_count; i++) {
        const cfg_portion *p = &night.portions[i];
        const bool own = !p->since || p->slow;
        const char *moved = cfg_is(p->verdict, "anomaly") ? p->direction : own ? p->later : NULL;
        if (moved)
            most = MAX(most, (own ? 2U : 0U) + (cfg_is_worse(moved, p->better) ? 2U : 1U));
    }
    return most;
}

/* Of the results of a commit, newest first, the one that counts: measuring it again takes back
 * nothing that an earlier one told. undecided: out, one is to be measured again */
static json_t *result_of(const json_t *results, bool *undecided) {
    json_t *told = json_array_get(results, 0), *one;
    size_t i;
    *undecided = false;
    json_array_foreach (results, i, one) {
        *undecided = *undecided || has(one, "suspect");
        if (weight_of(one) > weight_of(told))
            told = one;
    }
    return json_incref(told);
}

/* Where each stands among the nights. */
static json_t *ends_of(const json_t *results) {
    json_t *ends = json_array(), *one;
    size_t i;
    json_array_foreach (results, i, one)
        json_array_append_new(ends, json_pack("{s:O*,s:O*,s:O*}", "commit",
                                              json_object_get(one, "commit"), "night",
                                              json_object_get(one, "night"), "experiment",
                                              json_object_get(one, "experiment")));
    return ends;
}

/* Until the commit has been measured and judged, or the time is up. Its results become "results".
 */
static json_t *night_of(ci_client *client, const char *project, const char *commit, gint timeout_s,
                        GError **error) {
    const gint64 end = g_get_monotonic_time() + (gint64)timeout_s * G_USEC_PER_SEC;
    for (;;) {
        g_autoptr(GError) wrong = NULL;
        json_auto_t *found = ci_client_nights(client, project, 0, commit, &wrong);
        bool undecided; /* it is to be measured again */
        json_t *night = result_of(found, &undecided);
        if (night && !undecided) {
            json_object_set_new(night, "results", ends_of(found));
            return night;
        }
        json_decref(night);
        const gint64 left = end - g_get_monotonic_time();
        json_t *searched = left <= 0 && !undecided && !wrong
                               ? night_of_search(client, project, commit, &wrong)
                               : NULL;
        if (searched)
            return searched;
        if (wrong && (left <= 0 || ci_client_refused(client))) {
            g_propagate_error(error, g_steal_pointer(&wrong));
            return NULL;
        }
        if (left <= 0) {
            g_set_error(error, CI_ERROR, CI_ERROR_TIMEOUT,
                        undecided
                            ? "commit %s of %s is to be measured again, to confirm a change; "
                              "--timeout waits for it"
                            : "commit %s of %s has not been measured; moowatch submit asks for it",
                        commit, project);
            return NULL;
        }
        g_usleep((gulong)MIN(left, 5 * G_USEC_PER_SEC));
    }
}

/* untold: its "began" is what no alert has told yet. A false alert has told, of no change; of one
 * that was withdrawn the server says nothing there. */
static void strike(cfg_night *untold, const cfg_alert *alert) {
    for (unsigned k = 0; k < alert->portions_count; k++)
        for (unsigned i = untold->began_count; is_of_time(&alert->portions[k]) && i-- > 0;)
            if (cfg_is(untold->began[i].configuration, alert->portions[k].configuration)) {
                model_clear(model_noun_of(&cfg_night_model, "began"), &untold->began[i]);
                untold->began[i] = untold->began[--untold->began_count];
            }
}

/* The commit that the alert's search found. Borrowed; NULL: none. */
static const cfg_commit *found_by(const cfg_alert *alert) {
    return alert->search && alert->search->culprit && alert->search->culprit->sha
               ? alert->search->culprit
               : NULL;
}

/* Why nobody knows whose change a part of the alert is, wherever it is dated to; NULL: it may be
 * known. Owned. */
static char *nobodys(const cfg_alert *alert, const cfg_change *part) {
    const cfg_commit *by = found_by(alert);
    const int64_t left = cfg_alert_left(alert);
    if (alert->moved && !cfg_alert_culprit(alert))
        return g_strconcat("was ", alert->moved, NULL);
    if (alert->slow)
        return slow_words("");
    if (!cfg_alert_is_searched(alert, part))
        return g_strdup_printf("came with an unknown commit; the search is of %s alone",
                               alert->search->of ? alert->search->of : "another one");
    if (by && alert->search->partly)
        return g_strdup_printf(
            "came with %.9s%s in part; it is not known whether this one brought some, too", by->sha,
            alert->search->rest ? "" : ", perhaps");
    if (by || (left <= 1 && (left == 1 || alert->nights <= 1)))
        return NULL;
    return g_strdup_printf("came with %s of %s%" G_GINT64_FORMAT " %s; %s",
                           alert->search && alert->search->rest ? "some" : "one",
                           left ? "" : "the commits of ", left ? left : alert->nights,
                           left ? "commits" : "nights", web_which_words(alert));
}

static const char *sha_of(const json_t *night) {
    return json_string_value(cfg_json_at(night, "commit.sha"));
}

/* May what got worse be this commit's, though its own night did not say so? */
static bool may_be(const json_t *portion, const char *direction) {
    const char *verdict = cfg_json_word(portion, "verdict", "");
    return (cfg_is(verdict, "ok") || cfg_is(verdict, "cleared")) &&
           cfg_is_worse(direction, cfg_json_word(portion, "better", NULL));
}

/* Was the change's commit found among those before the night's own, or does nobody know it? Then
 * that is told of it; what came with another one in part may be this one's, too. begins: with this
 * commit; else it is one of those that may have done it. did: a search has found it. */
static bool tell_other(json_t *night, const cfg_alert *alert, const cfg_change *part, bool begins,
                       bool did) {
    const cfg_commit *by = found_by(alert);
    g_autofree char *unknown = nobodys(alert, part);
    const bool searched = cfg_alert_is_searched(alert, part);
    const bool own = did && searched && !alert->slow && (!alert->moved || cfg_alert_culprit(alert));
    const bool other = searched && cfg_alert_acquits(alert, sha_of(night));
    size_t i;
    json_t *portion;
    if (own || (begins ? !unknown && !by && !other : !unknown || other))
        return false;
    g_autofree char *why =
        unknown && !other ? g_strdup(unknown)
        : !by && cfg_alert_was_before(alert, sha_of(night))
            ? g_strdup_printf("came later: on %s this commit was measured without it",
                              alert->from->night)
            : g_strdup_printf("came with %.9s, not with this commit", by ? by->sha : "another");
    cfg_json_each (night, "portions", i, portion) {
        if (!cfg_is(part->configuration, cfg_json_word(portion, "configuration", "-")) ||
            (!begins && !may_be(portion, part->direction)))
            continue;
        if (begins)
            tell_numbers(portion, part);
        acquit(night, portion, part->direction, unknown && !other, why);
    }
    return true;
}

/* Does the alert begin with a result of the night's commit? */
static bool begins_with(const cfg_alert *alert, const json_t *night) {
    size_t i;
    json_t *one;
    cfg_json_each (night, "results", i, one)
        if (cfg_json_integer(one, "experiment") == alert->to.experiment)
            return alert->to.experiment != 0;
    return false;
}

/* Is the night after the last one that was as before, and up to the first that surely was not? An
 * alert that somebody moved has but its own. */
static bool is_within(const cfg_alert *alert, const cfg_night *night) {
    return alert->from && !alert->moved && cfg_alert_order(night, alert->from) > 0 &&
           cfg_alert_order(night, cfg_alert_end(alert)) <= 0;
}

/* What alerts say of the night, into its portions and "where". */
typedef struct {
    json_t *night, *where;
    cfg_night *untold;
    const cfg_night *first; /* result of its commit: that brought no change of before or after */
    bool found;             /* an alert of the night */
} telling;

/* own: it begins with the night's commit, or a search has found that (did). */
static void tell_parts(const telling *to, const cfg_alert *alert, bool own, bool did) {
    unsigned told = 0, others = 0;
    for (unsigned k = 0; k < alert->portions_count; k++) {
        const cfg_change *part = &alert->portions[k];
        if (is_of_time(part) && tell_other(to->night, alert, part, own, did)) {
            others++;
        } else if (is_of_time(part) && own) {
            tell_part(to->night, alert, part, did ? sha_of(to->night) : NULL);
            told++;
        }
    }
    if (told > 0 || (own && others == 0))
        add_sentences(to->where, alert);
}

static bool add_page(void *user, const json_t *page) {
    telling *to = user;
    json_t *item;
    size_t i;
    cfg_json_each (page, "items", i, item) {
        g_auto(cfg_alert) alert = cfg_alert_of(item);
        const char *sha = sha_of(to->night);
        const bool begins = begins_with(&alert, to->night);
        const bool did = sha && cfg_alert_is_named(&alert, sha);
        const bool own = begins || did;
        to->found = to->found || begins;
        if ((own || is_within(&alert, to->untold)) && !cfg_is(alert.state, "withdrawn"))
            strike(to->untold, &alert);
        if (!is_void(&alert) && (own || is_within(&alert, to->first)))
            tell_parts(to, &alert, own, did);
    }
    return to->found && to->untold->began_count == 0 && has(to->night, "anomaly");
}

/* The commit is judged by what is known now: a later night may have raised an alert that is dated
 * to it. The night gets in "where" what profiles say of its changes; the verdict does not hang on
 * that, so of a commit that fails without them the server need not answer; where an alert begins
 * here it must be found. */
static bool add_alerts(ci_client *client, const char *project, json_t *night, cfg_night *untold,
                       GError **error) {
    const bool needed = untold->began_count > 0 || !has(night, "anomaly");
    g_autofree char *list = alerts_of(project);
    const json_t *results = json_object_get(night, "results"); /* newest first */
    g_auto(cfg_night) first = cfg_night_of(json_array_get(results, json_array_size(results) - 1));
    telling to = {night, json_array(), untold, &first, false};
    json_object_set_new(night, "where", to.where);
    if (!ci_client_pages(client, list, add_page, &to, needed ? error : NULL))
        return !needed;
    if (untold->began_count == 0)
        return true;
    g_set_error(error, CI_ERROR, CI_ERROR_SERVER,
                "the server has no alert for a change that began with it; ask again");
    return false;
}

/* What the project sets limits to stands in the experiment alone. */
static bool add_limits(ci_client *client, json_t *night, GError **error) {
    const json_int_t experiment = cfg_json_integer(night, "experiment");
    if (experiment == 0)
        return true;
    json_auto_t *whole = ci_client_experiment(client, experiment, error);
    json_object_set(night, "limits", json_object_get(whole, "limits"));
    return whole != NULL;
}

/* The night as it is to be judged. */
static bool complete(ci_client *client, const char *project, json_t *night, GError **error) {
    g_auto(cfg_night) untold = cfg_night_of(night);
    tell_earlier(night);
    return untold.experiment == 0 || add_alerts(client, project, night, &untold, error);
}

/* The files are headed by what the gate says, not by what stood out of the night. */
static ci_exit gate(json_t *night, const ci_policy *policy, const ci_outputs *outputs, bool json,
                    const char *project, GError **error) {
    const char *state = cfg_json_word(night, "state", "?");
    if (!g_str_equal(state, "measured")) {
        if (!ci_outputs_write(outputs, project, night, NULL, error))
            return CI_INPUT;
        ci_wrong(error, "the night is %s: %s", state,
                 cfg_json_word(night, "reason", "no reason given"));
        return CI_INPUT;
    }
    json_auto_t *verdict = ci_policy_judge(policy, night, error);
    if (!verdict)
        return CI_USAGE;
    const char *word = cfg_json_word(verdict, "verdict", "unsure");
    const ci_exit exit = g_str_equal(word, "pass")   ? CI_OK
                         : g_str_equal(word, "fail") ? CI_FOUND
                                                     : CI_UNSURE;
    const char *said = exit == CI_UNSURE ? "cannot tell" : word;
    g_autofree char *sentence = cfg_shown(cfg_json_word(verdict, "sentence", ""));
    g_autofree char *headline = g_strdup_printf("%s: %s", said, sentence);
    json_object_set_new(night, "headline", json_string(headline));
    json_object_set(night, "failed", json_object_get(verdict, "failed")); /* for JUnit */
    json_object_set(night, "unsure", json_object_get(verdict, "unsure"));
    if (policy->portions)
        json_object_set_new(night, "asked", cfg_json_texts(policy->portions, SIZE_MAX));
    if (!ci_outputs_write(outputs, project, night, NULL, error))
        return CI_INPUT;
    if (json)
        ci_print_json(verdict);
    else
        (void)printf("%s: %s: %s\n", said, project, sentence);
    return exit;
}

static const ci_usage usage = {
    .synopsis = "gate PROJECT COMMIT",
    .description = "Exit status 1 if a portion rose with the commit by more than the policy "
                   "allows, 6 if that\ncannot be decided. With --against-merge-base: 1 if a "
                   "portion is slower than at the merge\nbase, 6 if that cannot be decided.",
    .least = 2,
    .most = 2};

/* The answer that is told of pull requests; --allow is the project's pull_requests.percent there.
 */
static ci_exit gate_pull(ci_client *client, const char *project, const char *commit, gint timeout_s,
                         const ci_policy *policy, bool json, GError **error) {
    const json_int_t number = ci_pull_find(client, project, commit, error);
    json_auto_t *pull =
        number != 0 ? ci_pull_wait(client, number, (unsigned)MAX(timeout_s, 0), error) : NULL;
    return pull ? ci_pull_gate(pull, policy, json, error) : CI_INPUT;
}

/* A pull request has its own percent, and no night to write. */
static bool fits_pull(const ci_policy_options *wanted, const ci_outputs *o, GError **error) {
    if (!wanted->allow && !o->markdown && !o->junit && !o->plot_csv && !o->html && !o->chart)
        return true;
    return ci_misused(
        error, "--against-merge-base: leave out --allow, --markdown, --junit, --plot-csv, --html "
               "and --chart, which are about a night");
}

/* Without a result the tests are not those of an earlier one: one is there, and is an error. */
static void write_missing(const ci_outputs *outputs, const char *project, const char *why) {
    const ci_outputs junit = {.junit = outputs->junit};
    g_autofree char *shown = cfg_shown(why);
    json_auto_t *night = json_pack("{s:s,s:s}", "state", "missing", "reason", shown);
    g_autoptr(GError) error = NULL;
    if (!ci_outputs_write(&junit, project, night, NULL, &error))
        (void)ci_fail("gate", error);
}

static ci_exit run_gate(int argc, char **argv, GError **error) {
    gboolean json = FALSE, merge_base = FALSE;
    gint timeout_s = 0;
    ci_policy_options wanted = {0};
    g_auto(ci_policy) policy = {0};
    ci_outputs outputs = {0};
    ci_client_options options = {0};
    const GOptionEntry entries[] = {
        CI_POLICY_ENTRIES(wanted),
        {"timeout", 't', 0, G_OPTION_ARG_INT, &timeout_s,
         "Wait up to S seconds for the commit's measurement", "S"},
        CI_FLAG("against-merge-base", &merge_base,
                "Gate on the commit's pull-request measurement instead of its nightly result"),
        CI_FLAG("json", &json, "Print one JSON object"),
        CI_OUTPUTS_ENTRIES(outputs),
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(ci_client) client = NULL;
    g_autofree char *commit = NULL;
    json_auto_t *night = NULL;
    ci_exit exit = CI_OK;
    if (ci_parse(&usage, entries, &argc, &argv, error) && ci_policy_init(&policy, &wanted, error) &&
        (!merge_base || fits_pull(&wanted, &outputs, error)) &&
        (commit = ci_revision_given(argv[2], error)))
        client = ci_client_new(&options, error);
    if (client && merge_base)
        exit = gate_pull(client, argv[1], commit, timeout_s, &policy, json, error);
    else if (client)
        night = night_of(client, argv[1], commit, timeout_s, error);
    if (night && complete(client, argv[1], night, error) && add_limits(client, night, error))
        exit = gate(night, &policy, &outputs, json, argv[1], error);
    if (*error && client && exit == CI_OK)
        write_missing(&outputs, argv[1], (*error)->message);
    return exit;
}

const ci_command ci_command_gate = {"gate", "pass or fail a commit by its portions", run_gate};
