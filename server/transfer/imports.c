#include "server/transfer/export.h"

#include "server/ground/error.h"

srv__place *srv_imports_open(const char *dir, uint64_t limit_bytes, uint64_t reserve_bytes,
                             GError **error) {
    const srv__place about = {.dir = g_strdup(dir),
                              .what = "import",
                              .limit_key = "import_limit_bytes",
                              .limit_bytes = limit_bytes,
                              .reserve_bytes = reserve_bytes};
    return srv__place_new(&about, error);
}

bool srv_imports_finish(srv__incoming *upload, srv_store *store, const char *project,
                        int64_t now_ms, json_t **report, unsigned *line, GError **error) {
    g_autoptr(srv_import) import = srv_import_new(store, project, now_ms);
    FILE *file = srv__incoming_reopen(upload, error);
    bool good = file && srv_import_whole(import, file, error);
    *line = good || file == NULL ? 0 : srv_import_lines(import);
    *report = good ? srv_import_report(import) : NULL;
    if (file)
        (void)fclose(file);
    srv__incoming_free(upload);
    return good;
}
