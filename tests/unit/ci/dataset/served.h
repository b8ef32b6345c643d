#pragma once
/* A server's answers of which a data set is made, and what a folder has afterwards. */
#include "tests/unit/ci/command/asked.h"

/* The answer with double quotes for single ones; it stays for as long as the program runs. */
static inline const char *in_quotes(const char *text) {
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    return g_intern_string(quoted);
}
#define SAYS(text) JSON(in_quotes(text))
#define REFUSES(status_, title_)                                                                   \
    { (status_), NULL, NULL, in_quotes("{'title': '" title_ "'}") }

#define PROJECT                                                                                    \
    "{'name': 'figures', 'title': 'Figures', 'repository': 'https://example.org/f.git', "          \
    "'branch': 'main'}"
/* Newest first; a night that was not measured has no experiment. */
#define NIGHTS_OF_TWO                                                                              \
    "{'items': [{'experiment': 4, 'night': '2026-03-06'}, {'experiment': null, 'night': "          \
    "'2026-03-05'}, {'experiment': 3, 'night': '2026-03-04'}], 'next': null}"
#define RAW(experiment, configuration, loop)                                                       \
    "'raw': {'url': '/api/v1/experiments/" experiment "/raw/" configuration "/" loop "'}"
#define NIGHT_WITH(experiment, night, benchmark, configurations)                                   \
    "{'experiment': " experiment ", 'night': '" night "', 'state': 'measured', 'level': 0.95, "    \
    "'commit': {'sha': 'aaa" experiment "', 'author': 'Ada, B', 'subject': 'more'}, "              \
    "'environment': 'e1', 'environment_detail': {'kernel': '6.1'}, 'benchmark': " benchmark ", "   \
    "'portions': [{'portion': 'T', 'configuration': 'none', 'parent': null, 'mean_ns': 70.5, "     \
    "'low_ns': 70, 'high_ns': 71}], 'configurations': [" configurations "]}"
#define OPEN "{'configurations': [{'name': 'none', 'environment': {'A': 'b'}}]}"
#define WITHHELD "{'configurations': [{'name': 'none', 'environment': {'A': null}}]}"
/* The second loop failed, and has no raw values. */
#define LOOPS(experiment)                                                                          \
    "{'name': 'none', 'loop_results': [{'loop': 1, 'used': true, " RAW(                            \
        experiment, "none",                                                                        \
        "1") "}, {'loop': 2, 'used': false, 'failed': 'killed', 'raw': null}]}"
#define NIGHT_3 NIGHT_WITH("3", "2026-03-04", OPEN, LOOPS("3"))
#define NIGHT_4 NIGHT_WITH("4", "2026-03-06", OPEN, LOOPS("4"))

static inline int served_free(void **state) {
    const asked *a = *state;
    remove_below(a->folder);
    return asked_free(state);
}
#define SERVED(test) cmocka_unit_test_setup_teardown(test, asked_make, served_free)

/* What a file below the folder has; caller frees. */
static inline char *text_of(const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        fail_msg("%s is missing", name);
    return text;
}

static inline bool has_file(const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}
