#include "config/projects.h"
#include "server/git/repo.h"
#include "server/git/repo_internal.h"

#include <gio/gio.h>
#include <string.h>

#define TAGS "refs/tags/"

/* The tag's name when this head is one that the pattern asks for, else NULL. */
static const char *name_of(const git_remote_head *head, const char *releases) {
    if (!releases || !g_str_has_prefix(head->name, TAGS))
        return NULL;
    const char *name = head->name + strlen(TAGS);
    /* A name with ^{} is what an annotated tag points at, no tag. */
    bool good = cfg_is_branch(name) && g_pattern_match_simple(releases, name);
    return good ? name : NULL;
}

static bool too_many(const char *releases, GError **error) {
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "more than %d tags match releases: %s; write a narrower pattern",
                     SRV_REPO_TAGS, releases);
}

static bool have(git_repository *repository, const git_remote_head *head) {
    git_oid id;
    return git_reference_name_to_id(&id, repository, head->name) == 0 &&
           git_oid_equal(&id, &head->oid);
}

/* Tags of the mirror that are not among the wanted ones. */
static bool remove_others(git_repository *repository, GHashTable *wanted, GError **error) {
    git_strarray list = {NULL, 0};
    if (git_tag_list(&list, repository) < 0)
        return srv__repo_fail(error, NULL, "the mirror's tags cannot be read");
    bool good = true;
    for (size_t i = 0; good && i < list.count; i++) {
        g_autofree char *ref = g_strconcat(TAGS, list.strings[i], NULL);
        if (!g_hash_table_contains(wanted, ref))
            good = git_reference_remove(repository, ref) == 0 ||
                   srv__repo_fail(error, NULL, "a deleted tag cannot be removed from the mirror");
    }
    git_strarray_dispose(&list);
    return good;
}

bool srv__tags_wanted(git_repository *repository, const git_remote_head **heads, size_t n,
                      const char *releases, GPtrArray *specs, char state[65], GError **error) {
    g_autoptr(GHashTable) wanted = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    state[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (!name_of(heads[i], releases))
            continue;
        if (g_hash_table_size(wanted) == SRV_REPO_TAGS)
            return too_many(releases, error);
        g_hash_table_add(wanted, heads[i]->name);
        g_checksum_update(sum, (const guchar *)heads[i]->name, (gssize)strlen(heads[i]->name) + 1);
        g_checksum_update(sum, heads[i]->oid.id, sizeof heads[i]->oid.id);
        if (!have(repository, heads[i]))
            g_ptr_array_add(specs, g_strdup_printf("+%s:%s", heads[i]->name, heads[i]->name));
    }
    if (g_hash_table_size(wanted) > 0)
        g_strlcpy(state, g_checksum_get_string(sum), 65);
    return remove_others(repository, wanted, error);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const srv_repo_tag *)a)->name, ((const srv_repo_tag *)b)->name);
}

static void tag_clear(void *data) {
    g_free(((srv_repo_tag *)data)->name);
}

GArray *srv_repo_tags(const char *mirror, GError **error) {
    g_autoptr(git_repository) repository = srv__repo_open(mirror, error);
    git_strarray list = {NULL, 0};
    if (!repository)
        return NULL;
    if (git_tag_list(&list, repository) < 0) {
        srv__repo_fail(error, NULL, "the mirror's tags cannot be read");
        return NULL;
    }
    GArray *tags = g_array_new(FALSE, TRUE, sizeof(srv_repo_tag));
    g_array_set_clear_func(tags, tag_clear);
    for (size_t i = 0; i < list.count; i++) {
        g_autofree char *ref = g_strconcat(TAGS, list.strings[i], "^{commit}", NULL);
        g_autoptr(git_object) commit = NULL;
        /* A tag may name a file or a tree: that is no release. */
        if (git_revparse_single(&commit, repository, ref) < 0)
            continue;
        srv_repo_tag tag = {.name = g_strdup(list.strings[i])};
        git_oid_tostr(tag.sha, sizeof tag.sha, git_object_id(commit));
        g_array_append_val(tags, tag);
    }
    git_strarray_dispose(&list);
    g_array_sort(tags, by_name);
    return tags;
}
