#include "server/git/repo_name.h"

#include "config/credential.h"
#include "config/projects.h"
#include "server/ground/error.h"

#include <gio/gio.h>
#include <string.h>

bool srv_repo_url_check(const char *url, GError **error) {
    bool ok = url && g_utf8_validate(url, -1, NULL) && !strchr(url, ' ') &&
              cfg_url_kind_of(url) != CFG_URL_NONE;
    return ok ||
           SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "the repository's address is not valid; give an https, http, ssh, git or "
                     "file URL, user@host:path, or an absolute path, without spaces");
}

bool srv_repo_branch_check(const char *branch, GError **error) {
    if (branch && cfg_is_branch(branch))
        return true;
    return SRV__FAIL(
        error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "git does not accept the branch name (see git check-ref-format --branch NAME); "
        "correct branch: in the project's file");
}

bool srv_repo_commit_check(const char *commit) {
    size_t length = commit ? strlen(commit) : 0;
    return length >= 7 && length <= 40 && strspn(commit, "0123456789abcdefABCDEF") == length;
}
