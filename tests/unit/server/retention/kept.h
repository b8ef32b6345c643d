#pragma once
/* Passes of the retention over a fixture, and what is there then, for its tests. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/retention/retention.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/sql_text.h"

#define DAY_MS INT64_C(86400000)
#define HOUR_MS INT64_C(3600000)
/* Of a night that begins with 70 ns: two of five loops of the first configuration differ in whole
 * ns. */
#define JOB_FILES (3 * FIX_LOOPS + 2)

static inline int64_t counted(fixture *fix, const char *sql) {
    int64_t number = -1;
    assert_true(srv__number(fix->store, sql_text(sql, ""), SRV__NO_ARGS, 0, &number, NULL));
    return number;
}

/* Rows of files that are there, files that have yet to go, and jobs without raw data by a policy.
 */
static inline void there(fixture *fix, int64_t rows, int64_t going, int64_t jobs_removed) {
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw"), rows);
    assert_int_equal(counted(fix, "SELECT count(*) FROM gone"), going);
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw_job WHERE removed_ms IS NOT NULL"),
                     jobs_removed);
    /* what the sums say is what there is */
    assert_int_equal(counted(fix, "SELECT CAST(sum(files) AS BIGINT) FROM raw_job"
                                  " WHERE removed_ms IS NULL"),
                     rows);
    assert_int_equal(counted(fix, "SELECT CAST(sum(bytes) AS BIGINT) FROM raw_job"
                                  " WHERE removed_ms IS NULL"),
                     counted(fix, "SELECT CAST(sum(bytes) AS BIGINT) FROM raw"));
}

static inline bool has_raw(fixture *fix, int64_t experiment) {
    g_autoptr(GError) error = NULL;
    int64_t rows = 0;
    assert_true(
        srv__number(fix->store,
                    sql_text("SELECT count(*) FROM raw r JOIN experiment e ON e.job_id=r.job_id"
                             " WHERE e.id=$1",
                             "i"),
                    SRV__ARGS(experiment), 0, &rows, &error));
    assert_true(rows == 0 || rows == JOB_FILES);
    return rows > 0;
}
