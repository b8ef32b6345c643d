#pragma once
/* Where each frame of a flame graph goes, as data. The outermost are on top. */
#include "web/chart/flame.h"
#include "web/layout/layout_parts.h"

#define WEB__FLAME_ROW 18.0  /* height of a row */
#define WEB__FLAME_LEAST 0.5 /* width of a frame that is still drawn */

typedef struct {
    web_box box;
    uint32_t frame;
    double share; /* of its width that it rose (above 0) or fell, -1 … 1; 0 but in a difference */
    double net;   /* what it and all below changed, or cost, in the profiles' unit */
    int row;      /* 0: the outermost */
} web_flame_rect;

typedef struct {
    double width, height;
    GArray *rects;  /* web_flame_rect */
    GArray *labels; /* web_label: of the frames, then title and notes */
    char *title, *description;
} web_flame_layout;

/** web_flame_layout_new - free with web_flame_layout_free. Never NULL. */
web_flame_layout *web_flame_layout_new(const det_stacks *stacks, const det_contrast_plan *plan,
                                       const web_flame_options *options);
/** web_flame_words - "▲ history_add +484 ns": what a frame says; owned by the caller. */
char *web_flame_words(const det_stacks *stacks, const web_flame_options *options,
                      const web_flame_rect *rect);
void web_flame_layout_free(web_flame_layout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(web_flame_layout, web_flame_layout_free)
