#include "server/views/views.h"
#include "server/views/views_note_queries.h"
#include "server/views/views_page.h"

json_t *srv_view_notes(srv_store *store, const char *project, srv_page page, GError **error) {
    return srv__page_of_rows(store, project, page, srv__note_rows, NULL, error);
}
