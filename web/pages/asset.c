#include "web/pages/asset.h"

#include "web_resources.h"

#include <gio/gio.h>

enum { GZIP_LEVEL = 9 }; /* once a start, about 20 ms */

static const struct {
    const char *ending, *type;
} TYPES[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".svg", "image/svg+xml"},
};

static const char *type_of(const char *path) {
    for (size_t i = 0; i < G_N_ELEMENTS(TYPES); i++)
        if (g_str_has_suffix(path, TYPES[i].ending))
            return TYPES[i].type;
    return "application/octet-stream";
}

static void add_asset(GHashTable *table, GResource *resource, const char *name) {
    g_autofree char *from = g_strconcat(WEB_ASSETS, name, NULL);
    g_autoptr(GError) error = NULL;
    GBytes *bytes = g_resource_lookup_data(resource, from, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
    if (!bytes) /* the listing named it, so it is there */
        g_error("asset %s: %s", from, error->message);
    g_autofree char *hash = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
    web_asset *asset = g_new0(web_asset, 1);
    asset->content_type = type_of(name);
    asset->etag = g_strdup_printf("\"%.32s\"", hash);
    asset->bytes = bytes;
    asset->gzip = web_gzip(bytes, GZIP_LEVEL);
    g_hash_table_insert(table, g_strdup(name), asset);
}

static GResource *compiled_in(void) {
    static gsize ready;
    if (g_once_init_enter(&ready)) {
        web_resources_register_resource();
        g_once_init_leave(&ready, 1);
    }
    return web_resources_get_resource();
}

GBytes *web_asset_bytes(const char *folder, const char *name) {
    g_autofree char *from = g_strconcat(folder, name, NULL);
    return g_resource_lookup_data(compiled_in(), from, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

char **web_asset_names(const char *folder) {
    return g_resource_enumerate_children(compiled_in(), folder, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

/* Built once and then only read; lives as long as the program. */
static GHashTable *assets(void) {
    static gsize ready;
    static GHashTable *table;
    if (g_once_init_enter(&ready)) {
        GHashTable *built = g_hash_table_new(g_str_hash, g_str_equal);
        g_auto(GStrv) names = web_asset_names(WEB_ASSETS);
        for (char **name = names; name && *name; name++)
            add_asset(built, compiled_in(), *name);
        table = built;
        g_once_init_leave(&ready, 1);
    }
    return table;
}

const web_asset *web_asset_find(const char *name) {
    return g_hash_table_lookup(assets(), name);
}

enum {
    ROOM = 64, /* of what does not shrink nothing more need be packed */
    STEP = 64 * 1024
};

GBytes *web_gzip(GBytes *bytes, int level) {
    gsize size = 0, taken = 0, made = 0;
    const char *from = g_bytes_get_data(bytes, &size);
    if (size < ROOM)
        return NULL;
    g_autoptr(GZlibCompressor) packer = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, level);
    gsize room = size / 4 + ROOM;
    char *to = g_malloc(room);
    GConverterResult result = G_CONVERTER_CONVERTED;
    while (result == G_CONVERTER_CONVERTED && made < size) {
        gsize read = 0, written = 0;
        if (made == room)
            to = g_realloc(to, room *= 2);
        result = g_converter_convert(G_CONVERTER(packer), from + taken, size - taken, to + made,
                                     room - made, G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
        taken += read;
        made += written;
    }
    if (result == G_CONVERTER_FINISHED && made < size)
        return g_bytes_new_take(g_realloc(to, made), made);
    g_free(to);
    return NULL;
}

GBytes *web_gunzip(GBytes *packed, gsize most) {
    gsize size = 0, taken = 0, made = 0;
    const char *from = g_bytes_get_data(packed, &size);
    g_autoptr(GZlibDecompressor) unpacker = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
    GByteArray *to = g_byte_array_new();
    GConverterResult result = G_CONVERTER_CONVERTED;
    while (result == G_CONVERTER_CONVERTED && made <= most) {
        gsize read = 0, written = 0;
        g_byte_array_set_size(to, (guint)(made + STEP));
        result =
            g_converter_convert(G_CONVERTER(unpacker), from + taken, size - taken, to->data + made,
                                STEP, G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
        taken += read;
        made += written;
    }
    g_byte_array_set_size(to, (guint)made);
    GBytes *bytes = g_byte_array_free_to_bytes(to);
    if (result == G_CONVERTER_FINISHED && taken == size && made <= most)
        return bytes;
    g_bytes_unref(bytes);
    return NULL;
}
