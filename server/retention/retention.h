#pragma once
/*
 * retention - the raw data that the policy lets go are removed, in small steps; what was computed
 * from them stays for ever. The leader alone does it.
 *
 * First the rows, in a transaction (ingest/raw_rows.h: what a job had, when and why it went),
 * then, an hour later, the files. A step reads a few jobs and removes at most a few hundred rows or
 * files, so nobody waits for it for long. Thread-safe: a step beside another one does nothing.
 */
#include "config/config.h"
#include "server/ingest/raw_store.h"
#include "server/queue/artifact.h"
#include "server/store/store_sql.h"

#include <stdatomic.h>

typedef struct srv_retention srv_retention;

/* srv_retention_new - policy is borrowed, and outlives it. */
srv_retention *srv_retention_new(const cfg_storage *policy);
void srv_retention_free(srv_retention *retention);

/**
 * srv_retention_step - go on where the step before ended.
 * more   out: false when all has been looked at; the next step begins anew
 * False with error: the next step begins anew, too, and nothing is lost. With a bucket it waits for
 * the network.
 */
bool srv_retention_step(srv_retention *retention, srv_store *store, srv__place *raw, int64_t now_ms,
                        bool *more, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_retention, srv_retention_free)

/*
 * tidy - what nobody needs any more goes step by step: raw data that the policy lets go
 * (retention.h), then the artifacts' files in the bucket. The leader alone does it.
 */

/* Borrowed. */
typedef struct {
    srv_retention *retention;
    srv__place *raw;
    srv_artifacts *artifacts;
    atomic_bool *sweeping; /* the raw data of this pass are looked at; false at first */
} srv_tidy;

/**
 * srv_tidy_step - go on where the step before ended.
 * more   out: false when all has been looked at; the next step begins anew, as it does after an
 *        error
 */
bool srv_tidy_step(const srv_tidy *tidy, srv_store *store, int64_t now_ms, bool *more,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * plan - which raw data of a project go by the policy (configure.md, storage:), and what speaks for
 * those that stay. The oldest go first. Raw data are told apart by job: a night has one, a trial
 * some.
 */

/*
 * retention_rows - which jobs have raw data, how old they are, and what speaks for keeping them.
 */

/* Where a walk through a project's jobs is: it goes on behind it. {0, 0}: at the oldest. */
typedef struct {
    int64_t stored_ms, job;
} srv__retention_place;

/* A job that has raw data. */
typedef struct {
    int64_t job, files, bytes, stored_ms;
    bool in_use; /* it is not over, is of a trial that is not, or of an alert that waits */
    bool kept[CFG_KEEP_COUNT]; /* what speaks for them; ALERTS: of one that was real */
} srv__raw_job;

typedef struct {
    int64_t jobs, files, bytes;
} srv_raw_sums;

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

/* srv__plan_judge - the next of srv__retention_jobs; the walk goes on behind it. */
srv_fate srv__plan_judge(srv__plan *plan, const srv__raw_job *job);

/* srv__plan_ended - nothing from the place on can go. */
bool srv__plan_ended(const srv__plan *plan);

/* report - what a policy keeps of each project's raw data, and what goes by it; removes nothing. */

typedef struct {
    char *project;
    srv_raw_sums fate[SRV_FATE_COUNT], removed;
} srv_retention_sums;

/* srv_retention_report - all projects that have or had raw data, by name: [srv_retention_sums],
 * owned; NULL with error. */
GArray *srv_retention_report(srv_store *store, const cfg_storage *policy, int64_t now_ms,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_retention_report_text - the same for people, a line a project and reason; caller frees. */
char *srv_retention_report_text(const GArray *report);
