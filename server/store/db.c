#include "server/store/db.h"

#include <string.h>

/* What a URL begins with. The first one has the plain paths, too. */
static const struct {
    const char *name;
    const srv_db_driver *driver;
} drivers[] = {
    {"sqlite", &srv_db_sqlite}, {"postgresql", &srv_db_postgres}, {"postgres", &srv_db_postgres}};

/* Of the driver that url names; or of the first one, at its beginning. */
static const srv_db_driver *driver_of(const char *url, const char **place) {
    const char *colon = strchr(url, ':');
    *place = url;
    for (size_t i = 0; colon && i < G_N_ELEMENTS(drivers); i++) {
        const size_t length = strlen(drivers[i].name);
        if ((size_t)(colon - url) == length && strncmp(url, drivers[i].name, length) == 0) {
            *place = colon + 1;
            return drivers[i].driver;
        }
    }
    return drivers[0].driver;
}

const char *srv_db_place(const char *url) {
    const char *place;
    (void)driver_of(url, &place);
    return place;
}

bool srv_db_is_server(const char *url) {
    const char *place;
    return driver_of(url, &place)->is_server;
}

bool srv_db_only_reads(const char *sql) {
    return g_str_has_prefix(sql + strspn(sql, " \n"), "SELECT");
}

srv_db *srv_db_open(const char *url, srv_db_mode mode) {
    const char *place;
    const srv_db_driver *driver = driver_of(url, &place);
    return driver->open(place, mode);
}

void srv_db_close(srv_db *db) {
    if (db)
        db->driver->close(db);
}

unsigned srv_db_writers(const char *url) {
    return srv_db_is_server(url) ? 4 : 2;
}

void srv_db_finish(srv_db_statement *statement) {
    if (statement)
        statement->driver->finish(statement);
}

bool srv_db_begin(srv_db *db) {
    return srv_db_begin_part(db, 0);
}

bool srv_db_compact(srv_db *db, bool *more) {
    *more = false;
    return !db->driver->compact || db->driver->compact(db, more);
}

void srv_db_expect(srv_db *db, int64_t version) {
    if (db->driver->expect)
        db->driver->expect(db, version);
}

bool srv_db_tell(srv_db *db, const char *text) {
    return !db->driver->tell || db->driver->tell(db, text);
}

int srv_db_listen(srv_db *db) {
    return db->driver->listen ? db->driver->listen(db) : -1;
}
