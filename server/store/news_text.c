/* The lines of news: "<who> j12 n5 a7": by whom, and what has changed. Or "<who> ? project": it is
 * to be polled. */
#include "server/ground/auth_random.h"
#include "server/store/db.h"
#include "server/store/news.h"

#include <string.h>
#include <unistd.h>

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

GPtrArray *srv__news_texts(const GArray *events) {
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

char *srv__news_ask_text(const char *project) {
    return g_strdup_printf("%s ? %s", origin(), project);
}

void srv__news_clear(srv__news *news) {
    g_array_free(news->events, TRUE);
    g_free(news->asked);
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

bool srv__news_read(const char *text, srv__news *news) {
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    *news = (srv__news){.events = g_array_new(FALSE, FALSE, sizeof(srv__pending))};
    if (!words[0] || strlen(words[0]) < ORIGIN_BYTES)
        return false;
    news->ours = g_str_equal(words[0], origin());
    if (g_strcmp0(words[1], "?") == 0) {
        news->asked = g_strdup(words[2]);
        return words[2] && !words[3];
    }
    bool good = true;
    for (char **word = words + 1; good && *word; word++)
        good = event_read(*word, news->events);
    return good;
}
