#include "server/transfer/transfer_rows.h"

#include "config/branch.h"
#include "server/result/benchmark.h"
#include "sql/transfer.h"

/* As config/ has it. */
#define AGEING_DAYS_MOST 36500
#define AGEING_DAYS_USUAL 30

bool srv__import_project_insert(srv_store *store, const char *name, const json_t *header,
                                const char *branch, int64_t benchmark, int64_t *id,
                                GError **error) {
    const json_t *detection = json_object_get(header, "detection");
    g_autofree char *limits = srv_json_canonical(detection);
    g_autofree char *whole = cfg_branch_main(name);
    const json_t *said = json_object_get(detection, "ageing_days");
    const json_int_t ageing_days = said ? json_integer_value(said) : AGEING_DAYS_USUAL;
    return srv__insert(store, SQL(import_project_insert),
                       SRV__ARGS(SRV__T(name),
                                 SRV__T(json_string_value(json_object_get(header, "title"))),
                                 SRV__T(json_string_value(json_object_get(header, "repository"))),
                                 SRV__T(branch), SRV__I(benchmark), SRV__T(limits),
                                 SRV__I(CLAMP(ageing_days, 0, AGEING_DAYS_MOST)),
                                 SRV__T(g_strcmp0(whole, name) == 0 ? NULL : whole)),
                       id, error);
}
