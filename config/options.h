#pragma once
/* options - what a command line gives: read once, and the program's until it ends. */
#include <glib.h>

/** cfg_kept - a text, or a list of them, that is the program's from now on. NULL is fine; returns
 * it. Main thread only. */
void *cfg_kept(void *texts);

/** cfg_options_keep - cfg_kept of all texts that a table of options has stored. */
void cfg_options_keep(const GOptionEntry *entries);
