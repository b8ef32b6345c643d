#pragma once
/*
 * credential - the password in a repository's address, kept out of command lines.
 *
 * Everybody on a machine can read the arguments of everybody's processes. So git gets an address
 * without it, and asks a helper for it, which takes it from the environment of that git alone; only
 * its own user can read that. The helper answers for the address' scheme, host and port only.
 */
#include <glib.h>

#define CFG_CREDENTIAL_USER "MOOWATCH_GIT_USERNAME"
#define CFG_CREDENTIAL_PASSWORD "MOOWATCH_GIT_PASSWORD"

typedef struct {
    char *address;  /* for the command line */
    char *user;     /* NULL: nothing to be told to git; "" when there is only a password */
    char *password; /* with user */
    char *setting;  /* the value of git's -c that names the helper; with user */
} cfg_credential;

/**
 * cfg_credential_take - https and http: all before the host is taken out. ssh: the password only,
 * which ssh would not use. Other addresses stay as they are.
 */
void cfg_credential_take(const char *url, cfg_credential *out);
void cfg_credential_clear(cfg_credential *credential);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(cfg_credential, cfg_credential_clear)
