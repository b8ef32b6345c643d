/* A stored raw file unpacked while it is sent: whole, or broken off where it breaks. */
#include "tests/unit/test.h"

#include "server/routes/routes.h"
#include "tests/unit/server/folder.h"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

static int setup(void **state) {
    *state = folder_new();
    return 0;
}

static int teardown(void **state) {
    folder_free(*state);
    return 0;
}

/* Lines of calls, many enough for several blocks. */
static GString *calls(int n) {
    GString *text = g_string_new(NULL);
    for (int i = 0; i < n; i++)
        g_string_append_printf(text, "0;%d;%d;0\n", i * 7919 % 100003, i);
    return text;
}

static GByteArray *packed(const GString *text) {
    GByteArray *bytes = g_byte_array_new();
    g_byte_array_set_size(bytes, (guint)ZSTD_compressBound(text->len));
    const size_t size = ZSTD_compress(bytes->data, bytes->len, text->str, text->len, 1);
    assert_false(ZSTD_isError(size));
    return g_byte_array_set_size(bytes, (guint)size);
}

/* All that is read of a file of these bytes, block by block; *end: what the last read said. */
static GString *unpacked(const char *dir, const guint8 *bytes, gsize size, size_t block,
                         ssize_t *end) {
    g_autofree char *path = g_build_filename(dir, "raw.zst", NULL);
    g_autofree char *out = g_malloc(block);
    GString *text = g_string_new(NULL);
    assert_true(g_file_set_contents(path, (const char *)bytes, (gssize)size, NULL));
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const srv_reply_source source = srv_raw_csv(fd);
    while ((*end = source.read(source.data, out, block)) > 0)
        g_string_append_len(text, out, *end);
    source.free(source.data);
    assert_int_equal(fcntl(fd, F_GETFD), -1); /* closed */
    return text;
}

static void the_text_is_what_was_packed(void **state) {
    static const int lengths[] = {0, 1, 1000, 200000};
    static const size_t blocks[] = {1000, 32768, 1 << 20};
    for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++)
        for (size_t k = 0; k < G_N_ELEMENTS(blocks); k++) {
            GString *text = calls(lengths[i]);
            g_autoptr(GByteArray) file = packed(text);
            ssize_t end = 1;
            GString *got = unpacked(*state, file->data, file->len, blocks[k], &end);
            assert_int_equal(end, 0);
            assert_int_equal(got->len, text->len);
            assert_memory_equal(got->str, text->str, text->len);
            g_string_free(got, TRUE);
            g_string_free(text, TRUE);
        }
}

/* Wherever it is cut off, no more than a beginning comes, and then an error, never an end. */
static void a_file_that_was_cut_off_is_an_error(void **state) {
    GString *text = calls(20000);
    g_autoptr(GByteArray) file = packed(text);
    for (guint size = 0; size < file->len; size += file->len / 23 + 1) {
        ssize_t end = 1;
        GString *got = unpacked(*state, file->data, size, 32768, &end);
        assert_int_equal(end, -1);
        assert_true(got->len <= text->len);
        assert_memory_equal(got->str, text->str, got->len);
        g_string_free(got, TRUE);
    }
    g_string_free(text, TRUE);
}

static void a_file_that_is_damaged_is_an_error(void **state) {
    GString *text = calls(20000);
    ssize_t end = 1;
    g_autoptr(GByteArray) file = packed(text);
    file->data[0] ^= 0xff; /* of no kind */
    g_string_free(unpacked(*state, file->data, file->len, 32768, &end), TRUE);
    assert_int_equal(end, -1);
    static const guint8 nonsense[] = "plain text, no frame";
    g_string_free(unpacked(*state, nonsense, sizeof nonsense, 32768, &end), TRUE);
    assert_int_equal(end, -1);
    g_string_free(text, TRUE);
}

int main(void) {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_text_is_what_was_packed),
        IN_FOLDER(a_file_that_was_cut_off_is_an_error),
        IN_FOLDER(a_file_that_is_damaged_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
