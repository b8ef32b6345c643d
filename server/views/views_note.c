#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_page.h"
#include "sql/views.h"

json_t *srv_view_notes(srv_store *store, const char *project, srv_page page, GError **error) {
    return srv__page_of_rows(store, project, page, SQL(note_rows), NULL, error);
}
