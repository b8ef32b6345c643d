#pragma once
/* mirror - a repository (repository.h) and its mirror, for tests of what is read from it. */
#include "server/git/repo.h"
#include "tests/unit/server/repository.h"

/* For cmocka: *state is an empty repository. */
int mirror_setup(void **state);
int mirror_teardown(void **state);
#define MIRROR_TEST(test) cmocka_unit_test_setup_teardown(test, mirror_setup, mirror_teardown)

/* Fetches main and the tags that match releases (NULL: none); what it found. */
srv_repo_fetched mirror_update(const repository *at, const char *releases);
