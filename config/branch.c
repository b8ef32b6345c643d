#include "config/branch.h"

#include <string.h>

char *cfg_branch_project(const char *project, const char *branch) {
    g_autofree char *own = g_strdup(branch);
    g_strcanon(own, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-", '-');
    return g_strconcat(project, CFG_BRANCH_SIGN, own, NULL);
}

char *cfg_branch_main(const char *project) {
    return g_strndup(project, strcspn(project, CFG_BRANCH_SIGN));
}

bool cfg__is_branch(const char *text) {
    static const char *const forbidden[] = {"..", "//", "@{", "\\", " ", "~",
                                            "^",  ":",  "?",  "*",  "["};
    if (text[0] == '-' || text[0] == '/' || text[0] == '.' || g_str_has_suffix(text, "/") ||
        g_str_has_suffix(text, ".lock") || g_str_has_suffix(text, ".") || strlen(text) > 200)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(forbidden); i++)
        if (strstr(text, forbidden[i]))
            return false;
    for (const char *c = text; *c; c++)
        if (g_ascii_iscntrl(*c))
            return false;
    return true;
}

bool cfg_is_name(const char *text) {
    return g_regex_match_simple("^[a-z0-9][a-z0-9._-]{0,99}$", text, G_REGEX_DOLLAR_ENDONLY, 0);
}
