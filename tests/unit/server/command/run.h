#pragma once
/* run - a command of moowatchd as an operator calls it, and what it prints. */
#include "tests/unit/test.h"

#include <glib.h>
#include <stdio.h>
#include <unistd.h>

/* Runs it with these words, and the configuration; said: what it prints, the caller's. */
static inline int run_command(int (*command)(int, char **), const char *config, const char *words,
                              char **said) {
    g_autofree char *line = g_strdup_printf("%s --config %s", words, config);
    g_auto(GStrv) own = g_strsplit(line, " ", -1);
    /* GOption moves them about */
    g_autofree char **argv = g_memdup2(own, (g_strv_length(own) + 1) * sizeof *own);
    FILE *file = tmpfile();
    char text[4096];
    const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    (void)fflush(stdout);
    assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    const int status = command((int)g_strv_length(own), argv);
    (void)fflush(stdout);
    assert_true(dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0);
    close(out);
    close(err);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    *said = g_strdup(text);
    return status;
}
