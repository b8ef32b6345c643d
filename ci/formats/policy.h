#pragma once
/*
 * policy - which changes of a night a pipeline is to stop for.
 *
 * The detector has decided what is a change; the policy decides which changes matter here.
 */
#include "ci/command/command.h"
#include "config/model/night.h"

typedef struct {
    char **portions; /* --portion, repeated: of a portion or its configuration; none: all but the
                        control T */
    char **allow;    /* --allow W=10, likewise: up to so many percent of it may pass */
    gboolean both;   /* --both: a fall stops it, too */
    gboolean strict; /* --strict: so does a suspect machine or measurement */
} ci_policy_options;

#define CI_POLICY_ENTRIES(o)                                                                       \
    CI_STRINGS("portion", &(o).portions,                                                           \
               "Check only this portion, or this configuration's (repeatable; default: all but "   \
               "T)",                                                                               \
               "NAME"),                                                                            \
        CI_STRINGS("allow", &(o).allow, "Allow a change of it by up to P percent (repeatable)",    \
                   "NAME=P"),                                                                      \
        CI_FLAG("both", &(o).both, "Also fail when a portion fell"),                               \
        CI_FLAG("strict", &(o).strict, "Also fail when the machine or the measurement is suspect")

typedef struct {
    GStrv portions;    /* NULL: all but T, where others are */
    GHashTable *allow; /* name to double* */
    bool both, strict;
} ci_policy;

void ci_policy_clear(ci_policy *policy);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ci_policy, ci_policy_clear)

/** ci_policy_init - false with error (CI_ERROR_USAGE): --allow is not NAME=PERCENT. */
bool ci_policy_init(ci_policy *policy, const ci_policy_options *options,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ci_policy_wants - is the portion of this name and this configuration (NULL: not known), one of so
 * many, among those that are judged? */
bool ci_policy_wants(const ci_policy *policy, const char *portion, const char *configuration,
                     size_t of);

/**
 * ci_policy_fits - false with error (CI_ERROR_USAGE): the policy names a portion that is not among
 * these [{"portion","configuration"}], by neither. A misspelt portion must not pass for one that
 * did not change.
 */
bool ci_policy_fits(const ci_policy *policy, const json_t *portions,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_policy_judge - {"pass":bool,"verdict":"pass|fail|unsure","sentence":text,"failed":[portion…],
 * "unsure":[portion…]}, owned by the caller. A portion fails where its change began with this
 * night and no commit had announced it; it is unsure where it is in question, where machine or
 * measurement are (that the control moved is asked of all), or where less than a doubling could not
 * have been seen, unless that is smaller than the project's minimum_effect_ns, or than both the
 * method itself (the level of the one portion without parent) and the largest portion. What passes
 * says which change would have been seen. night measured; borrowed NULL with error
 * (CI_ERROR_USAGE): the policy names a portion the night does not have.
 */
json_t *ci_policy_judge(const ci_policy *policy, const json_t *json,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_policy_verdict - likewise of a night that has all portions which the policy names; json: what
 * it was read from, which fails as it came. */
json_t *ci_policy_verdict(const ci_policy *policy, const cfg_night *night,
                          const json_t *json) G_GNUC_WARN_UNUSED_RESULT;
