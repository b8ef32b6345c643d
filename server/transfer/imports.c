#include "server/transfer/export.h"

#include "server/ground/error.h"

struct srv_imports {
    srv__place place;
};

srv_imports *srv_imports_open(const char *dir, uint64_t limit_bytes, uint64_t reserve_bytes,
                              GError **error) {
    srv_imports *imports = g_new0(srv_imports, 1);
    imports->place = (srv__place){.dir = g_strdup(dir),
                                  .what = "import",
                                  .limit_key = "import_limit_bytes",
                                  .limit_bytes = limit_bytes,
                                  .reserve_bytes = reserve_bytes,
                                  .passing = true};
    if (srv__place_open(&imports->place, error))
        return imports;
    srv_imports_close(imports);
    return NULL;
}

void srv_imports_close(srv_imports *imports) {
    if (!imports)
        return;
    g_free(imports->place.dir);
    g_free(imports);
}

srv__incoming *srv_imports_begin(const srv_imports *imports, int64_t size_bytes, GError **error) {
    return srv__incoming_new(&imports->place, size_bytes, error);
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
