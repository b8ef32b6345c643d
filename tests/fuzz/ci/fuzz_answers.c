/* What a server answers to the command moowatch: a night and a job, through each of the command's
 * writers. */
#include "ci/command/client.h"
#include "ci/formats/policy.h"
#include "ci/formats/write.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Text; where it is marked up, none that a reader takes for something else. */
static void check(char *text, bool marked_up) {
    if (!text || !g_utf8_validate(text, -1, NULL) ||
        (marked_up && (strchr(text, 0x1b) || strstr(text, "<script"))))
        abort();
    g_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_t *told = json_loadb((const char *)data, size, 0, NULL);
    if (json_is_object(told)) {
        check(ci_markdown("a title", told), true);
        check(ci_junit("a title", told), true);
        check(ci_plot_csv("a title", told), false);
        check(ci_html("a title", told), true);
        check(ci_headline(told), false);
        g_autoptr(GError) error = NULL;
        if ((ci_job_ended(told, &error) == CI_OK) != (!error))
            abort();
    }
    json_decref(told);
    return 0;
}
