#pragma once
/*
 * database - where a test's database is. MOOWATCH_TEST_STORE names a server instead of files, such
 * as "postgresql:host=/folder user=name"; the test's own is a schema there.
 */
#include "server/store/store.h"

#include <stdbool.h>

/* database_url - of the one that belongs to dir, made when it is not there; owned. */
char *database_url(const char *dir);
/* database_fill - puts an empty store's file where url has none: as srv_store_open makes it, but
 * made only once a program, since making it takes longer than most tests. */
void database_fill(const char *url);
/* database_drop - with all that is in it. */
void database_drop(const char *dir);
/* database_is_server - is it a server's? Then what is about files is skipped. */
bool database_is_server(void);

/* database_is_sound - is a file undamaged, and is there what its rows refer to? A server sees to
 * that by itself. */
bool database_is_sound(srv_store *store);

/* For tests that are about a file. */
#define SKIP_ON_A_SERVER                                                                           \
    do                                                                                             \
        if (database_is_server())                                                                  \
            skip();                                                                                \
    while (0)
/* For tests that are about a server. */
#define SKIP_WITHOUT_A_SERVER                                                                      \
    do                                                                                             \
        if (!database_is_server())                                                                 \
            skip();                                                                                \
    while (0)
