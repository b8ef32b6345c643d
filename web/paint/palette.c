#include "web/paint/pen.h"

#include <string.h>

#define RGB(hex)                                                                                   \
    { ((hex) >> 16 & 0xff) / 255.0, ((hex) >> 8 & 0xff) / 255.0, ((hex)&0xff) / 255.0 }

static const web_palette PALETTES[] = {
    [WEB_THEME_LIGHT] = {.background = RGB(0xffffff),
                         .ink = RGB(0x1b1f24),
                         .muted = RGB(0x57606a),
                         .grid = RGB(0xdfe3e8),
                         .band = RGB(0xf1f3f5),
                         .ring = RGB(0xc4002b),
                         .hatch = RGB(0xffffff)},
    [WEB_THEME_DARK] = {.background = RGB(0x15191e),
                        .ink = RGB(0xe8ecf0),
                        .muted = RGB(0xa3adb8),
                        .grid = RGB(0x2d343c),
                        .band = RGB(0x1f252c),
                        .ring = RGB(0xff6b81),
                        .hatch = RGB(0x15191e)},
};

static const char STANDARD[] = "TICW";

static const struct {
    web_colour light, dark;
    web_hatch hatch;
} PORTIONS[] = {
    {RGB(0x6e7781), RGB(0x9aa4ae), WEB_HATCH_NONE}, /* T grey */
    {RGB(0xe69f00), RGB(0xe69f00), WEB_HATCH_UP},   /* I orange */
    {RGB(0x009e73), RGB(0x10b386), WEB_HATCH_FLAT}, /* C bluish green */
    {RGB(0x0072b2), RGB(0x3a97d4), WEB_HATCH_DOWN}, /* W blue */
    {RGB(0xcc79a7), RGB(0xcc79a7), WEB_HATCH_NONE}, /* reddish purple */
    {RGB(0xd9c800), RGB(0xf0e442), WEB_HATCH_UP},   /* yellow, darker on white */
    {RGB(0x56b4e9), RGB(0x56b4e9), WEB_HATCH_FLAT}, /* sky blue */
    {RGB(0x8c564b), RGB(0xb98a80), WEB_HATCH_DOWN}, /* brown */
};

const web_palette *web__palette(web_theme theme) {
    return &PALETTES[theme == WEB_THEME_DARK ? WEB_THEME_DARK : WEB_THEME_LIGHT];
}

static size_t slot(const char *name, guint index) {
    if (name[0] && !name[1] && strchr(STANDARD, name[0]))
        return (size_t)(strchr(STANDARD, name[0]) - STANDARD);
    return 4 + index % (G_N_ELEMENTS(PORTIONS) - 4);
}

web_colour web__portion_colour(const char *name, guint index, web_theme theme) {
    size_t i = slot(name, index);
    return theme == WEB_THEME_DARK ? PORTIONS[i].dark : PORTIONS[i].light;
}

web_hatch web__portion_hatch(const char *name, guint index) {
    return PORTIONS[slot(name, index)].hatch;
}

const double *web__boundary_dashes(web_boundary_kind kind) {
    static const double dashes[][5] = {
        [WEB_BOUNDARY_ENVIRONMENT] = {5, 4, 0}, [WEB_BOUNDARY_ACCEPTED] = {8, 2, 2, 2, 0},
        [WEB_BOUNDARY_RELEASE] = {1.5, 2.5, 0}, [WEB_BOUNDARY_INCIDENT] = {10, 3, 0},
        [WEB_BOUNDARY_NOTE] = {3, 3, 0},        [WEB_BOUNDARY_BASELINE] = {12, 2, 2, 2, 0},
    };
    return dashes[kind];
}

const double *web__ring_dashes(void) {
    static const double dashes[] = {3, 2, 0};
    return dashes;
}

web_colour web__label_colour(web_label_role role, const web_palette *palette) {
    switch (role) {
    case WEB_LABEL_RING:
        return palette->ring;
    case WEB_LABEL_NOTE:
    case WEB_LABEL_TICK:
    case WEB_LABEL_UNIT:
    case WEB_LABEL_COMMIT:
    case WEB_LABEL_GAP:
    case WEB_LABEL_RELEASE:
    case WEB_LABEL_EMPTY:
        return palette->muted;
    case WEB_LABEL_TITLE:
    case WEB_LABEL_CUT:
    case WEB_LABEL_INCIDENT:
    case WEB_LABEL_DATE:
    case WEB_LABEL_VALUE:
    case WEB_LABEL_LINE:
    case WEB_LABEL_LEGEND:
        break;
    }
    return palette->ink;
}

bool web__label_bold(web_label_role role) {
    return role == WEB_LABEL_TITLE || role == WEB_LABEL_RING || role == WEB_LABEL_LINE ||
           role == WEB_LABEL_CUT;
}

bool web__label_halo(web_label_role role) {
    return role == WEB_LABEL_RING || role == WEB_LABEL_CUT;
}
