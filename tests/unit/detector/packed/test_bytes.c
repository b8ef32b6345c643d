#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

#include "detector/packed/bytes.h"

enum { SIZE = 5000 };

static void bytes_come_back(void **state) {
    (void)state;
    unsigned char bytes[SIZE], back[SIZE];
    unsigned char *packed = malloc(det_bytes_room(SIZE));
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(i % 7);
    const size_t size = det_bytes_pack(packed, bytes, SIZE);
    assert_in_range(size, 1, SIZE / 10);
    assert_int_equal(det_bytes_whole(packed, size), SIZE);
    assert_true(det_bytes_unpack(back, SIZE, packed, size));
    assert_memory_equal(back, bytes, SIZE);
    free(packed);
}

static void what_was_not_packed_is_known(void **state) {
    (void)state;
    assert_int_equal(det_bytes_whole("MooDetcA and more", 17), 0);
    assert_int_equal(det_bytes_whole("", 0), 0);
}

static void damage_is_noticed(void **state) {
    (void)state;
    unsigned char bytes[SIZE], back[SIZE];
    unsigned char *packed = malloc(det_bytes_room(SIZE));
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(i * i % 251);
    const size_t size = det_bytes_pack(packed, bytes, SIZE);
    assert_false(det_bytes_unpack(back, SIZE, packed, size - 1));
    assert_false(det_bytes_unpack(back, SIZE - 1, packed, size));
    free(packed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_back),
        cmocka_unit_test(what_was_not_packed_is_known),
        cmocka_unit_test(damage_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
