#include "web/pages/gzip.h"

#include <gio/gio.h>

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
