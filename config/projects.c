#include "config/projects.h"

#include "config/config.h"
#include "config/json_text.h"

#include <string.h>

#define BRANCH_BYTES_MAX 255

char *cfg_branch_project(const char *project, const char *branch) {
    g_autofree char *own = g_strdup(branch);
    g_strcanon(own, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-", '-');
    return g_strconcat(project, CFG_BRANCH_SIGN, own, NULL);
}

char *cfg_branch_main(const char *project) {
    return g_strndup(project, strcspn(project, CFG_BRANCH_SIGN));
}

bool cfg_is_branch(const char *text) {
    g_auto(GStrv) parts = g_strsplit(text, "/", -1);
    bool good = *text != '\0' && *text != '-' && strlen(text) <= BRANCH_BYTES_MAX &&
                g_utf8_validate(text, -1, NULL) && !strpbrk(text, " ~^:?*[\\") &&
                !strstr(text, "..") && !strstr(text, "@{") && strcmp(text, "@") != 0 &&
                strcmp(text, "HEAD") != 0;
    for (const char *c = text; *c != '\0'; c++)
        good = good && !g_ascii_iscntrl(*c);
    for (size_t i = 0; parts[i]; i++)
        good = good && parts[i][0] != '\0' && parts[i][0] != '.' &&
               !g_str_has_suffix(parts[i], ".") && !g_str_has_suffix(parts[i], ".lock");
    return good;
}

bool cfg_is_name(const char *text) {
    return g_regex_match_simple("^[a-z0-9][a-z0-9._-]{0,99}$", text, G_REGEX_DOLLAR_ENDONLY, 0);
}

static GPtrArray *files_of(const char *folder, GError **error) {
    GDir *dir = g_dir_open(folder, 0, error);
    if (!dir)
        return NULL;
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    for (const char *name = g_dir_read_name(dir); name; name = g_dir_read_name(dir))
        if (name[0] != '.' && g_str_has_suffix(name, ".yaml"))
            g_ptr_array_add(files, g_build_filename(folder, name, NULL));
    g_dir_close(dir);
    cfg_texts_sort(files);
    return files;
}

/* NULL when the project's name is new, else the problem in words. */
static char *name_clash(const GPtrArray *projects, const cfg_project *project, const char *path) {
    for (guint i = 0; i < projects->len; i++)
        if (strcmp(((const cfg_project *)projects->pdata[i])->name, project->name) == 0)
            return g_strdup_printf("%s:1: name: another file of this folder already defines "
                                   "project \"%s\"; this one is ignored",
                                   path, project->name);
    return NULL;
}

static void free_project(gpointer project) {
    cfg_project_free(project);
}

/* Further branches of a project that is among them. */
static void branches_add(GPtrArray *projects, const cfg_project *project, const char *path,
                         GPtrArray *wrong) {
    for (unsigned i = 1; i < project->branches_count; i++) {
        g_autoptr(GError) problem = NULL;
        cfg_project *branch = cfg_project_load_branch(path, i, &problem);
        if (branch)
            g_ptr_array_add(projects, branch);
        else
            g_ptr_array_add(wrong, g_strdup(problem->message));
    }
}

GPtrArray *cfg_projects_load(const char *dir, GPtrArray **problems, GError **error) {
    g_autoptr(GPtrArray) files = files_of(dir, error);
    if (!files)
        return NULL;
    g_autoptr(GPtrArray) projects = g_ptr_array_new_with_free_func(free_project);
    g_autoptr(GPtrArray) wrong = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < files->len; i++) {
        g_autoptr(GError) problem = NULL;
        cfg_project *project = cfg_project_load(files->pdata[i], &problem);
        if (!project) {
            g_ptr_array_add(wrong, g_strdup(problem->message));
            continue;
        }
        char *clash = name_clash(projects, project, files->pdata[i]);
        if (clash) {
            g_ptr_array_add(wrong, clash);
            cfg_project_free(project);
        } else {
            g_ptr_array_add(projects, project);
            branches_add(projects, project, files->pdata[i], wrong);
        }
    }
    if (problems)
        *problems = g_steal_pointer(&wrong);
    return g_steal_pointer(&projects);
}
