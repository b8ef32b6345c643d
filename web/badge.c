#include "web/badge.h"

#include <math.h>
#include <string.h>

#include "web/axis.h"
#include "web/history.h"
#include "web/layout.h"

#define LABEL "overhead"
#define SIZE 11.0
#define PADDING 6.0
#define HEIGHT 20

typedef struct {
    char *message;
    const char *colour, *shields; /* contrast with white text is at least 4.5:1 */
} state;

static state state_of(const json_t *project) {
    const json_t *alert = json_object_get(project, "alert");
    json_int_t nights = json_integer_value(json_object_get(project, "nights"));
    json_int_t quiet = json_integer_value(json_object_get(project, "quiet_nights"));
    if (json_is_object(alert)) {
        const json_t *difference = json_object_get(json_object_get(alert, "difference"), "mean_ns");
        double ns = json_number_value(difference);
        g_autofree char *name =
            web_text_clean(json_string_value(json_object_get(alert, "portion")), 12);
        g_autofree char *size = web_format_value(fabs(ns));
        return (state){g_strdup_printf("%s %s%s", name, ns < 0 ? "−" : "+", size),
                       ns < 0 ? "#0b62a8" : "#b3002a", ns < 0 ? "blue" : "red"};
    }
    if (json_is_string(json_object_get(project, "problem")))
        return (state){g_strdup("problem"), "#8a5200", "orange"};
    if (nights <= 0)
        return (state){g_strdup("no data"), "#57606a", "lightgrey"};
    return (state){g_strdup_printf("quiet for %" JSON_INTEGER_FORMAT " %s", quiet,
                                   quiet == 1 ? "night" : "nights"),
                   "#116932", "brightgreen"};
}

GBytes *web_badge_svg(const json_t *project) {
    state s = state_of(project);
    int left = (int)ceil(web_text_width(LABEL, SIZE) + 2 * PADDING);
    int right = (int)ceil(web_text_width(s.message, SIZE) + 2 * PADDING);
    g_autofree char *message = g_markup_escape_text(s.message, -1);
    char *svg = g_strdup_printf(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\" "
        "aria-label=\"" LABEL ": %s\"><title>" LABEL ": %s</title>"
        "<clipPath id=\"r\"><rect width=\"%d\" height=\"%d\" rx=\"3\"/></clipPath>"
        "<g clip-path=\"url(#r)\"><rect width=\"%d\" height=\"%d\" fill=\"#444c56\"/>"
        "<rect x=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/></g>"
        "<g fill=\"#fff\" text-anchor=\"middle\" font-family=\"DejaVu Sans,Verdana,sans-serif\" "
        "font-size=\"%d\"><text x=\"%.1f\" y=\"14\">" LABEL
        "</text><text x=\"%.1f\" y=\"14\">%s</text></g></svg>\n",
        left + right, HEIGHT, message, message, left + right, HEIGHT, left, HEIGHT, left, right,
        HEIGHT, s.colour, (int)SIZE, left / 2.0, left + right / 2.0, message);
    g_free(s.message);
    return g_bytes_new_take(svg, strlen(svg));
}

json_t *web_badge_shields(const json_t *project) {
    state s = state_of(project);
    json_t *out = json_pack("{s:i, s:s, s:s, s:s}", "schemaVersion", 1, "label", LABEL, "message",
                            s.message, "color", s.shields);
    g_free(s.message);
    return out;
}
