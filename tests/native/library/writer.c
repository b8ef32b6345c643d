#include "callmon.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char buffer[BUFFER_BYTES];
static size_t used;
static int file = -1;

static void flush(void) {
    size_t done = 0;
    while (done < used) {
        ssize_t written = write(file, buffer + done, used - done);
        if (written < 0 && errno != EINTR)
            break; /* the file's size tells that records are missing */
        if (written > 0)
            done += (size_t)written;
    }
    used = 0;
}

bool writer_open(const char *path) {
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    return file >= 0;
}

void writer_put(const struct record *record) {
    if (file < 0)
        return;
    pthread_mutex_lock(&mutex);
    if (used + sizeof *record > BUFFER_BYTES)
        flush();
    memcpy(buffer + used, record, sizeof *record);
    used += sizeof *record;
    pthread_mutex_unlock(&mutex);
}

void writer_close(void) {
    pthread_mutex_lock(&mutex);
    if (file >= 0) {
        flush();
        close(file);
        file = -1;
    }
    pthread_mutex_unlock(&mutex);
}
