#pragma once
/* A command called as main() calls it: its exit status and what it printed. */
#include "tests/unit/ci/expect.h"

#include <stdio.h>
#include <unistd.h>

typedef struct {
    ci_exit exit;
    char *out, *err;
} called;

static inline void called_clear(called *c) {
    g_free(c->out);
    g_free(c->err);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(called, called_clear)

typedef struct {
    FILE *stream, *file;
    int own;
} capture;

/* What is written to the stream from now on goes to a file. */
static inline capture capture_start(FILE *stream) {
    capture c = {stream, tmpfile(), dup(fileno(stream))};
    assert_non_null(c.file);
    (void)fflush(stream);
    assert_true(dup2(fileno(c.file), fileno(stream)) >= 0);
    return c;
}

/* All of it; caller frees. */
static inline char *capture_end(capture c) {
    (void)fflush(c.stream);
    assert_true(dup2(c.own, fileno(c.stream)) >= 0);
    (void)close(c.own);
    const long size = fseek(c.file, 0, SEEK_END) == 0 ? ftell(c.file) : 0;
    char *text = g_malloc0((gsize)size + 1);
    rewind(c.file);
    assert_int_equal(fread(text, 1, (size_t)size, c.file), size);
    (void)fclose(c.file);
    return text;
}

static inline called call_words(ci_exit (*run)(int, char **, GError **), const char *const *words) {
    const ci_command command = {words[0], "", run};
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (; *words; words++)
        g_strv_builder_add(builder, *words);
    g_auto(GStrv) owned = g_strv_builder_end(builder);
    const guint count = g_strv_length(owned);
    g_autofree char **argv = g_memdup2(owned, (count + 1) * sizeof *owned);
    const capture out = capture_start(stdout), err = capture_start(stderr);
    called c = {.exit = ci_call(&command, (int)count, argv)};
    c.err = capture_end(err);
    c.out = capture_end(out);
    return c;
}

/* CALL(ci_command_wait.run, "wait", "7") */
#define CALL(run, ...) call_words((run), (const char *const[]){__VA_ARGS__, NULL})

/* The exit status, and words that stand on standard output and on standard error; "": nothing at
 * all does, NULL: whatever does. */
static inline void expect_called(const called *c, ci_exit exit, const char *out, const char *err) {
    if (c->exit != exit)
        fail_msg("exit status %d, not %d; %s%s", (int)c->exit, (int)exit, c->out, c->err);
    if (out && (*out ? !strstr(c->out, out) : *c->out != '\0'))
        fail_msg("stdout \"%s\" does not say \"%s\"", c->out, out);
    if (err && (*err ? !strstr(c->err, err) : *c->err != '\0'))
        fail_msg("stderr \"%s\" does not say \"%s\"", c->err, err);
}
