#pragma once
/*
 * views_page - pages of a list: where the last one ended, and how long this one is.
 *
 * A cursor is the key of the last item shown: "<id>", or "<night>~<time>~<id>". It stays right
 * while the list grows.
 */
#include "server/store/store_sql.h"
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
 * is worked out of it; may be NULL. rows: by project, key that they are below, and count. */
json_t *srv__page_of_rows(srv_store *store, const char *project, srv_page page, const srv_sql *rows,
                          void (*finish)(json_t *row), GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__page_by_id - such a key: the item's "id". */
char *srv__page_by_id(const json_t *item);

/* Where a night stands among its project's; id: the experiment. Its date is borrowed. */
typedef struct {
    const char *night;
    int64_t time_ms, id;
} srv__night_key;

/* srv__night_key_of - of a night as views show it. srv__page_by_night - as srv__page_by_id. */
srv__night_key srv__night_key_of(const json_t *night);
char *srv__page_by_night(const json_t *item);
