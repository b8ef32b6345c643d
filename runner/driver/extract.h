#pragma once
/*
 * extract - values in a text, by a PCRE2 pattern with the named groups value, unit and name.
 *
 * The text is untrusted and the pattern may be clumsy: every match has an upper bound of work
 * (match_limit, as PCRE2 counts it), and all matches of a text together have a time limit.
 */
#include "runner/driver/values.h"

#include <stdint.h>

typedef struct {
    const char *pattern;
    const char *unit; /* where the pattern has no group unit, or it did not take part */
    bool whole;       /* the text at once; false: line by line, each line alone */
    uint32_t match_limit;
    unsigned timeout_s;
} run_extract_rule;

/**
 * run_extract_check - whether the pattern can be used.
 * Returns false with RUN_ERROR_JOB: does not compile (with the offset), no group value.
 */
bool run_extract_check(const run_extract_rule *rule, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_extract - adds every match of the text.
 * text  valid UTF-8, length bytes
 * Returns false with RUN_ERROR_JOB that names pattern and line: no match, no number, limits.
 */
bool run_extract(const run_extract_rule *rule, const char *text, size_t length, run_values *values,
                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
