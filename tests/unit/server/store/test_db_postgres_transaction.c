/* Commits of PostgreSQL whose answer got lost, through a proxy that cuts the connection. */
#include "tests/unit/server/store/world.h"

#include "server/store/db_postgres.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef enum {
    CUT_BEFORE,  /* the server does not see the COMMIT */
    CUT_AFTER,   /* it has done it, and nobody hears of that */
    CUT_FOREVER, /* likewise, and it cannot be reached any more */
} cut;

typedef struct {
    struct sockaddr_un here, there;
    cut how;
    int listening, stop[2];
    pthread_t thread;
} proxy;

static bool is_commit(const char *bytes, ssize_t size) {
    return memmem(bytes, (size_t)size, "COMMIT", sizeof "COMMIT") != NULL;
}

/* One connection, until it ends or is cut; false: no further one. */
static bool forward(proxy *p, int client) {
    char bytes[65536];
    const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool open = connect(server, (const struct sockaddr *)&p->there, sizeof p->there) == 0;
    bool more = true;
    while (open) {
        struct pollfd fds[] = {{.fd = client, .events = POLLIN}, {.fd = server, .events = POLLIN}};
        poll(fds, 2, -1);
        const int from = fds[0].revents ? client : server;
        const ssize_t size = read(from, bytes, sizeof bytes);
        const bool cuts = from == client && size > 0 && is_commit(bytes, size);
        open = size > 0 && !(cuts && p->how == CUT_BEFORE) &&
               write(from == client ? server : client, bytes, (size_t)size) == size;
        if (open && cuts) {
            open = read(server, bytes, sizeof bytes) < 0;
            more = p->how != CUT_FOREVER;
        }
    }
    close(server);
    close(client);
    return more;
}

static void *serve(void *data) {
    proxy *p = data;
    for (bool more = true; more;) {
        struct pollfd fds[] = {{.fd = p->listening, .events = POLLIN},
                               {.fd = p->stop[0], .events = POLLIN}};
        poll(fds, 2, -1);
        more = fds[1].revents == 0 && forward(p, accept(p->listening, NULL, NULL));
    }
    close(p->listening);
    return NULL;
}

static void address(struct sockaddr_un *to, const char *folder) {
    to->sun_family = AF_UNIX;
    g_snprintf(to->sun_path, sizeof to->sun_path, "%s/.s.PGSQL.5432", folder);
}

static void proxy_start(proxy *p, const world *w) {
    const char *host = strstr(w->url, "host=") + strlen("host=");
    g_autofree char *folder = g_strndup(host, strcspn(host, " "));
    address(&p->here, w->dir);
    address(&p->there, folder);
    p->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(p->listening, (const struct sockaddr *)&p->here, sizeof p->here), 0);
    assert_int_equal(listen(p->listening, 8), 0);
    assert_int_equal(pipe(p->stop), 0);
    assert_int_equal(pthread_create(&p->thread, NULL, serve, p), 0);
}

static void proxy_end(proxy *p) {
    assert_int_equal(write(p->stop[1], "", 1), 1);
    pthread_join(p->thread, NULL);
    close(p->stop[0]);
    close(p->stop[1]);
    unlink(p->here.sun_path);
}

/* A row is written through a proxy that cuts; was it said to be there, and is it? */
static bool commit_through(world *w, cut how, srv_db_class *class) {
    proxy p = {.how = how};
    g_autofree char *url = NULL;
    const char *text;
    step_1(w->db);
    proxy_start(&p, w);
    url = g_strdup_printf("%s host=%s", w->url, w->dir);
    srv_db *db = connect_to(url, SRV_DB_WRITE);
    ((srv__postgres *)db)->patience_ms = 200;
    assert_true(srv_db_begin(db));
    assert_int_equal(run(db, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_END);
    const bool good = srv_db_commit(db);
    *class = srv_db_problem(db, &text);
    srv_db_roll_back(db);
    srv_db_close(db);
    proxy_end(&p);
    return good;
}

static void a_commit_whose_answer_got_lost_is_acknowledged(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    srv_db_class class;
    assert_true(commit_through(w, CUT_AFTER, &class));
    assert_int_equal(count(w->db), 1);
}

static void a_commit_that_never_arrived_is_not(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    srv_db_class class;
    assert_false(commit_through(w, CUT_BEFORE, &class));
    assert_int_equal(class, SRV_DB_LOST);
    assert_int_equal(count(w->db), 0);
}

static void what_nobody_can_tell_is_said_to_be_unknown(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    srv_db_class class;
    assert_false(commit_through(w, CUT_FOREVER, &class));
    assert_int_equal(class, SRV_DB_UNKNOWN);
    assert_int_equal(count(w->db), 1);
}

static void one_writes_at_a_time(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    srv_db *other = connect_to(w->url, SRV_DB_WRITE);
    assert_int_equal(run(other, "SET lock_timeout=1", NULL), SRV_DB_END);
    assert_true(srv_db_begin(w->db));
    assert_false(srv_db_begin(other));
    problem_is(other, SRV_DB_BUSY, "lock");
    assert_int_equal(count(other), 0); /* reading goes on */
    assert_true(srv_db_commit(w->db));
    assert_true(srv_db_begin(other));
    srv_db_roll_back(other);
    srv_db_close(other);
}

static srv_db *impatient(const world *w) {
    srv_db *db = connect_to(w->url, SRV_DB_WRITE);
    assert_int_equal(run(db, "SET lock_timeout=1", NULL), SRV_DB_END);
    return db;
}

/* But for who writes everywhere. */
static void parts_do_not_wait_for_each_other(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    srv_db *second = impatient(w), *third = impatient(w);
    assert_true(srv_db_begin_part(w->db, 1));
    assert_true(srv_db_begin_part(second, 2));
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('of one')", NULL), SRV_DB_END);
    assert_int_equal(run(second, "INSERT INTO thing(name) VALUES('of two')", NULL), SRV_DB_END);
    assert_false(srv_db_begin_part(third, 1));
    problem_is(third, SRV_DB_BUSY, "lock");
    assert_false(srv_db_begin(third));
    problem_is(third, SRV_DB_BUSY, "lock");
    assert_true(srv_db_commit(second));
    assert_true(srv_db_commit(w->db));
    assert_int_equal(count(third), 2);
    assert_true(srv_db_begin(third));
    assert_false(srv_db_begin_part(second, 2));
    problem_is(second, SRV_DB_BUSY, "lock");
    srv_db_roll_back(third);
    assert_true(srv_db_begin_part(second, 2));
    srv_db_roll_back(second);
    srv_db_close(second);
    srv_db_close(third);
}

/* A transaction in which something failed commits nothing, whatever the server answers. */
static void a_transaction_with_an_error_is_not_committed(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    assert_true(srv_db_begin(w->db));
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_END);
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_ERROR);
    assert_false(srv_db_commit(w->db));
    problem_is(w->db, SRV_DB_CONSTRAINT, "");
    srv_db_roll_back(w->db);
    assert_int_equal(count(w->db), 0);
    assert_false(srv_db_commit(w->db));
    problem_is(w->db, SRV_DB_OTHER, "no transaction");
}

static void what_is_told_is_heard_after_the_commit(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    char *text = NULL;
    srv_db *other = connect_to(w->url, SRV_DB_EXISTING);
    struct pollfd ear = {.fd = srv_db_listen(other), .events = POLLIN};
    assert_true(ear.fd >= 0);
    assert_true(srv_db_begin(w->db));
    assert_true(srv_db_tell(w->db, "it's new"));
    assert_true(other->driver->hear(other, &text));
    assert_null(text);
    assert_true(srv_db_commit(w->db));
    assert_int_equal(poll(&ear, 1, 10000), 1);
    assert_true(other->driver->hear(other, &text));
    assert_string_equal(text, "it's new");
    g_free(text);
    assert_true(other->driver->hear(other, &text));
    assert_null(text);
    srv_db_close(other);
}

/* The row of a connection says which of its transactions was the last that came to its end. */
static void every_commit_leaves_its_number(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    srv__postgres *db = (srv__postgres *)w->db;
    const int64_t before = db->commits;
    g_autofree char *mine =
        g_strdup_printf("SELECT number FROM moowatch_commit WHERE connection='%s'", db->own);
    for (int i = 1; i <= 3; i++) {
        g_autofree char *sql = g_strdup_printf("INSERT INTO thing(name) VALUES('%d')", i);
        int64_t number = 0;
        assert_true(srv_db_begin(w->db));
        assert_int_equal(run(w->db, sql, NULL), SRV_DB_END);
        assert_true(srv_db_commit(w->db));
        assert_int_equal(run(w->db, mine, &number), SRV_DB_END);
        assert_int_equal(number, before + i);
        assert_int_equal(db->commits, before + i);
    }
}

/* What only read, or changed nothing, leaves no mark. */
static void whoever_does_not_write_leaves_no_mark(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    int64_t marks = -1;
    step_1(w->db);
    assert_int_equal(run(w->db, "SELECT count(*) FROM moowatch_commit", &marks), SRV_DB_END);
    const int64_t before = marks;
    srv_db *other = connect_to(w->url, SRV_DB_WRITE);
    assert_true(srv_db_begin(other));
    assert_int_equal(count(other), 0);
    assert_true(srv_db_commit(other));
    assert_int_equal(run(other, "SELECT count(*) FROM moowatch_commit", &marks), SRV_DB_END);
    assert_int_equal(marks, before);
    srv_db_close(other);
}

static void who_does_not_know_the_schema_does_not_write(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    srv_db_expect(w->db, 1);
    assert_true(srv_db_begin(w->db));
    srv_db_roll_back(w->db);
    srv_db *newer = connect_to(w->url, SRV_DB_WRITE);
    assert_true(newer->driver->upgrade(newer, "CREATE TABLE more(id INTEGER);", 2));
    assert_false(srv_db_begin(w->db));
    problem_is(w->db, SRV_DB_NEWER, "newer");
    assert_int_equal(count(w->db), 0); /* reading goes on */
    assert_false(srv_db_begin(w->db)); /* and nothing is left of the attempt */
    srv_db_expect(w->db, 2);
    assert_true(srv_db_begin(w->db));
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_END);
    assert_true(srv_db_commit(w->db));
    srv_db_close(newer);
}

/* Who goes on after a failure is told of that one, not that nothing is done any more; and nobody
 * hears what was told after it. */
static void the_first_problem_of_a_transaction_stays(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    assert_true(srv_db_begin(w->db));
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a'), ('a')", NULL), SRV_DB_ERROR);
    assert_int_equal(run(w->db, "SELECT count(*) FROM thing", NULL), SRV_DB_ERROR);
    assert_false(srv_db_tell(w->db, "news"));
    assert_false(srv_db_commit(w->db));
    problem_is(w->db, SRV_DB_CONSTRAINT, "unique");
    srv_db_roll_back(w->db);
    assert_int_equal(count(w->db), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_commit_whose_answer_got_lost_is_acknowledged),
        WORLD_TEST(a_commit_that_never_arrived_is_not),
        WORLD_TEST(what_nobody_can_tell_is_said_to_be_unknown),
        WORLD_TEST(one_writes_at_a_time),
        WORLD_TEST(parts_do_not_wait_for_each_other),
        WORLD_TEST(a_transaction_with_an_error_is_not_committed),
        WORLD_TEST(the_first_problem_of_a_transaction_stays),
        WORLD_TEST(what_is_told_is_heard_after_the_commit),
        WORLD_TEST(every_commit_leaves_its_number),
        WORLD_TEST(whoever_does_not_write_leaves_no_mark),
        WORLD_TEST(who_does_not_know_the_schema_does_not_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
