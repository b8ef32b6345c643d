#include "server/store/changes.h"

#include "config/log.h"
#include "server/ground/auth_random.h"
#include "server/ground/error.h"
#include "server/ground/thread.h"
#include "server/store/db.h"
#include "server/store/store_core.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

struct srv_changes {
    _Atomic uint64_t *number;
    bool mapped; /* from a file, shared with the other processes */
};

/* Of all databases that are servers: what others commit there is heard. */
static _Atomic uint64_t of_servers;

static _Atomic uint64_t *file_map(const char *database, GError **error) {
    g_autofree char *path = g_strconcat(database, "-changes", NULL);
    void *memory = MAP_FAILED;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    /* Allocated for good: a page that a full disk has no room for would be a SIGBUS. */
    int code = fd >= 0 ? posix_fallocate(fd, 0, sizeof(_Atomic uint64_t)) : errno;
    if (code == 0)
        memory = mmap(NULL, sizeof(_Atomic uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (code == 0)
        code = errno;
    if (fd >= 0)
        close(fd);
    if (memory != MAP_FAILED)
        return memory;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                "%s cannot be opened: %s; its folder must be writable", path, g_strerror(code));
    return NULL;
}

srv_changes *srv_changes_open(const char *url, GError **error) {
    const bool is_server = srv_db_is_server(url);
    _Atomic uint64_t *number = is_server ? &of_servers : file_map(srv_db_place(url), error);
    if (!number)
        return NULL;
    srv_changes *changes = g_new0(srv_changes, 1);
    *changes = (srv_changes){number, !is_server};
    return changes;
}

void srv_changes_close(srv_changes *changes) {
    if (changes && changes->mapped)
        munmap(changes->number, sizeof *changes->number);
    g_free(changes);
}

uint64_t srv_changes_now(const srv_changes *changes) {
    return atomic_load(changes->number);
}

void srv_changes_note(srv_changes *changes) {
    atomic_fetch_add(changes->number, 1);
}

enum {
    WORD_BYTES = 24,  /* the longest word of an event, and a space */
    ORIGIN_BYTES = 16 /* the shortest name of a server */
};

static const char letters[] = {[SRV_EVENT_JOB] = 'j',
                               [SRV_EVENT_NIGHT] = 'n',
                               [SRV_EVENT_ALERT] = 'a',
                               [SRV_EVENT_INCIDENT] = 'i',
                               [SRV_EVENT_PULL] = 'p'};

/* Of this process, among those that share a database. */
static const char *origin(void) {
    static gsize ready;
    static char name[SRV_AUTH_UUID_SIZE];
    if (g_once_init_enter(&ready)) {
        if (!srv_auth_uuid(name, NULL)) /* then by when this server was started, and where */
            g_snprintf(name, sizeof name, "%016" G_GINT64_MODIFIER "x-%08x", g_get_real_time(),
                       (unsigned)getpid());
        g_once_init_leave(&ready, 1);
    }
    return name;
}

GPtrArray *srv__notice_texts(const GArray *events) {
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    GString *line = g_string_new(origin());
    for (guint i = 0; i < events->len; i++) {
        const srv__pending *event = &g_array_index(events, srv__pending, i);
        if (line->len + WORD_BYTES > SRV_DB_TELL_BYTES) {
            g_ptr_array_add(texts, g_string_free(line, FALSE));
            line = g_string_new(origin());
        }
        g_string_append_printf(line, " %c%" G_GINT64_FORMAT, letters[event->what], event->id);
    }
    g_ptr_array_add(texts, g_string_free(line, FALSE));
    return texts;
}

/* The line that asks for a project to be polled; owned. */
static char *news_ask_text(const char *project) {
    return g_strdup_printf("%s ? %s", origin(), project);
}

/* notice_read - false: no line of ours. notice_clear in any case. */
static void notice_clear(srv__notice *notice) {
    g_array_free(notice->events, TRUE);
    g_free(notice->asked);
}

static bool event_read(const char *word, GArray *events) {
    const char *letter = *word == '\0' ? NULL : memchr(letters, *word, sizeof letters);
    gint64 id;
    if (!letter || !g_ascii_string_to_signed(word + 1, 10, 1, INT64_MAX, &id, NULL))
        return false;
    const srv__pending event = {(srv_event)(letter - letters), id};
    g_array_append_val(events, event);
    return true;
}

static bool notice_read(const char *text, srv__notice *notice) {
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    *notice = (srv__notice){.events = g_array_new(FALSE, FALSE, sizeof(srv__pending))};
    if (!words[0] || strlen(words[0]) < ORIGIN_BYTES)
        return false;
    notice->ours = g_str_equal(words[0], origin());
    if (g_strcmp0(words[1], "?") == 0) {
        notice->asked = g_strdup(words[2]);
        return words[2] && !words[3];
    }
    bool good = true;
    for (char **word = words + 1; good && *word; word++)
        good = event_read(*word, notice->events);
    return good;
}

enum { AGAIN_MS = 1000 };

bool srv_peers_ask(srv_store *store, const char *project, GError **error) {
    g_autofree char *text = news_ask_text(project);
    if (!srv__begin(store, error))
        return false;
    const bool good = srv_db_tell(store->db, text);
    if (!good)
        srv__store_fail(store, "asking the other servers", error);
    return srv__end(store, good, error);
}

struct srv_peers {
    char *url;
    srv_changes *changes;
    srv_peers_calls told;
    srv_db *db;       /* listens, and does nothing else */
    int fd;           /* of it; -1: it does not listen */
    srv_store *store; /* for whoever is told */
    int stop_fd;
    pthread_t thread;
};

static void take(srv_peers *peers, const char *text) {
    srv__notice what;
    const bool good = notice_read(text, &what);
    if (good && !what.ours && what.asked) {
        peers->told.ask(what.asked, peers->told.user);
    } else if (good && !what.ours) {
        srv_changes_note(peers->changes);
        for (guint i = 0; i < what.events->len; i++) {
            const srv__pending *event = &g_array_index(what.events, srv__pending, i);
            peers->told.tell(peers->store, event->what, event->id, peers->told.user);
        }
    } else if (!good) {
        /* of a version that says more: what it is about is not known */
        srv_changes_note(peers->changes);
    }
    notice_clear(&what);
}

/* All there is; false: the connection is gone. */
static bool take_all(srv_peers *peers) {
    char *text = NULL;
    bool good;
    while ((good = peers->db->driver->hear(peers->db, &text)) && text) {
        take(peers, text);
        g_clear_pointer(&text, g_free);
    }
    return good;
}

static void listen_again(srv_peers *peers) {
    srv_db_close(peers->db);
    peers->db = srv_db_open(peers->url, SRV_DB_EXISTING);
    peers->fd = peers->db->usable ? srv_db_listen(peers->db) : -1;
    /* what was told meanwhile, nobody has heard */
    srv_changes_note(peers->changes);
    if (peers->fd >= 0)
        cfg_log("info", "news", "listening", "%s", "");
}

static void *listen_loop(void *data) {
    srv_peers *peers = data;
    for (;;) {
        struct pollfd fds[] = {{.fd = peers->stop_fd, .events = POLLIN},
                               {.fd = peers->fd, .events = POLLIN}};
        const int ready = poll(fds, 2, peers->fd < 0 ? AGAIN_MS : -1);
        if (fds[0].revents != 0)
            return NULL;
        if (peers->fd < 0) {
            listen_again(peers);
        } else if (ready > 0 && fds[1].revents != 0 && !take_all(peers)) {
            cfg_log("warning", "news", "not_heard",
                    "reason=\"the connection to the database broke\"");
            peers->fd = -1;
        }
    }
}

static bool start(srv_peers *peers, GError **error) {
    const char *text;
    peers->store = srv_store_open(peers->url, error);
    if (!peers->store)
        return false;
    peers->db = srv_db_open(peers->url, SRV_DB_EXISTING);
    peers->fd = peers->db->usable ? srv_db_listen(peers->db) : -1;
    if (peers->fd < 0) {
        srv_db_problem(peers->db, &text);
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                         "cannot listen to the other servers: %s", text);
    }
    return srv_thread_start(&peers->thread, "news", listen_loop, peers, error);
}

static void release(srv_peers *peers) {
    srv_db_close(peers->db);
    srv_store_close(peers->store);
    close(peers->stop_fd);
    g_free(peers->url);
    g_free(peers);
}

srv_peers *srv_peers_start(const char *url, srv_changes *changes, const srv_peers_calls *told,
                           GError **error) {
    srv_peers *peers = g_new0(srv_peers, 1);
    *peers = (srv_peers){.url = g_strdup(url), .changes = changes, .told = *told};
    peers->stop_fd = eventfd(0, EFD_CLOEXEC);
    if (start(peers, error))
        return peers;
    release(peers);
    return NULL;
}

void srv_peers_stop(srv_peers *peers) {
    if (!peers)
        return;
    if (eventfd_write(peers->stop_fd, 1) == 0)
        pthread_join(peers->thread, NULL);
    release(peers);
}
