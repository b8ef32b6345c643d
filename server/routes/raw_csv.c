#include "server/routes/raw_csv.h"

#include "config/packed.h"

#include <unistd.h>

typedef struct {
    int fd;
    cfg_unpack *unpack;
} unpacking;

static ssize_t unpack(void *data, char *out, size_t max) {
    const unpacking *u = data;
    return cfg_unpack_read(u->unpack, out, max);
}

static void unpacking_free(void *data) {
    unpacking *u = data;
    close(u->fd);
    cfg_unpack_free(u->unpack);
    g_free(u);
}

srv_reply_source srv_raw_csv(int fd) {
    unpacking *u = g_new0(unpacking, 1);
    u->fd = fd;
    u->unpack = cfg_unpack_new(fd, NULL, 0);
    return (srv_reply_source){unpack, unpacking_free, u};
}
