#pragma once
/* watched - a context (server/catalog.h) whose one project watches a repository that a test makes,
 * with the store beside it. A test that asks git is its own helper: see AGAIN in CMakeLists.txt. */
#include "server/app.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/mirror.h"

#include <stdbool.h>

typedef struct {
    repository *repository;
    fixture *fix; /* its store is the context's database */
    cfg_server config;
    srv_app app;          /* of it the context alone, unless desk.h fills in more */
    cfg_project *project; /* "kieker", in the catalog; change it before anything asks */
} watched;

/* For cmocka: *state is a watched with an empty repository and no daemon. */
int watched_setup(void **state);
int watched_teardown(void **state);
#define WATCHED_TEST(test) cmocka_unit_test_setup_teardown(test, watched_setup, watched_teardown)

/* Puts the project as it now is into the store. */
void watched_sync(watched *at);
/* Fetches the repository into the project's mirror, as the poller would. */
void watched_fetch(watched *at);
/* A night of a commit, with these means; parent: the commit before it, NULL: nobody asks. Its
 * experiment. */
int64_t watched_measure(watched *at, const char *sha, const char *parent, const char *date,
                        const double means[4]);
