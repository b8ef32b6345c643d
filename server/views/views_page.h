#pragma once
/*
 * views_page - pages of a list: where the last one ended, and how long this one is.
 *
 * A cursor is the key of the last item shown: "<id>", or "<night>~<time>~<id>". It stays right
 * while the list grows.
 */
#include "server/views/views.h"

typedef struct {
    char night[11];
    int64_t time_ms, id;
} srv__cursor;

/* srv__page_limit - INVALID when too large. */
bool srv__page_limit(srv_page page, unsigned *limit, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__cursor_read - no cursor gives one that lies behind everything. INVALID. */
bool srv__cursor_read(const char *text, bool with_night, srv__cursor *cursor,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__page_of - {"items","next"} from up to limit + 1 items (taken); key makes the cursor of an
 * item, owned. */
json_t *srv__page_of(json_t *items, unsigned limit, char *(*key)(const json_t *item));
/* srv__page_of_rows - a project's rows, newest first, as such a page. finish: puts into each what
 * is worked out of it; may be NULL. */
typedef json_t *(*srv__rows_below)(srv_store *store, int64_t project, int64_t below, unsigned count,
                                   GError **error);
json_t *srv__page_of_rows(srv_store *store, const char *project, srv_page page,
                          srv__rows_below rows, void (*finish)(json_t *row),
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__page_by_id - such a key: the item's "id". */
char *srv__page_by_id(const json_t *item);
