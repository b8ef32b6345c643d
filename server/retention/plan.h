#pragma once
/*
 * plan - which raw data of a project go by the policy (configure.md, storage:), and what speaks for
 * those that stay. The oldest go first. Raw data are told apart by job: a night has one, a trial
 * some.
 */
#include "config/config.h"
#include "server/retention/retention_rows.h"

/* What becomes of a job's raw data; what stays first. */
typedef enum {
    SRV_FATE_YOUNG, /* nothing is wrong with them yet */
    SRV_FATE_IN_USE,
    SRV_FATE_ALERTS,
    SRV_FATE_RELEASES,
    SRV_FATE_FIRST_OF_MONTH,
    SRV_FATE_AGE, /* this and the following: they go */
    SRV_FATE_BUDGET,
    SRV_FATE_COUNT
} srv_fate;

/* As the store, the report and messages call them. */
extern const char *const srv_fate_words[SRV_FATE_COUNT];

bool srv_fate_goes(srv_fate fate);

/* A walk through a project's jobs, oldest first. */
typedef struct {
    const cfg_storage *policy; /* borrowed */
    int64_t project, now_ms;
    int64_t bytes; /* what the project's raw data take, without what goes */
    srv__retention_place place;
} srv__plan;

/* srv__plan_begin - at the oldest job. */
bool srv__plan_begin(srv__plan *plan, srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__plan_judge - the next of srv__retention_jobs; the walk goes on behind it. */
srv_fate srv__plan_judge(srv__plan *plan, const srv__raw_job *job);

/* srv__plan_ended - nothing from the place on can go. */
bool srv__plan_ended(const srv__plan *plan);
