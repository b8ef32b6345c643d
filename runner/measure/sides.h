#pragma once
/*
 * sides - where the commits of a job are on this node: one, or the two of a trial.
 */
#include "runner/job/job.h"
#include "runner/node/node.h"

#define RUN_SIDES_MAX 2

typedef struct {
    unsigned count;
    char *folder[RUN_SIDES_MAX];   /* <work_dir>/checkout/<key> */
    char *checkout[RUN_SIDES_MAX]; /* the tree below it */
    char *artifact[RUN_SIDES_MAX]; /* what {artifact} is; NULL: nothing */
    char *words[RUN_SIDES_MAX];    /* which commit of a trial, for people; NULL: there is but one */
} run_sides;

/* run_sides_find - the places of this job; makes nothing. Clear with run_sides_clear. */
void run_sides_find(run_sides *sides, const run_node *node, const run_job *job);
void run_sides_clear(run_sides *sides);

/* run_sides_present - whether every commit's tree is there. */
bool run_sides_present(const run_sides *sides);

/**
 * run_sides_show - opens the folder of one side to code under test and closes the other's: they
 * shall not reach each other. False with RUN_ERROR_NODE.
 */
bool run_sides_show(const run_sides *sides, unsigned shown,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_sides_remove - the folders away; what cannot be removed is logged. */
void run_sides_remove(const run_sides *sides);
