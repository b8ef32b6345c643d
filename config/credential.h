#pragma once
/*
 * credential - the password in a repository's address, kept out of command lines.
 *
 * Everybody on a machine can read the arguments of everybody's processes. So git gets an address
 * without it, and asks a helper for it, which takes it from the environment of that git alone; only
 * its own user can read that. The helper answers for the address' scheme, host and port only.
 */
#include <glib.h>
#include <stdbool.h>

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

/*
 * url - a repository's address.
 */

/* cfg_url_kind_of - may it reach git, and what would git do? https, http and git go to the web; ssh
 * and user@host:path use keys; file:/// and an absolute path are this machine's, and may have
 * blanks. NONE: all else, such as ext:: and what git could take for an option. */
typedef enum { CFG_URL_NONE, CFG_URL_WEB, CFG_URL_SSH, CFG_URL_LOCAL } cfg_url_kind;
cfg_url_kind cfg_url_kind_of(const char *url);

/* cfg_url_has_password - does an address carry one (user:password@)? */
bool cfg_url_has_password(const char *url);

/* cfg_url_hide - text, such as the address itself, without the address' user and password, for
 * people and logs. Caller frees. */
char *cfg_url_hide(const char *text, const char *url) G_GNUC_WARN_UNUSED_RESULT;
