#include "server/ground/auth_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <sys/file.h>
#include <unistd.h>

int srv_auth_lock(const char *data_dir, GError **error) {
    g_autofree char *path = g_build_filename(data_dir, "tokens.lock", NULL);
    int fd = g_mkdir_with_parents(data_dir, 0700) == 0
                 ? open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600)
                 : -1;
    if (fd >= 0 && flock(fd, LOCK_EX) == 0)
        return fd;
    int code = errno;
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(code),
                "cannot write %s: %s; run this as the user that moowatchd runs as, or correct "
                "data_dir",
                path, g_strerror(code));
    if (fd >= 0)
        close(fd);
    return -1;
}
