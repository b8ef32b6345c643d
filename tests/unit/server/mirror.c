#include "tests/unit/test.h"

#include "tests/unit/server/mirror.h"

int mirror_setup(void **state) {
    *state = repository_new();
    return srv_repo_init("/nonexistent", NULL) ? 0 : -1;
}

int mirror_teardown(void **state) {
    repository_free(*state);
    return 0;
}

srv_repo_fetched mirror_update(const repository *at, const char *releases) {
    g_autoptr(GError) error = NULL;
    const srv_repo_source source = {.url = at->url, .branch = "main", .releases = releases};
    srv_repo_fetched fetched = {.head = ""};
    if (!srv_repo_update(at->mirror, &source, &fetched, &error))
        fail_msg("%s", error->message);
    return fetched;
}
