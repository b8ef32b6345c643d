#pragma once
/*
 * auth_table - the tokens in memory and in their file, and what each may do: what auth.c asks and
 * auth_change.c changes. All of it with the lock held, or by who alone has the table.
 */
#include "server/ground/error.h"

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* What a token may do; also what a route wants. */
typedef enum {
    SRV_SCOPE_NONE = 0, /* anybody */
    SRV_SCOPE_READ = 1 << 0,
    SRV_SCOPE_SUBMIT = 1 << 1,
    SRV_SCOPE_RUN = 1 << 2,
    SRV_SCOPE_ADMIN = 1 << 3,
    SRV_SCOPE_RUNNER = 1 << 4
} srv_scope;

/** srv__auth_scopes_read - "read,run" as bits; false with error that names the words there are. */
bool srv__auth_scopes_read(const char *text, unsigned *scopes,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_auth_scopes_text - the other way; caller frees. */
char *srv_auth_scopes_text(unsigned scopes);

/** srv__auth_scopes_widen - with all that they include. */
unsigned srv__auth_scopes_widen(unsigned scopes);

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

/**
 * srv_auth_lock - one process at a time changes the file: waits for it; the folder is made (0700)
 * when it is not there. Returns a descriptor to close, which unlocks; -1 with error.
 */
int srv_auth_lock(const char *data_dir, GError **error) G_GNUC_WARN_UNUSED_RESULT;
