#include "server/queue/queue_queries.h"
#include "server/store/projects.h"
#include "server/views/views_page.h"

json_t *srv_view_artifacts(srv_store *store, const char *project, srv_page page, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, false, &cursor, error) ||
        !srv__project_id(store, project, &id, error))
        return NULL;
    json_t *items = srv__array(store,
                               SRV__ARTIFACT_VIEW " WHERE f.project_id=$1 AND f.removed_ms IS NULL"
                                                  " AND f.id<$2 ORDER BY f.id DESC LIMIT $3",
                               SRV__ARGS(SRV__I(id), SRV__I(cursor.id), SRV__I(limit + 1)), error);
    return items ? srv__page_of(items, limit, srv__page_by_id) : NULL;
}
