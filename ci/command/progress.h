#pragma once
/* progress - a bar on a terminal's stderr; nothing in a pipe. */
#include <glib.h>

/** ci_progress - done of total; user is the text in front (char *). Drawn at most every 100 ms. */
void ci_progress(guint done, guint total, void *user);
/** ci_progress_words - words in place of the bar. */
void ci_progress_words(const char *words);
/** ci_progress_end - take the bar away. */
void ci_progress_end(void);
