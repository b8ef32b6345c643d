#include "server/alarm/note_queries.h"

bool srv__note_insert(srv_store *store, int64_t project, const srv_note *note, int64_t now_ms,
                      int64_t *id, GError **error) {
    return srv__insert(store,
                       "INSERT INTO note(project_id, night, text, author, made_ms)"
                       " VALUES($1,$2,$3,$4,$5) RETURNING id",
                       SRV__ARGS(SRV__I(project), SRV__T(note->night), SRV__T(note->text),
                                 SRV__T(note->author), SRV__I(now_ms)),
                       id, error);
}

bool srv__note_end(srv_store *store, int64_t id, const char *author, int64_t now_ms,
                   int64_t *changed, GError **error) {
    return srv__run(store,
                    "UPDATE note SET removed_ms=$2, removed_by=$3 WHERE id=$1"
                    " AND removed_ms IS NULL",
                    SRV__ARGS(SRV__I(id), SRV__I(now_ms), SRV__T(author)), changed, error);
}
