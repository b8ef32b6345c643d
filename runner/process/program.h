#pragma once
/*
 * program - which file a command's first word means.
 */

/**
 * run_program_find - as execvp would, but in the PATH of `environment` ("NAME=value", NULL at the
 * end; without one the usual folders) and below `directory` where the name has a slash.
 * Folders of the PATH that are not absolute are left out. Returns a path to g_free, NULL when there
 * is no such file; one named with a slash may still not be executable.
 */
char *run_program_find(const char *name, const char *directory, char *const *environment);
