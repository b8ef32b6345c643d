#include "ci/formats/policy.h"

#include "ci/command/table.h"
#include "ci/formats/night.h"
#include "ci/formats/write.h"

#include <math.h>
#include <string.h>

void ci_policy_options_clear(ci_policy_options *o) {
    g_strfreev(o->portions);
    g_strfreev(o->allow);
}

void ci_policy_clear(ci_policy *policy) {
    g_clear_pointer(&policy->portions, g_hash_table_unref);
    g_clear_pointer(&policy->allow, g_hash_table_unref);
}

bool ci_policy_init(ci_policy *policy, const ci_policy_options *options, GError **error) {
    policy->both = options->both;
    policy->strict = options->strict;
    if (options->portions)
        policy->portions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; options->portions && options->portions[i]; i++)
        g_hash_table_add(policy->portions, g_strdup(options->portions[i]));
    policy->allow = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; options->allow && options->allow[i]; i++) {
        const char *equals = strchr(options->allow[i], '=');
        char *end = NULL;
        const double percent = equals ? g_ascii_strtod(equals + 1, &end) : -1;
        if (!equals || equals == options->allow[i] || end == equals + 1 || *end ||
            !(percent >= 0) || !isfinite(percent)) {
            g_set_error(error, CI_ERROR, CI_ERROR_USAGE,
                        "--allow %s: must read NAME=PERCENT, such as W=10", options->allow[i]);
            return false;
        }
        g_hash_table_replace(policy->allow,
                             g_strndup(options->allow[i], (gsize)(equals - options->allow[i])),
                             g_memdup2(&percent, sizeof percent));
    }
    return true;
}

static bool matters(const ci_policy *policy, const json_t *portion) {
    const char *name = ci_json_text(portion, "portion", "");
    return policy->portions ? g_hash_table_contains(policy->portions, name)
                            : !g_str_equal(name, "T");
}

static double percent_of(const json_t *portion) {
    const json_t *difference = json_object_get(portion, "difference");
    return 100 * ci_json_real(difference, "mean_ns") /
           fabs(ci_json_real(json_object_get(portion, "reference"), "mean_ns"));
}

static bool fails(const ci_policy *policy, const json_t *portion) {
    const char *verdict = ci_json_text(portion, "verdict", "");
    if (policy->strict && (g_str_equal(verdict, "environment") || g_str_equal(verdict, "harness")))
        return true;
    if (!ci_portion_changed(portion, policy->both ? NULL : "up"))
        return false;
    const double *allowed =
        g_hash_table_lookup(policy->allow, ci_json_text(portion, "portion", ""));
    const double percent = fabs(percent_of(portion));
    return !(allowed && isfinite(percent) && percent <= *allowed);
}

/* The smallest change of a portion that its night would have shown, in ns: where the judged
 * interval and the reference's part. NaN: not known. */
static double visible_ns(const json_t *portion) {
    const json_t *judged = json_object_get(portion, "judged");
    const json_t *reference = json_object_get(portion, "reference");
    return (ci_json_real(judged, "high_ns") - ci_json_real(judged, "low_ns") +
            ci_json_real(reference, "high_ns") - ci_json_real(reference, "low_ns")) /
           2;
}

/* Why nobody can say whether a portion changed; NULL: it can be said. */
static const char *unsure_why(const json_t *portion) {
    const char *verdict = ci_json_text(portion, "verdict", "");
    if (g_str_equal(verdict, "environment") || g_str_equal(verdict, "harness") ||
        g_str_equal(verdict, "suspect") ||
        g_str_equal(ci_json_text(portion, "rule", ""), "pending"))
        return ci_json_text(portion, "reason", ci_json_text(portion, "portion", "?"));
    const double level = ci_json_real(json_object_get(portion, "reference"), "mean_ns");
    return visible_ns(portion) > fabs(level) ? "less than a doubling could not have been seen"
                                             : NULL;
}

/* A misspelt portion must not pass for one that did not change. */
static bool all_known(GHashTable *names, const json_t *night, GError **error) {
    GHashTableIter each;
    gpointer name;
    if (!names)
        return true;
    g_hash_table_iter_init(&each, names);
    while (g_hash_table_iter_next(&each, &name, NULL)) {
        bool found = false;
        size_t i;
        json_t *p;
        json_array_foreach (json_object_get(night, "portions"), i, p)
            found |= g_str_equal(ci_json_text(p, "portion", ""), name);
        if (!found) {
            g_set_error(error, CI_ERROR, CI_ERROR_USAGE, "the night has no portion \"%s\"",
                        (const char *)name);
            return false;
        }
    }
    return true;
}

/* "a change of I by 5.0 ns or C by 7.5 ns would have been seen"; nothing where it is not known. */
static void append_visible(GString *to, const ci_policy *policy, const json_t *night) {
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p) {
        const double ns = visible_ns(p);
        if (!matters(policy, p) || !isfinite(ns))
            continue;
        g_autofree char *size = ci_ns(ns);
        g_ptr_array_add(parts,
                        g_strdup_printf("%s by %s ns", ci_json_text(p, "portion", "?"), size));
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

static void append_reason(GString *to, const char *reason) {
    g_string_append_printf(to, "%s%s", to->len ? "; " : "", reason);
}

json_t *ci_policy_judge(const ci_policy *policy, const json_t *night, GError **error) {
    if (!all_known(policy->portions, night, error) || !all_known(policy->allow, night, error))
        return NULL;
    json_t *failed = json_array(), *unsure = json_array();
    g_autoptr(GString) bad = g_string_new(NULL), doubt = g_string_new(NULL);
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p) {
        const char *why = unsure_why(p);
        if (!matters(policy, p))
            continue;
        if (fails(policy, p)) {
            json_array_append(failed, p);
            append_reason(bad, ci_json_text(p, "reason", ci_json_text(p, "portion", "?")));
        } else if (why) {
            json_array_append(unsure, p);
            append_reason(doubt, why);
        }
    }
    const char *verdict = bad->len ? "fail" : doubt->len ? "unsure" : "pass";
    GString *told = bad->len ? bad : doubt;
    if (!told->len) {
        g_autofree char *headline = ci_headline(night);
        g_string_assign(told, headline);
        append_visible(told, policy, night);
    }
    return json_pack("{s:b,s:s,s:s,s:o,s:o}", "pass", g_str_equal(verdict, "pass"), "verdict",
                     verdict, "sentence", told->str, "failed", failed, "unsure", unsure);
}
