#include "config/log_time.h"

#include <sys/stat.h>
#include <unistd.h>

bool cfg_log_is_timed(int file, const char *stream) {
    struct stat status;
    if (!stream || fstat(file, &status) != 0)
        return false;
    g_autofree char *own = g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                           (guint64)status.st_dev, (guint64)status.st_ino);
    return g_str_equal(own, stream);
}

char *cfg_log_time(gint64 now_us) {
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(now_us / G_USEC_PER_SEC);
    return g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ ");
}

char *cfg_log_begin(void) {
    if (cfg_log_is_timed(STDERR_FILENO, g_getenv("JOURNAL_STREAM")))
        return g_strdup("");
    return cfg_log_time(g_get_real_time());
}
