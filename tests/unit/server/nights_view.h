#pragma once
/* Pages of nights as JSON, as the API has them. */
#include "server/views/views.h"

static inline json_t *nights_view(srv_store *store, const char *project, srv_dates dates,
                                  srv_page page, bool brief, GError **error) {
    g_auto(model_list) nights = {0};
    g_autofree char *next = NULL;
    dates.brief = brief;
    if (!srv_nights_page(store, project, dates, page, &nights, &next, error))
        return NULL;
    json_t *items = json_array();
    const cfg_night *all = nights.items;
    for (unsigned i = 0; i < nights.count; i++)
        json_array_append_new(items, model_write_as(&cfg_night_model, &all[i],
                                                    brief ? CFG_NIGHT_BRIEF : CFG_NIGHT_FULL));
    return json_pack("{s:o, s:s?}", "items", items, "next", next);
}

static inline json_t *srv_view_nights(srv_store *store, const char *project, srv_dates dates,
                                      srv_page page, GError **error) {
    return nights_view(store, project, dates, page, false, error);
}

static inline json_t *srv_view_nights_brief(srv_store *store, const char *project, srv_dates dates,
                                            srv_page page, GError **error) {
    return nights_view(store, project, dates, page, true, error);
}
