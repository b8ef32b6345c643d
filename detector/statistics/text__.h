#pragma once
/*
 * text__ - sentences with numbers as people read them, whatever the locale says. Not installed.
 *
 * A sentence grows piece by piece, several times as fast as snprintf does it: one is written for
 * every portion and night. What does not fit is cut off; it always ends in a zero.
 */
#include <stddef.h>

typedef struct {
    char *at, *end; /* where the next character goes; the last place, which stays for the zero */
} det__line;

/** det__line_of - an empty line in text [size], size > 0. */
det__line det__line_of(char *text, size_t size);
void det__put(det__line *line, const char *text);
void det__put_count(det__line *line, unsigned long long count);
/** det__put_number - three significant digits. */
void det__put_number(det__line *line, double value);
/** det__put_duration - "203 ns", "1.45 µs"; det__put_signed_duration: with + or -. */
void det__put_duration(det__line *line, double ns);
void det__put_signed_duration(det__line *line, double ns);
