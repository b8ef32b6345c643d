#include "web/paint/flame.h"

#include <math.h>

#define RGB(hex)                                                                                   \
    { ((hex) >> 16 & 0xff) / 255.0, ((hex) >> 8 & 0xff) / 255.0, ((hex)&0xff) / 255.0 }

/* Orange against blue: told apart by everybody, and by lightness. Names stand in black on all. */
static const web_colour rose = RGB(0xf0a020), fell = RGB(0x7db8e8);
static const web_colour still[] = {
    [WEB_THEME_LIGHT] = RGB(0xdfe3e8), [WEB_THEME_DARK] = RGB(0xb4bcc6)};
static const web_colour name_ink = RGB(0x1b1f24);

web_colour web__flame_colour(double share, web_theme theme) {
    const web_colour none = still[theme == WEB_THEME_DARK ? WEB_THEME_DARK : WEB_THEME_LIGHT];
    const web_colour full = share > 0 ? rose : fell;
    const double part = fmin(fabs(share), 1);
    return (web_colour){none.red + part * (full.red - none.red),
                        none.green + part * (full.green - none.green),
                        none.blue + part * (full.blue - none.blue)};
}

void web__flame_draw(web_pen *pen, const web_flame_layout *layout, web_theme theme) {
    const web_palette *palette = web__palette(theme);
    const web_page page = {.width = layout->width,
                           .height = layout->height,
                           .title = layout->title,
                           .description = layout->description,
                           .background = palette->background};
    pen->page(pen, &page);
    for (guint i = 0; i < layout->rects->len; i++) {
        const web_flame_rect *rect = &g_array_index(layout->rects, web_flame_rect, i);
        pen->block(pen, rect->box, web__flame_colour(rect->share, theme));
    }
    for (guint i = 0; i < layout->labels->len; i++) {
        const web_label *label = &g_array_index(layout->labels, web_label, i);
        const bool of_frame = label->role == WEB_LABEL_VALUE;
        pen->text(pen, label, of_frame ? name_ink : web__label_colour(label->role, palette),
                  !of_frame && web__label_bold(label->role));
    }
}
