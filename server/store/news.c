#include "server/store/news.h"

#include "server/ground/error.h"
#include "server/ground/log.h"
#include "server/ground/thread.h"
#include "server/store/store_core.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { AGAIN_MS = 1000 };

bool srv_news_ask(srv_store *store, const char *project, GError **error) {
    g_autofree char *text = srv__news_ask_text(project);
    if (!srv__begin(store, error))
        return false;
    const bool good = srv_db_tell(store->db, text);
    if (!good)
        srv__store_fail(store, "asking the other servers", error);
    return srv__end(store, good, error);
}

struct srv_news {
    char *url;
    srv_changes *changes;
    srv_news_told told;
    srv_db *db;       /* listens, and does nothing else */
    int fd;           /* of it; -1: it does not listen */
    srv_store *store; /* for whoever is told */
    int stop_fd;
    pthread_t thread;
};

static void take(srv_news *news, const char *text) {
    srv__news what;
    const bool good = srv__news_read(text, &what);
    if (good && !what.ours && what.asked) {
        news->told.ask(what.asked, news->told.user);
    } else if (good && !what.ours) {
        srv_changes_note(news->changes);
        for (guint i = 0; i < what.events->len; i++) {
            const srv__pending *event = &g_array_index(what.events, srv__pending, i);
            news->told.tell(news->store, event->what, event->id, news->told.user);
        }
    } else if (!good) {
        /* of a version that says more: what it is about is not known */
        srv_changes_note(news->changes);
    }
    srv__news_clear(&what);
}

/* All there is; false: the connection is gone. */
static bool take_all(srv_news *news) {
    char *text = NULL;
    bool good;
    while ((good = srv_db_hear(news->db, &text)) && text) {
        take(news, text);
        g_clear_pointer(&text, g_free);
    }
    return good;
}

static void listen_again(srv_news *news) {
    srv_db_close(news->db);
    news->db = srv_db_open(news->url, SRV_DB_EXISTING);
    news->fd = news->db->usable ? srv_db_listen(news->db) : -1;
    /* what was told meanwhile, nobody has heard */
    srv_changes_note(news->changes);
    if (news->fd >= 0)
        srv_log_info("news", "listening", NULL);
}

static void *listen_loop(void *data) {
    srv_news *news = data;
    for (;;) {
        struct pollfd fds[] = {{.fd = news->stop_fd, .events = POLLIN},
                               {.fd = news->fd, .events = POLLIN}};
        const int ready = poll(fds, 2, news->fd < 0 ? AGAIN_MS : -1);
        if (fds[0].revents != 0)
            return NULL;
        if (news->fd < 0) {
            listen_again(news);
        } else if (ready > 0 && fds[1].revents != 0 && !take_all(news)) {
            srv_log_warning("news", "not_heard", "reason", "the connection to the database broke",
                            NULL);
            news->fd = -1;
        }
    }
}

static bool start(srv_news *news, GError **error) {
    const char *text;
    news->store = srv_store_open(news->url, error);
    if (!news->store)
        return false;
    news->db = srv_db_open(news->url, SRV_DB_EXISTING);
    news->fd = news->db->usable ? srv_db_listen(news->db) : -1;
    if (news->fd < 0) {
        srv_db_problem(news->db, &text);
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "cannot listen to the other servers: %s",
                    text);
        return false;
    }
    return srv_thread_start(&news->thread, "news", listen_loop, news, error);
}

static void release(srv_news *news) {
    srv_db_close(news->db);
    srv_store_close(news->store);
    close(news->stop_fd);
    g_free(news->url);
    g_free(news);
}

srv_news *srv_news_start(const char *url, srv_changes *changes, const srv_news_told *told,
                         GError **error) {
    srv_news *news = g_new0(srv_news, 1);
    *news = (srv_news){.url = g_strdup(url), .changes = changes, .told = *told};
    news->stop_fd = eventfd(0, EFD_CLOEXEC);
    if (start(news, error))
        return news;
    release(news);
    return NULL;
}

void srv_news_stop(srv_news *news) {
    if (!news)
        return;
    if (eventfd_write(news->stop_fd, 1) == 0)
        pthread_join(news->thread, NULL);
    release(news);
}
