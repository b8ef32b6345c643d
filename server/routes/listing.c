#include "server/routes/listing.h"

bool srv__page_asked(const srv_request *request, srv_page *page, GError **error) {
    uint64_t limit = SRV_PAGE_DEFAULT;
    if (!srv_request_unsigned(request, "limit", 1, SRV_PAGE_LIMIT, &limit, error))
        return false;
    page->limit = (unsigned)limit;
    page->cursor = srv_request_query(request, "cursor");
    return true;
}

srv_reply *srv__reply_view(json_t *value, GError *error) {
    return value ? srv_reply_json(200, value) : srv_reply_error(error);
}

srv_reply *srv__reply_page(srv_store *store, const srv_request *request, srv__view_page view) {
    GError *error = NULL;
    srv_page page;
    json_t *list = NULL;
    if (srv__page_asked(request, &page, &error))
        list = view(store, request->params[0], page, &error);
    return srv__reply_view(list, error);
}

srv_reply *srv__reply_one(srv_store *store, const srv_request *request, srv__view_one view) {
    GError *error = NULL;
    int64_t id = 0;
    json_t *one = NULL;
    if (srv_request_id(request, 0, &id, &error))
        one = view(store, id, &error);
    return srv__reply_view(one, error);
}
