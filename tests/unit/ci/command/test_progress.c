/* A bar on a terminal, and nothing at all in a log. */
#include "tests/unit/ci/command/called.h"

#include "ci/command/progress.h"

#include <fcntl.h>
#include <stdlib.h>

static char words[] = "reading x";

static ci_exit half(int argc, char **argv, GError **error) {
    (void)error;
    (void)argc;
    (void)argv;
    ci_progress(5, 10, words);
    ci_progress_words("Being measured");
    ci_progress_end();
    return CI_OK;
}

static void nothing_in_a_log(void **state) {
    (void)state;
    g_auto(called) c = CALL(half, "half");
    expect_called(&c, CI_OK, "", "");
}

/* What a terminal gets while the calls are made on its standard error; caller frees. */
static char *on_terminal(void (*calls)(void)) {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    char name[64];
    assert_int_equal(ptsname_r(master, name, sizeof name), 0);
    const int terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC), own = dup(STDERR_FILENO);
    assert_true(terminal >= 0);
    dup2(terminal, STDERR_FILENO);
    calls();
    (void)fflush(stderr);
    dup2(own, STDERR_FILENO);
    (void)close(own);
    (void)close(terminal);
    GString *text = g_string_new(NULL);
    char some[256];
    for (ssize_t size; (size = read(master, some, sizeof some)) > 0;) /* until nobody writes */
        g_string_append_len(text, some, size);
    (void)close(master);
    return g_string_free(text, FALSE);
}

static void draw_half(void) {
    ci_progress(5, 10, words);
}

/* Drawn at most ten times a second; the last one always, or it would stand at 90 %. */
static void draw_ten(void) {
    for (guint i = 1; i <= 10; i++)
        ci_progress(i, 10, words);
}

static void draw_nothing(void) {
    ci_progress_end();
    ci_progress(0, 0, words);
    ci_progress_end();
}

static void draw_words(void) {
    ci_progress_words("Being measured, place 2");
}

static void end_it(void) {
    ci_progress_end();
}

static guint count(const char *text, const char *part) {
    guint found = 0;
    for (; (text = strstr(text, part)); text++)
        found++;
    return found;
}

static void a_bar_on_a_terminal(void **state) {
    (void)state;
    g_autofree char *text = on_terminal(draw_half);
    assert_string_equal(text, "\r\033[Kreading x [###############...............] 5/10");
    g_autofree char *gone = on_terminal(end_it);
    assert_string_equal(gone, "\r\033[K");
    g_autofree char *again = on_terminal(end_it); /* nothing is left to take away */
    assert_string_equal(again, "");
}

/* While a server is asked: its words in place of the last ones, and gone at the end. */
static void words_on_a_terminal(void **state) {
    (void)state;
    g_autofree char *text = on_terminal(draw_words);
    assert_string_equal(text, "\r\033[KBeing measured, place 2");
    g_autofree char *gone = on_terminal(end_it);
    assert_string_equal(gone, "\r\033[K");
}

static void the_last_is_drawn(void **state) {
    (void)state;
    g_autofree char *text = on_terminal(draw_ten);
    assert_true(g_str_has_suffix(text, "[##############################] 10/10"));
    assert_true(count(text, "reading x") < 10);
    g_free(on_terminal(end_it));
}

static void of_nothing_there_is_no_bar(void **state) {
    (void)state;
    g_autofree char *text = on_terminal(draw_nothing);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_in_a_log),           cmocka_unit_test(a_bar_on_a_terminal),
        cmocka_unit_test(words_on_a_terminal),        cmocka_unit_test(the_last_is_drawn),
        cmocka_unit_test(of_nothing_there_is_no_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
