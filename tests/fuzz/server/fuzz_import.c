/* An export, line by line, as one project more of a database in memory, which is made anew before
 * it grows slow. */
#include "tests/unit/server/database.h"
#include "tests/unit/server/transfer/imported.h"
#include "web/words/words.h"

#include <stdlib.h>

enum { PROJECTS = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static srv_store *store;
static int number;

static void leave(void) {
    if (store && !database_is_sound(store))
        abort();
    g_clear_pointer(&store, srv_store_close);
}

static srv_store *room_for_one(void) {
    static bool told;
    if (number++ % PROJECTS == 0)
        leave();
    if (!store && (store = srv_store_open(":memory:", NULL)) == NULL)
        abort();
    if (!told)
        (void)atexit(leave);
    told = true;
    return store;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autofree char *text = g_strndup((const char *)data, size);
    g_autofree char *name = NULL;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    srv_store *into = room_for_one();
    name = g_strdup_printf("p%d", number);
    g_autoptr(srv_import) import = srv_import_new(into, name, 1);
    bool good = true;
    for (char **line = lines; *line; line++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *whole = g_strconcat(*line, "\n", NULL);
        const bool taken = import_text(import, whole, &error);
        if (taken != (!error) || (error && error->message[0] == '\0'))
            abort();
        good = good && taken;
    }
    if (good) {
        json_t *report = srv_import_report(import);
        g_free(web_import_words(report));
        json_decref(report);
    }
    return 0;
}
