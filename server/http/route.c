#include "server/http/route.h"

#include "config/number.h"
#include "server/ground/error.h"

#include <gio/gio.h>
#include <string.h>

enum { SHOWN_MAX = 60 /* characters of a name in a message */ };

static void drop(char **params) {
    for (size_t i = 0; i < SRV_REQUEST_PARAMS; i++)
        g_clear_pointer(&params[i], g_free);
}

/* Does the pattern fit the decoded path?
 * params  filled with copies on success ([SRV_REQUEST_PARAMS], all NULL before) */
static bool route_match(const char *pattern, const char *path, char **params) {
    size_t n = 0;
    while (*pattern != '\0') {
        if (strncmp(pattern, "{*}", 3) == 0 && *path != '\0') {
            params[n] = g_strdup(path);
            return true;
        }
        if (strncmp(pattern, "{}", 2) == 0) {
            size_t length = strcspn(path, "/");
            if (length == 0 || n == SRV_REQUEST_PARAMS)
                break;
            params[n++] = g_strndup(path, length);
            path += length;
            pattern += 2;
            continue;
        }
        if (*pattern != *path)
            break;
        pattern++;
        path++;
    }
    if (*pattern == '\0' && *path == '\0')
        return true;
    drop(params);
    return false;
}

static bool method_fits(const srv_route *route, const char *method) {
    return strcmp(route->method, method) == 0 ||
           (strcmp(method, "HEAD") == 0 && strcmp(route->method, "GET") == 0);
}

const srv_route *srv_route_find(const srv_route *routes, size_t n, srv_request *request,
                                char **allowed) {
    g_autoptr(GString) methods = g_string_new("");
    *allowed = NULL;
    for (size_t i = 0; i < n; i++) {
        if (!route_match(routes[i].pattern, request->path, request->params))
            continue;
        if (method_fits(&routes[i], request->method))
            return &routes[i];
        drop(request->params);
        g_string_append_printf(methods, "%s%s", methods->len > 0 ? ", " : "", routes[i].method);
        if (strcmp(routes[i].method, "GET") == 0)
            g_string_append(methods, ", HEAD");
    }
    if (methods->len > 0)
        *allowed = g_strdup(methods->str);
    return NULL;
}

/* The length of the word that starts at *at, which moves there; 0 at the end. */
static size_t next_word(const char **at) {
    *at += strspn(*at, " ");
    return strcspn(*at, " ");
}

/* Of that word what is the parameter's name; 0: it is a mark. */
static size_t name_length(const char *word, size_t length) {
    return MIN(strcspn(word, SRV_QUERY_EXPENSIVE SRV_QUERY_DETAILS SRV_QUERY_WORDS), length);
}

/* The word of a parameter, "limit>500" or "view=bars|lines"; NULL: there is none. Caller frees. */
static char *word_of(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (size_t n = next_word(&names); n > 0; names += n, n = next_word(&names)) {
        const size_t mark = *names == SRV_QUERY_IGNORED;
        const size_t own = name_length(names, n) - mark;
        if (own > 0 && own == length && memcmp(names + mark, name, length) == 0)
            return g_strndup(names, n);
    }
    return NULL;
}

/* What the parameter of a word may be; NULL: anything. Caller frees. */
static char **values_of(const char *word) {
    const char *values = strstr(word, SRV_QUERY_WORDS);
    return values ? g_strsplit(values + strlen(SRV_QUERY_WORDS), "|", -1) : NULL;
}

static bool value_check(const char *word, const char *name, const char *value, GError **error) {
    g_auto(GStrv) values = values_of(word);
    if (!values || g_strv_contains((const char *const *)values, value))
        return true;
    const guint count = g_strv_length(values);
    g_autoptr(GString) all = g_string_new(values[0]);
    for (guint i = 1; i < count; i++)
        g_string_append_printf(all, "%s%s", i + 1 < count ? ", " : " or ", values[i]);
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s must be %s%s", name,
                     all->str, count == 1 ? ", or left out" : "");
}

/* "since, until, limit"; caller frees. */
static char *names_shown(const char *words) {
    GString *list = g_string_new(NULL);
    for (size_t n = next_word(&words); n > 0; words += n, n = next_word(&words)) {
        const size_t mark = *words == SRV_QUERY_IGNORED;
        const size_t length = name_length(words, n) - mark;
        if (length > 0)
            g_string_append_printf(list, "%s%.*s", list->len > 0 ? ", " : "", (int)length,
                                   words + mark);
    }
    return g_string_free(list, FALSE);
}

static bool unknown_parameter(const char *known, const char *name, GError **error) {
    g_autofree char *shown = g_utf8_substring(name, 0, MIN(g_utf8_strlen(name, -1), SHOWN_MAX));
    g_autofree char *list = names_shown(known);
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "there is no parameter \"%s\" here; %s%s", shown,
                     *list ? "this address takes " : "this address takes none", list);
}

bool srv_route_query_check(const srv_route *route, const srv_request *request, GError **error) {
    const char *known = route->query ? route->query : "";
    GHashTableIter pairs;
    gpointer name, value;
    if (strcmp(known, SRV_QUERY_ANY) == 0)
        return true;
    g_hash_table_iter_init(&pairs, request->query);
    while (g_hash_table_iter_next(&pairs, &name, &value)) {
        g_autofree char *word = word_of(known, name);
        if (!(word ? value_check(word, name, value, error) : unknown_parameter(known, name, error)))
            return false;
    }
    return true;
}

unsigned srv_route_choice(const srv_request *request, const char *name) {
    const char *value = srv_request_query(request, name);
    g_autofree char *word = value ? word_of(request->route->query, name) : NULL;
    g_auto(GStrv) values = word ? values_of(word) : NULL;
    unsigned chosen = 0;
    while (values && values[chosen] && strcmp(values[chosen], value) != 0)
        chosen++;
    return chosen;
}

/* What is not a number is answered 400, which costs nothing. */
static bool exceeds(const srv_request *request, const char *rule) {
    g_auto(GStrv) parts = g_strsplit(rule, SRV_QUERY_EXPENSIVE, 2);
    uint64_t most = 0;
    uint64_t value = 0;
    return cfg_number_unsigned(parts[1], 0, UINT64_MAX, &most) &&
           cfg_number_unsigned(srv_request_query(request, parts[0]), 0, UINT64_MAX, &value) &&
           value > most;
}

bool srv_route_expensive(const srv_route *route, const srv_request *request) {
    if (!route->query || !strstr(route->query, SRV_QUERY_EXPENSIVE))
        return false;
    g_auto(GStrv) words = g_strsplit(route->query, " ", -1);
    for (size_t i = 0; words[i]; i++)
        if (strcmp(words[i], SRV_QUERY_EXPENSIVE) == 0 ||
            (strstr(words[i], SRV_QUERY_EXPENSIVE) && exceeds(request, words[i])))
            return true;
    return false;
}

char *srv_route_key(const srv_route *route, const srv_request *request) {
    GString *key = g_string_new(NULL);
    const char *names = route->query ? route->query : "";
    char mark = '?';
    g_string_append_uri_escaped(key, request->path, "/", FALSE);
    for (size_t n = next_word(&names); n > 0; names += n, n = next_word(&names)) {
        if (*names == SRV_QUERY_IGNORED || name_length(names, n) == 0)
            continue;
        g_autofree char *name = g_strndup(names, name_length(names, n));
        const char *value = srv_request_query(request, name);
        if (!value)
            continue;
        g_string_append_printf(key, "%c%s=", mark, name);
        g_string_append_uri_escaped(key, value, NULL, FALSE);
        mark = '&';
    }
    /* No request line has a space in its target: nobody can ask for this one. */
    if (request->apart && route->query && strstr(route->query, SRV_QUERY_DETAILS))
        g_string_append(key, " " SRV_QUERY_DETAILS);
    return g_string_free(key, FALSE);
}
