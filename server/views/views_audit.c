#include "server/store/store_audit.h"
#include "server/views/views.h"
#include "server/views/views_page.h"

json_t *srv_view_audit(srv_store *store, const char *kind, srv_page page, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, false, &cursor, error))
        return NULL;
    json_t *items = srv__audit_page(store, kind, cursor.id, limit + 1, error);
    return items ? srv__page_of(items, limit, srv__page_by_id) : NULL;
}
