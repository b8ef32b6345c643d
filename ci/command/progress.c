#include "ci/command/progress.h"

#include <stdio.h>
#include <unistd.h>

#define WIDTH 30

static gint64 drawn_us; /* 0: nothing on the screen */

void ci_progress(guint done, guint total, void *user) {
    const gint64 now = g_get_monotonic_time();
    if (!total || !isatty(STDERR_FILENO) || (drawn_us && done < total && now - drawn_us < 100000))
        return;
    drawn_us = now;
    const int full = (int)((guint64)WIDTH * done / total);
    (void)fprintf(stderr, "\r\033[K%s [", (const char *)user);
    for (int i = 0; i < WIDTH; i++)
        (void)fputc(i < full ? '#' : '.', stderr);
    (void)fprintf(stderr, "] %u/%u", done, total);
    (void)fflush(stderr);
}

void ci_progress_words(const char *words) {
    if (!isatty(STDERR_FILENO))
        return;
    drawn_us = g_get_monotonic_time();
    (void)fprintf(stderr, "\r\033[K%s", words);
    (void)fflush(stderr);
}

void ci_progress_end(void) {
    if (drawn_us)
        (void)fputs("\r\033[K", stderr);
    drawn_us = 0;
}
