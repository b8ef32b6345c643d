#include "server/http/route.h"

#include <string.h>

static void drop(char **params) {
    for (size_t i = 0; i < SRV_REQUEST_PARAMS; i++)
        g_clear_pointer(&params[i], g_free);
}

bool srv_route_match(const char *pattern, const char *path, char **params) {
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
        if (!srv_route_match(routes[i].pattern, request->path, request->params))
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
