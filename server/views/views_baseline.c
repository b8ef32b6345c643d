#include "server/views/views.h"
#include "server/views/views_baseline_queries.h"
#include "server/views/views_page.h"

json_t *srv_view_baselines(srv_store *store, const char *project, srv_page page, GError **error) {
    return srv__page_of_rows(store, project, page, srv__baseline_rows, NULL, error);
}
