#include "runner/measure/sides.h"

#include "runner/ground/log.h"
#include "runner/prepare/ready.h"
#include "runner/process/scratch.h"

#define COMMIT_SHORT 12 /* digits of a commit's id that are told to people */

void run_sides_find(run_sides *sides, const run_node *node, const run_job *job) {
    *sides = (run_sides){.count = run_job_sides(job)};
    for (unsigned side = 0; side < sides->count; side++) {
        sides->folder[side] = run_ready_folder(node, job, side);
        sides->checkout[side] = g_build_filename(sides->folder[side], "tree", NULL);
        sides->artifact[side] = run_ready_artifact(job, side, sides->folder[side]);
        if (sides->count > 1)
            sides->words[side] =
                g_strdup_printf("commit %.*s (%s)", COMMIT_SHORT, run_job_commit(job, side),
                                side == RUN_AFTER ? "after" : "before");
    }
}

void run_sides_clear(run_sides *sides) {
    for (unsigned side = 0; side < sides->count; side++) {
        g_free(sides->folder[side]);
        g_free(sides->checkout[side]);
        g_free(sides->artifact[side]);
        g_free(sides->words[side]);
    }
    sides->count = 0;
}

bool run_sides_present(const run_sides *sides) {
    for (unsigned side = 0; side < sides->count; side++)
        if (!g_file_test(sides->checkout[side], G_FILE_TEST_IS_DIR))
            return false;
    return true;
}

bool run_sides_show(const run_sides *sides, unsigned shown, GError **error) {
    for (unsigned side = 0; side < sides->count; side++)
        if (!run_ready_show(sides->folder[side], side == shown, error))
            return false;
    return true;
}

void run_sides_remove(const run_sides *sides) {
    for (unsigned side = 0; side < sides->count; side++) {
        g_autoptr(GError) problem = NULL;
        if (!run_scratch_remove(sides->folder[side], &problem))
            run_log("warning", "session", "left_over", "reason=\"%s\"", problem->message);
    }
}
