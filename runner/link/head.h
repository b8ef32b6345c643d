#pragma once
/* head - what the spool keeps of a job beside its loops, as job.json. */
#include "config/model/model.h"

typedef struct {
    json_t *job; /* as the server sent it */
    int64_t id;  /* this and the following: of the job */
    char *commit, *before;
    bool beside; /* others may be asked for beside it */
    char *lease; /* NULL: of no server */
    int64_t started_ms;
    int64_t finished_ms; /* 0: it is not measured yet */
    json_t *prepared;    /* how each commit was made ready; NULL: they are not */
    json_t *environment, *explanation;
    bool counted;    /* what there is to count is */
    json_t *counts;  /* NULL: nothing was */
    json_t *failure; /* what the server is to be told; NULL: nothing has failed */
} run_head;

extern const model_noun run_head_model;

/* run_head_read - for model_clear; false with MODEL_ERROR, and nothing is to be released. */
bool run_head_read(run_head *head, const json_t *json, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_head_detail - what is told beside the loops; borrowed, NULL before there is an environment.
 */
json_t *run_head_detail(const run_head *head);
