#include "config/options.h"

void *cfg_kept(void *texts) {
    static GPtrArray *all;
    if (!all)
        all = g_ptr_array_new();
    if (texts)
        g_ptr_array_add(all, texts);
    return texts;
}

void cfg_options_keep(const GOptionEntry *entries) {
    for (; entries->long_name; entries++)
        switch (entries->arg) {
        case G_OPTION_ARG_STRING:
        case G_OPTION_ARG_FILENAME:
        case G_OPTION_ARG_STRING_ARRAY:
        case G_OPTION_ARG_FILENAME_ARRAY:
            (void)cfg_kept(*(void **)entries->arg_data);
            break;
        default:
            break;
        }
}
