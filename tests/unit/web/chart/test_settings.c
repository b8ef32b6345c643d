#include "tests/unit/test.h"

#include "web/chart/settings.h"

#include <glib.h>

/* Texts with ' for ". */
static json_t *json_of(const char *text) {
    g_autofree char *json = g_strdelimit(g_strdup(text), "'", '"');
    json_t *value = json_loads(json, 0, NULL);
    assert_non_null(value);
    return value;
}

static void what_was_set_otherwise_is_told_by_dotted_names(void **state) {
    (void)state;
    static const struct {
        const char *a, *b, *wanted;
    } cases[] = {
        {"{'kernel':'6.1'}", "{'kernel':'6.1'}", "[]"},
        {"{'kernel':'6.1'}", "{'kernel':'6.11'}", "[{'key':'kernel','a':'6.1','b':'6.11'}]"},
        {"{'jvm':{'heap':1,'gc':'g1'}}", "{'jvm':{'heap':2,'gc':'g1'}}",
         "[{'key':'jvm.heap','a':1,'b':2}]"},
        {"{'cpu':'x'}", "{'node':{'name':'n'}}",
         "[{'key':'cpu','a':'x','b':null},{'key':'node.name','a':null,'b':'n'}]"},
        /* one loop more that had not settled is nothing that somebody set */
        {"{'detail':{'warmup':{'none':1}}}",
         "{'detail':{'warmup':{'none':2},'budget':3,'strays':{},'tmp':'private'}}",
         "[{'key':'detail.tmp','a':null,'b':'private'}]"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *a = json_of(cases[i].a), *b = json_of(cases[i].b);
        json_auto_t *wanted = json_of(cases[i].wanted), *found = web_settings_differ(a, b);
        assert_true(json_equal(found, wanted));
    }
    json_auto_t *none = web_settings_differ(NULL, NULL);
    assert_int_equal(json_array_size(none), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_set_otherwise_is_told_by_dotted_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
