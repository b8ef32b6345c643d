#pragma once
/* github - a receiver that stands for GitHub, and a message of a rule that talks to it. */
#include "server/notify/notify_deliver.h"
#include "tests/unit/server/receiver.h"

#define GITHUB_SHA "0123456789012345678901234567890123456789"

typedef struct {
    receiver *receiver;
    char *dir, *api, *token_file, *key_file; /* "ghp_secret"; an RSA key of an App */
    cfg_server server;
    cfg_notify rule; /* of the repository kieker/monitoring, with the token */
    srv_github_tokens *tokens;
    json_t *items;   /* what a test sets */
    cfg_night night; /* of commit GITHUB_SHA */
    srv_message message;
} github;

/* For cmocka: *state is a github. */
int github_setup(void **state);
int github_teardown(void **state);
#define GITHUB_TEST(test) cmocka_unit_test_setup_teardown(test, github_setup, github_teardown)

/* From now on the rule is App 7's. */
void github_be_app(github *at);

/* Fails unless these calls came in, "METHOD path?query" each, and forgets them. */
void github_expect(github *at, const char *const *lines, guint count);
