#include "server/views/views_queries.h"

bool srv__project_of(srv_store *store, srv_thing thing, int64_t id, json_t **row, GError **error) {
    static const char *const sql[] = {
        [SRV_THING_JOB] =
            "SELECT p.name FROM job t JOIN project p ON p.id=t.project_id WHERE t.id=$1",
        [SRV_THING_SWEEP] =
            "SELECT p.name FROM sweep t JOIN project p ON p.id=t.project_id WHERE t.id=$1",
        [SRV_THING_ALERT] =
            "SELECT p.name FROM alert t JOIN project p ON p.id=t.project_id WHERE t.id=$1",
        [SRV_THING_INCIDENT] =
            "SELECT p.name FROM incident t JOIN project p ON p.id=t.project_id WHERE t.id=$1",
        [SRV_THING_PULL] =
            "SELECT p.name FROM pull t JOIN project p ON p.id=t.project_id WHERE t.id=$1",
        [SRV_THING_NOTE] =
            "SELECT p.name FROM note t JOIN project p ON p.id=t.project_id WHERE t.id=$1",
        [SRV_THING_BASELINE] =
            "SELECT p.name FROM baseline t JOIN project p ON p.id=t.project_id WHERE t.id=$1",
        [SRV_THING_EXPERIMENT] =
            "SELECT p.name FROM experiment t JOIN project p ON p.id=t.project_id WHERE t.id=$1"};
    return srv__object(store, sql[thing], SRV__ARGS(SRV__I(id)), row, error);
}
