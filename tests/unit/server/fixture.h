#pragma once
/*
 * fixture - a store in a temporary folder, a project of four configurations, and made-up nights.
 */
#include "config/config.h"
#include "server/ingest/ingest.h"
#include "server/ingest/raw_store.h"
#include "server/queue/queue.h"
#include "server/store/projects.h"
#include "server/store/store.h"
#include "tests/unit/server/nights_view.h"

#define FIX_LOOPS 5
#define FIX_CALLS 20

extern const srv_queue_rules fix_rules; /* 60 s, 3 attempts */
extern const char *const fix_names[4];  /* none, deactivated, collecting, writing */

typedef struct {
    char *dir, *path; /* path: or URL, of the database */
    srv_store *store;
    srv__place *raw;
    int64_t now_ms;    /* moves only when a test says so */
    GPtrArray *events; /* "type {json}" */
    json_t *can;       /* what the node says it can; NULL: nothing */
} fixture;

fixture *fix_new(void);
/* For cmocka: *state is a fixture with the project "kieker". */
int fix_setup(void **state);
int fix_teardown(void **state);
#define FIX_TEST(test) cmocka_unit_test_setup_teardown(test, fix_setup, fix_teardown)
/* The same in a folder that is there and stays. */
fixture *fix_at(const char *dir);
void fix_leave(fixture *fix);
void fix_free(fixture *fix);
/* Close and open the store again, as a restart does. */
void fix_reopen(fixture *fix);

/* A project with the fixture's benchmark, owned; free with fix_project_free. */
cfg_project *fix_project(const char *name);
void fix_project_free(cfg_project *project);
/* A further branch of a project whose main one is main, likewise. */
cfg_project *fix_branch(const char *project, const char *branch);
/* Make these (NULL-ended) the configured projects; or this one alone, which is taken over. */
void fix_sync(fixture *fix, const char *name, ...);
void fix_sync_only(fixture *fix, cfg_project *project);

/* A 40-digit commit id made of a number. Static buffer. */
const char *fix_sha(int number);
/* Queue the commit of that number for a night; its number in the queue. */
int64_t fix_add(fixture *fix, const char *project, int number, const char *night, srv_kind kind);
/* Lease for node "blade1"; NULL: nothing to do. Owned. */
json_t *fix_lease(fixture *fix);

/* Upload a raw file of FIX_CALLS calls around mean_ns; {"sha256","bytes","uncompressed_bytes"}. */
json_t *fix_upload(fixture *fix, int64_t job, const char *lease, double mean_ns);
/* A result with these four means (ns), a spread of 1 % over loops; raw files are uploaded. */
json_t *fix_result(fixture *fix, const json_t *leased, const double means[4]);
/* Gives a loop of a result so many calls after its warm-up, and takes its raw file away. */
void fix_calls(json_t *loop, int calls);
/* The result of a trial: each configuration of the job, old and new commit in turn. */
json_t *fix_trial(fixture *fix, const json_t *leased, const double before[4],
                  const double after[4]);
/* Ingest what a leased job's node hands in, taking both: the experiment's number. */
int64_t fix_ingest(fixture *fix, json_t *leased, json_t *body);
/* Queue, lease, measure, ingest: the experiment's number. */
int64_t fix_measure(fixture *fix, const char *project, int number, const char *night,
                    const double means[4]);

/* The same of a commit that has been measured: as somebody asks for it. */
int64_t fix_measure_again(fixture *fix, const char *project, int number, const char *night,
                          const double means[4]);

/* Likewise the nights of these days of April 2013, a second after one another; commit N on day N.
 */
void fix_nights(fixture *fix, const char *project, int first, int last, const double means[4]);

/* A member of an object, borrowed; NULL and 0 when it is not there. */
const char *text_of(const json_t *object, const char *key);
int64_t number_of(const json_t *object, const char *key);
/* The number of the job that was leased. */
int64_t job_id(const json_t *leased);
