#include "runner/measure/trees.h"

#include "config/log.h"
#include "runner/prepare/prepare.h"
#include "runner/process/scratch.h"

#define COMMIT_SHORT 12 /* digits of a commit's id that are told to people */

void run_trees_find(run_trees *trees, const run_node *node, const run_job *job) {
    *trees = (run_trees){.count = run_job_commits(job)};
    for (unsigned which = 0; which < trees->count; which++) {
        trees->folder[which] = run_ready_folder(node, job, which);
        trees->checkout[which] = g_build_filename(trees->folder[which], "tree", NULL);
        trees->artifact[which] = run_ready_artifact(job, which, trees->folder[which]);
        if (trees->count > 1)
            trees->words[which] =
                g_strdup_printf("commit %.*s (%s)", COMMIT_SHORT, run_job_commit(job, which),
                                which == RUN_AFTER ? "after" : "before");
    }
}

void run_trees_clear(run_trees *trees) {
    for (unsigned which = 0; which < trees->count; which++) {
        g_free(trees->folder[which]);
        g_free(trees->checkout[which]);
        g_free(trees->artifact[which]);
        g_free(trees->words[which]);
    }
    trees->count = 0;
}

bool run_trees_present(const run_trees *trees) {
    for (unsigned which = 0; which < trees->count; which++)
        if (!g_file_test(trees->checkout[which], G_FILE_TEST_IS_DIR))
            return false;
    return true;
}

bool run_trees_show(const run_trees *trees, unsigned shown, GError **error) {
    for (unsigned which = 0; which < trees->count; which++)
        if (!run_ready_show(trees->folder[which], which == shown, error))
            return false;
    return true;
}

bool run_trees_show_all(const run_trees *trees, GError **error) {
    for (unsigned which = 0; which < trees->count; which++)
        if (!run_ready_show(trees->folder[which], true, error))
            return false;
    return true;
}

void run_trees_remove(const run_trees *trees) {
    for (unsigned which = 0; which < trees->count; which++) {
        g_autoptr(GError) problem = NULL;
        if (!run_scratch_remove(trees->folder[which], &problem))
            cfg_log("warning", "session", "left_over", "reason=\"%s\"", problem->message);
    }
}
