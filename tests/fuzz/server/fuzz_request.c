/* Any bytes as a request target: no crash, and a path that is taken has no trick in it. */
#include "config/credential.h"
#include "server/git/repo_name.h"
#include "server/routes/routes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const srv_request *request) {
    if (request->path[0] != '/' || !g_utf8_validate(request->path, -1, NULL) ||
        strstr(request->path, "/../") != NULL || g_str_has_suffix(request->path, "/.."))
        abort();
    for (const char *c = request->path; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = g_strndup((const char *)data, size);
    srv_request request = {.method = g_strdup(size % 2 == 0 ? "GET" : "POST")};
    size_t n = 0;
    const srv_route *routes = srv_routes(&n);
    if (srv_request_parse_target(&request, text, NULL)) {
        char *allowed = NULL;
        int64_t id = 0;
        check(&request);
        request.route = srv_route_find(routes, n, &request, &allowed);
        if (request.params[0] && srv_request_id(&request, 0, &id, NULL) && id <= 0)
            abort();
        g_free(allowed);
    }
    srv_request_clear(&request);
    char *shown = cfg_url_hide(text, text);
    if (srv_repo_url_check(text, NULL) && text[0] == '-')
        abort();
    if (srv_repo_branch_check(text, NULL) && text[0] == '-')
        abort();
    g_free(shown);
    g_free(text);
    return 0;
}
