/* Any bytes as a request target, asked of every route: what is kept under a key hangs on nothing
 * else, and the key is a target that has itself as key. */
#include "server/routes/routes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The key of a GET for this target; NULL when it is refused. */
static char *key_of(const char *target, bool *expensive) {
    size_t n = 0;
    const srv_route *routes = srv_routes(&n);
    srv_request request = {.method = g_strdup("GET")};
    g_autofree char *allowed = NULL;
    char *key = NULL;
    if (srv_request_parse_target(&request, target, NULL))
        request.route = srv_route_find(routes, n, &request, &allowed);
    if (request.route) {
        g_autoptr(GError) error = NULL;
        bool known = srv_route_query_check(request.route, &request, &error);
        if (known != (error == NULL) || (error && !g_utf8_validate(error->message, -1, NULL)))
            abort();
        *expensive = srv_route_expensive(request.route, &request);
        key = known ? srv_route_key(request.route, &request) : NULL;
    }
    srv_request_clear(&request);
    return key;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autofree char *target = g_strndup((const char *)data, size);
    bool heavy = false, again_heavy = false;
    g_autofree char *key = key_of(target, &heavy);
    if (!key)
        return 0;
    g_autofree char *again = key_of(key, &again_heavy);
    if (!again || strcmp(again, key) != 0 || heavy != again_heavy)
        abort();
    return 0;
}
