#include "ci/formats/policy.h"

#include "ci/formats/night.h"
#include "ci/formats/write.h"
#include "config/limits.h"
#include "web/layout/text.h"
#include "web/words/words.h"

#include <math.h>
#include <string.h>

void ci_policy_clear(ci_policy *policy) {
    g_clear_pointer(&policy->portions, g_strfreev);
    g_clear_pointer(&policy->allow, g_hash_table_unref);
}

bool ci_policy_init(ci_policy *policy, const ci_policy_options *options, GError **error) {
    policy->both = options->both;
    policy->strict = options->strict;
    policy->portions = g_strdupv(options->portions);
    policy->allow = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; options->allow && options->allow[i]; i++) {
        const char *equals = strrchr(options->allow[i], '='); /* names have some, too */
        char *end = NULL;
        const double percent = equals ? g_ascii_strtod(equals + 1, &end) : -1;
        if (!equals || equals == options->allow[i] || end == equals + 1 || *end ||
            !(percent >= 0) || !isfinite(percent))
            return ci_misused(error, "--allow %s: must read NAME=PERCENT, such as W=10",
                              options->allow[i]);
        g_hash_table_replace(policy->allow,
                             g_strndup(options->allow[i], (gsize)(equals - options->allow[i])),
                             g_memdup2(&percent, sizeof percent));
    }
    return true;
}

static const char *name_of(const cfg_portion *portion) {
    return portion->portion ? portion->portion : "?";
}

/* Where nothing stands on the control it is what somebody wants to know. */
bool ci_policy_wants(const ci_policy *policy, const char *portion, const char *configuration,
                     size_t of) {
    const char *const *names = (const char *const *)policy->portions;
    return names ? g_strv_contains(names, portion) ||
                       (configuration && g_strv_contains(names, configuration))
                 : of == 1 || !g_str_equal(portion, "T");
}

static bool wants(const ci_policy *policy, const cfg_night *night, const cfg_portion *portion) {
    return ci_policy_wants(policy, name_of(portion), portion->configuration, night->portions_count);
}

/* What is said of its configuration goes before what is said of all portions of its name. */
static const double *allowed_of(const ci_policy *policy, const cfg_portion *portion) {
    const char *configuration = portion->configuration;
    const double *own = configuration ? g_hash_table_lookup(policy->allow, configuration) : NULL;
    return own ? own : g_hash_table_lookup(policy->allow, name_of(portion));
}

static bool is_unusable(const cfg_portion *portion) {
    return cfg_is(portion->verdict, "environment") || cfg_is(portion->verdict, "harness");
}

static bool fails(const ci_policy *policy, const cfg_portion *portion) {
    if (policy->strict && is_unusable(portion))
        return true;
    if (!cfg_is(portion->verdict, "anomaly") || portion->accepted_in_advance ||
        (!policy->both && !cfg_is_worse(portion->direction, portion->better)))
        return false;
    const double *allowed = allowed_of(policy, portion);
    const double percent = fabs(100 * portion->difference.mean / fabs(portion->reference.mean));
    return !(allowed && isfinite(percent) && percent <= *allowed);
}

/* Why nobody can say whether a portion changed, owned; NULL: it can be said. The control, too, has
 * to be seen by who asks for it. */
static char *unsure_why(const cfg_night *night, const cfg_portion *portion) {
    char *why = web_unclear_reason(night, portion);
    return why ? why : web_blind_words(night, portion);
}

static bool has_name(const json_t *portions, const char *name) {
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion)
        if (g_str_equal(cfg_json_word(portion, "portion", ""), name) ||
            g_str_equal(cfg_json_word(portion, "configuration", ""), name))
            return true;
    return false;
}

/* Of what they have there each once, "T, I, W"; "": nothing. Owned. */
static char *listed(const json_t *portions, const char *key) {
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion) {
        const char *name = cfg_json_word(portion, key, NULL);
        if (name && !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            g_ptr_array_add(names, g_strdup(name));
    }
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)(void *)names->pdata);
}

static bool all_known(char *const *names, const json_t *portions, GError **error) {
    for (; names && *names; names++)
        if (!has_name(portions, *names)) {
            g_autofree char *known = listed(portions, "portion");
            g_autofree char *by = listed(portions, "configuration");
            return ci_misused(error, "it has no portion \"%s\"; it has %s%s%s", *names, known,
                              *by ? "; by configuration " : "", by);
        }
    return true;
}

bool ci_policy_fits(const ci_policy *policy, const json_t *portions, GError **error) {
    g_autofree char **allowed = (char **)g_hash_table_get_keys_as_array(policy->allow, NULL);
    return all_known(policy->portions, portions, error) && all_known(allowed, portions, error);
}

/* Is it told of how far it is from the nights before, though it passes? Somebody said that this is
 * no change, or it is less than is told. */
static bool was_seen(const cfg_portion *portion) {
    return cfg_portion_is_denied(portion) || cfg_portion_is_small(portion);
}

/* "a change of I by 5.0 ns or C by 7.5 ns would have been seen"; nothing where it is not known, or
 * where something changed, with this commit or another: that is told, and the widths are of both.
 */
static void append_visible(GString *to, const ci_policy *policy, const cfg_night *night) {
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *p = &night->portions[i];
        const double ns = cfg_portion_visible(p);
        if (!wants(policy, night, p) || !isfinite(ns) || was_seen(p) ||
            cfg_is(p->verdict, "anomaly") || cfg_is(p->rule, "not-this-commit") ||
            cfg_is(p->rule, "commit-unknown"))
            continue;
        g_autofree char *size = web_format_value(ns, det_gap_unit(p->unit));
        g_autofree char *name = cfg_portion_name(night, p);
        g_ptr_array_add(parts, g_strdup_printf("%s by %s", name, size));
    }
    for (guint n = 0; n < parts->len; n++)
        g_string_append_printf(to, "%s%s",
                               n == 0               ? "; a change of "
                               : n + 1 < parts->len ? ", "
                                                    : " or ",
                               (const char *)parts->pdata[n]);
    if (parts->len > 0)
        g_string_append(to, " would have been seen");
}

/* "; I +17.18 ns: admin answered that nothing changed: only imports were sorted". */
static void append_seen(GString *to, const ci_policy *policy, const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *p = &night->portions[i];
        if (!was_seen(p) || !wants(policy, night, p))
            continue;
        g_autofree char *name = cfg_portion_name(night, p);
        g_autofree char *size = web_format_value(p->difference.mean, det_gap_unit(p->unit));
        g_string_append_printf(to, "; %s %s%s: %s", name, p->difference.mean > 0 ? "+" : "", size,
                               p->reason ? p->reason : "no reason given");
    }
}

static void append_reason(GString *to, const char *reason) {
    if (!strstr(to->str, reason)) /* several portions have the same */
        g_string_append_printf(to, "%s%s", to->len ? "; " : "", reason);
}

json_t *ci_policy_verdict(const ci_policy *policy, const cfg_night *night, const json_t *json) {
    const json_t *portions = json_object_get(json, "portions");
    json_t *failed = json_array(), *unsure = json_array();
    g_autoptr(GString) bad = g_string_new(NULL), doubt = g_string_new(NULL);
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *p = &night->portions[i];
        g_autofree char *why = unsure_why(night, p);
        const bool wanted = wants(policy, night, p);
        if (!wanted && !cfg_is(p->rule, "control-moved"))
            continue;
        if (wanted && fails(policy, p)) {
            json_array_append(failed, json_array_get(portions, i));
            append_reason(bad, p->reason ? p->reason : name_of(p));
        } else if (why) {
            json_array_append(unsure, json_array_get(portions, i));
            append_reason(doubt, why);
        }
    }
    for (unsigned i = 0; i < night->limits_count; i++)
        if (cfg_limit_broken(&night->limits[i]) || cfg_is(night->limits[i].state, "unsure"))
            append_reason(cfg_limit_broken(&night->limits[i]) ? bad : doubt,
                          night->limits[i].sentence);
    const char *verdict = bad->len ? "fail" : doubt->len ? "unsure" : "pass";
    GString *told = bad->len ? bad : doubt;
    if (!told->len) {
        g_autofree char *headline = ci_headline(json);
        g_string_assign(told, headline);
        append_seen(told, policy, night);
        append_visible(told, policy, night);
    }
    if (night->lost) /* of another headline than the night's own, too */
        append_reason(told, night->lost);
    if (night->disturbed)
        g_string_append_printf(told, "; %s", night->disturbed);
    return json_pack("{s:b,s:s,s:s,s:o,s:o}", "pass", g_str_equal(verdict, "pass"), "verdict",
                     verdict, "sentence", told->str, "failed", failed, "unsure", unsure);
}

json_t *ci_policy_judge(const ci_policy *policy, const json_t *json, GError **error) {
    cfg_night night;
    if (!model_read(&cfg_night_model, json, &night, error))
        return NULL;
    json_t *verdict = ci_policy_fits(policy, json_object_get(json, "portions"), error)
                          ? ci_policy_verdict(policy, &night, json)
                          : NULL;
    cfg_night_clear(&night);
    return verdict;
}
