#pragma once
/*
 * auth_table - the tokens in memory and in their file: what auth.c asks and auth_change.c changes.
 * All of it with the lock held, or by who alone has the table.
 */
#include "server/ground/auth_scope.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/stat.h>

enum { SRV__AUTH_HASH_SIZE = 32, SRV__AUTH_TOKENS_MAX = 1000 };

typedef struct {
    char *name;
    char *node;      /* the only one that it serves; NULL: any */
    char **projects; /* the only ones that it is for; NULL: any */
    unsigned scopes;
    guint8 hash[SRV__AUTH_HASH_SIZE];
    guint8 old_hash[SRV__AUTH_HASH_SIZE]; /* good until old_until_ms */
    int64_t old_until_ms;                 /* 0: there is none */
    int64_t created_ms, rotated_ms;       /* rotated_ms 0: never */
    int64_t expires_ms;                   /* 0: never */
    int64_t used_ms;                      /* in whole hours; 0: never */
    bool noted;                           /* used_ms is not in the file yet */
    bool saved;                           /* false: comes from a file of its own */
} srv__token;

typedef struct srv_auth {
    pthread_mutex_t lock;
    char *path;
    struct timespec modified;
    ino_t inode;
    GArray *tokens; /* srv__token */
} srv_auth;

void srv__token_clear(void *token);

/** srv__auth_find - a saved token by name; NULL: there is none. */
srv__token *srv__auth_find(srv_auth *auth, const char *name);

/** srv__auth_refresh - reads the file when it is another one than before. */
bool srv__auth_refresh(srv_auth *auth, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__auth_save(srv_auth *auth, GError **error) G_GNUC_WARN_UNUSED_RESULT;

void srv__auth_hash(const char *text, guint8 out[SRV__AUTH_HASH_SIZE]);
