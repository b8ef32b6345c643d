#pragma once
/*
 * trees - where the commits of a job are on this node: one, or the two of a trial.
 */
#include "runner/job/job.h"
#include "runner/node/node.h"

#define RUN_COMMITS_MAX 2

typedef struct {
    unsigned count;
    char *folder[RUN_COMMITS_MAX];   /* <work_dir>/checkout/<key> */
    char *checkout[RUN_COMMITS_MAX]; /* the tree below it */
    char *artifact[RUN_COMMITS_MAX]; /* what {artifact} is; NULL: nothing */
    char *words[RUN_COMMITS_MAX]; /* which commit of a trial, for people; NULL: there is but one */
} run_trees;

/* run_trees_find - the places of this job; makes nothing. Clear with run_trees_clear. */
void run_trees_find(run_trees *trees, const run_node *node, const run_job *job);
void run_trees_clear(run_trees *trees);

/* run_trees_present - whether every commit's tree is there. */
bool run_trees_present(const run_trees *trees);

/**
 * run_trees_show - opens the folder of one commit to code under test and closes the other's: they
 * shall not reach each other. shown RUN_COMMITS_MAX: closes all. False with RUN_ERROR_NODE.
 */
bool run_trees_show(const run_trees *trees, unsigned shown,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_trees_show_all - opens all of them: both commits run at once (plan.h). */
bool run_trees_show_all(const run_trees *trees, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_trees_remove - the folders away; what cannot be removed is logged. */
void run_trees_remove(const run_trees *trees);
