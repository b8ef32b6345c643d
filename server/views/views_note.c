#include "server/store/projects.h"
#include "server/views/views.h"
#include "server/views/views_note_queries.h"
#include "server/views/views_page.h"

json_t *srv_view_notes(srv_store *store, const char *project, srv_page page, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, false, &cursor, error) ||
        !srv__project_id(store, project, &id, error))
        return NULL;
    json_t *items = srv__note_rows(store, id, cursor.id, limit + 1, error);
    return items ? srv__page_of(items, limit, srv__page_by_id) : NULL;
}
