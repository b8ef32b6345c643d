#pragma once
/*
 * complaint - the line of a log in which a program says why it failed. Most say it last; a JVM
 * prints a stack below, Node.js its version, Maven and npm where to read more, make that it failed.
 */
#include "runner/process/process.h"

/* run_complaint_of - that line, shortened; "" when nothing was said. To g_free.
 * log  NULL: it printed nothing */
char *run_complaint_of(const char *log);

/* run_failure_of - how a process ended and why, as it said; NULL: it ended well. To g_free.
 * aside  said of how it ended; "": nothing is */
char *run_failure_of(const run_process_result *result, const char *aside);
