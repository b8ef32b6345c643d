#pragma once
/*
 * lines - a project's nights as the server's list has them, each read only when it is asked for:
 * of a thousand nights all but the newest few are as they were, and telling that from their text
 * takes a tenth of the time of reading it.
 *
 * Memory: the answers' texts, and what was read of them.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/* What a list's end and a month are found by. */
typedef struct {
    char month[8];         /* "2026-02"; "0000-00": its date is not known */
    json_int_t experiment; /* 0: none */
    bool measured;         /* its experiment is one that the next one names */
} ci_site_line;

typedef struct ci_site_lines ci_site_lines;

ci_site_lines *ci_site_lines_new(void);
void ci_site_lines_free(ci_site_lines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ci_site_lines, ci_site_lines_free)

/**
 * ci_site_lines_add - the lines of one more answer, {"items": […], "next": …}, behind the others.
 * next  where the list goes on; owned, NULL: nowhere
 * false with error (CI_ERROR_INPUT): it is no such answer.
 */
bool ci_site_lines_add(ci_site_lines *lines, GBytes *answer, char **next,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

size_t ci_site_lines_count(const ci_site_lines *lines);

/** ci_site_lines_at - borrowed; NULL behind the last. */
const ci_site_line *ci_site_lines_at(const ci_site_lines *lines, size_t at);

/** ci_site_lines_digest - of the text of those from one up to another, that not included; owned. */
char *ci_site_lines_digest(const ci_site_lines *lines, size_t from, size_t to);

/**
 * ci_site_lines_read - as JSON with CI_SITE_DIGITS digits, the same object each time; borrowed.
 * NULL with error (CI_ERROR_INPUT): it is none.
 */
json_t *ci_site_lines_read(ci_site_lines *lines, size_t at,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_site_lines_forget - what was read of those from one up to another, that not included; read
 * again when asked for. Thousands that stay between what comes and goes make the heap slow.
 */
void ci_site_lines_forget(ci_site_lines *lines, size_t from, size_t to);
