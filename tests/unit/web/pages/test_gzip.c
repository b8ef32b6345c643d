/* What is packed comes out again, and only what shrinks is packed. */
#include "tests/unit/test.h"

#include "web/pages/asset.h"

#include <gio/gio.h>
#include <string.h>

static GBytes *unpack(GBytes *packed) {
    g_autoptr(GInputStream) from = g_memory_input_stream_new_from_bytes(packed);
    g_autoptr(GZlibDecompressor) zlib = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
    g_autoptr(GInputStream) plain = g_converter_input_stream_new(from, G_CONVERTER(zlib));
    g_autoptr(GOutputStream) to = g_memory_output_stream_new_resizable();
    assert_true(
        g_output_stream_splice(to, plain, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, NULL) >= 0);
    return g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(to));
}

static void comes_out_again(void **state) {
    (void)state;
    const gsize sizes[] = {64, 1000, 4097, 3000000};
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        char *text = g_malloc(sizes[i]);
        for (gsize k = 0; k < sizes[i]; k++)
            text[k] = "overhead"[(k * k / 7) % 8];
        g_autoptr(GBytes) plain = g_bytes_new_take(text, sizes[i]);
        g_autoptr(GBytes) packed = web_gzip(plain, 5);
        g_autoptr(GBytes) again = web_gzip(plain, 5);
        assert_non_null(packed);
        assert_true(g_bytes_get_size(packed) < sizes[i]);
        assert_true(g_bytes_equal(packed, again));
        g_autoptr(GBytes) out = unpack(packed);
        assert_true(g_bytes_equal(out, plain));
        g_autoptr(GBytes) ours = web_gunzip(packed, sizes[i]);
        assert_true(ours && g_bytes_equal(ours, plain));
        assert_null(web_gunzip(packed, sizes[i] - 1));
    }
}

/* Cut off, with more behind it, changed, or no stream at all. */
static void what_is_no_stream(void **state) {
    (void)state;
    enum { SIZE = 5000, MOST = 1 << 20 };
    char text[SIZE];
    for (size_t i = 0; i < SIZE; i++)
        text[i] = "overhead"[i % 8];
    g_autoptr(GBytes) plain = g_bytes_new_static(text, SIZE);
    g_autoptr(GBytes) packed = web_gzip(plain, 9);
    gsize size;
    const guint8 *stream = g_bytes_get_data(packed, &size);
    for (gsize cut = 0; cut < size; cut++) {
        g_autoptr(GBytes) part = g_bytes_new(stream, cut);
        assert_null(web_gunzip(part, MOST));
    }
    g_autofree guint8 *more = g_malloc0(size + 1);
    memcpy(more, stream, size);
    g_autoptr(GBytes) longer = g_bytes_new(more, size + 1);
    assert_null(web_gunzip(longer, MOST));
    more[size - 8] ^= 1; /* of its checksum */
    g_autoptr(GBytes) changed = g_bytes_new(more, size);
    assert_null(web_gunzip(changed, MOST));
    assert_null(web_gunzip(plain, MOST));
}

static void noise_is_left_alone(void **state) {
    (void)state;
    guint8 noise[5000];
    guint32 x = 1;
    for (size_t i = 0; i < sizeof noise; i++) {
        x = x * 1664525u + 1013904223u;
        noise[i] = (guint8)(x >> 24);
    }
    g_autoptr(GBytes) bytes = g_bytes_new_static(noise, sizeof noise);
    g_autoptr(GBytes) none = g_bytes_new_static("", 0);
    assert_null(web_gzip(bytes, 9));
    assert_null(web_gzip(none, 9));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_out_again),
        cmocka_unit_test(what_is_no_stream),
        cmocka_unit_test(noise_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
