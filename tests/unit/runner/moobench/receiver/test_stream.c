/* stream: pieces and lines of a connection, and its end. */
#include "sent.h"

static void pieces(void **state) {
    (void)state;
    rcv_stream stream;
    char to[4] = "";
    sent(&stream, "abcdef", 6, NULL);
    assert_true(rcv_stream_take(&stream, to, 2));
    assert_memory_equal(to, "ab", 2);
    assert_true(rcv_stream_take(&stream, NULL, 3));
    assert_true(rcv_stream_take(&stream, to, 1));
    assert_int_equal(to[0], 'f');
    assert_false(rcv_stream_take(&stream, to, 1));
    close(stream.fd);
}

static void larger_than_the_buffer(void **state) {
    (void)state;
    static char big[150000], got[150000];
    rcv_stream stream;
    memset(big, 'x', sizeof big);
    big[149999] = 'y';
    sent(&stream, big, sizeof big, NULL);
    assert_true(rcv_stream_take(&stream, got, sizeof got));
    assert_memory_equal(big, got, sizeof big);
    close(stream.fd);
}

static void lines(void **state) {
    (void)state;
    rcv_stream stream;
    char line[8];
    sent(&stream, "one\r\n\ntoo long a line\n", 22, NULL);
    assert_true(rcv_stream_line(&stream, line, sizeof line));
    assert_string_equal(line, "one");
    assert_true(rcv_stream_line(&stream, line, sizeof line));
    assert_string_equal(line, "");
    assert_false(rcv_stream_line(&stream, line, sizeof line));
    close(stream.fd);
    sent(&stream, "no end", 6, NULL);
    assert_false(rcv_stream_line(&stream, line, sizeof line));
    close(stream.fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces),
                                       cmocka_unit_test(larger_than_the_buffer),
                                       cmocka_unit_test(lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
