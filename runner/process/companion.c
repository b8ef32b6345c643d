#include "runner/process/companion.h"

#include "runner/ground/error.h"
#include "runner/ground/stop.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define READY_MS 20 /* nothing is measured yet */

static bool takes_connections(unsigned port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool taken = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    if (fd >= 0)
        close(fd);
    return taken;
}

static bool is_ready(const run_companion *companion) {
    if (!companion->ready)
        return takes_connections(companion->port);
    g_autofree char *said = NULL;
    return g_file_get_contents(companion->spec->log_path, &said, NULL, NULL) &&
           strstr(said, companion->ready) != NULL;
}

/* What it said last is why. */
static bool companion_error(run__running *self, const run_companion *companion, const char *what,
                            GError **error) {
    g_autofree char *said = NULL;
    if (g_file_get_contents(companion->spec->log_path, &said, NULL, NULL))
        g_strstrip(said);
    const char *line = said ? strrchr(said, '\n') : NULL;
    g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s %s: %s%s%.400s", companion->name,
                self->spec->argv[0], what, said && said[0] != '\0' ? ": " : "",
                line   ? line + 1
                : said ? said
                       : "");
    return false;
}

bool run__companion_start(run__running *self, const run_companion *companion, GError **error) {
    if (!companion)
        return true;
    if (!run__running_start(self, error)) {
        g_prefix_error(error, "%s: ", companion->name);
        return false;
    }
    int64_t deadline_us = self->started_us + companion->ready_s * G_USEC_PER_SEC;
    while (!is_ready(companion)) {
        if (run__running_wait(self, READY_MS, true))
            return companion_error(self, companion, "ended before it was ready", error);
        if (run_stop_asked(self->spec->stop_fd)) {
            g_set_error(error, RUN_ERROR, RUN_ERROR_STOPPED, "the agent was told to stop");
            return false;
        }
        if (g_get_monotonic_time() > deadline_us)
            return companion_error(self, companion, "was not ready in time", error);
    }
    return true;
}

void run__companion_end(run__running *self, run_companion *companion, run_process_result *served) {
    if (self->pidfd >= 0) {
        bool ended = run__running_ended(self);
        if (!ended)
            run__running_end(self);
        run__running_reap(self, !ended);
    }
    run__running_log(self);
    if (served->end == RUN_END_COMPANION)
        served->problem = g_strdup_printf("%s ended meanwhile: %.400s", companion->name,
                                          g_strstrip(companion->result.log));
}
