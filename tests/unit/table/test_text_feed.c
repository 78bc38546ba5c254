#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/memory_feed.h"
#include "table/text_feed.h"

/* Reads a text to its end, `step` bytes at a time; the caller frees *out. */
static kith_status read_all(const char *bytes, size_t length, const char *encoding, size_t step,
                            char **out, size_t *used, kith_error *error)
{
    arena *memory = arena_new();
    memory_feed m = {bytes, length, 0};
    byte_feed text;
    *out = malloc(8 * length + 16);
    *used = 0;
    kith_status status =
        text_feed_open(&text, memory, memory_feed_of(&m), encoding, "data.csv", error);
    for (size_t got = 1; status == KITH_OK && got > 0; *used += got) {
        got = 0;
        status = text.read(text.user, *out + *used, step, &got, error);
    }
    arena_free(memory);
    return status;
}

static void reads(const char *bytes, size_t length, const char *encoding, const char *wanted,
                  size_t wanted_length)
{
    static const size_t steps[] = {1, 2, 3, 7, 4096};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        char *out;
        size_t used;
        kith_error error = {0};
        assert_int_equal(read_all(bytes, length, encoding, steps[i], &out, &used, &error), KITH_OK);
        assert_int_equal(used, wanted_length);
        assert_memory_equal(out, wanted, wanted_length);
        free(out);
    }
}

static void refuses(const char *bytes, size_t length, const char *encoding, kith_status wanted,
                    const char *message)
{
    char *out;
    size_t used;
    kith_error error = {0};
    assert_int_equal(read_all(bytes, length, encoding, 64, &out, &used, &error), wanted);
    assert_string_equal(error.message, message);
    assert_true(error.hint[0] != '\0');
    free(out);
}

#define READS(bytes, encoding, wanted) \
    reads((bytes), sizeof(bytes) - 1, (encoding), (wanted), sizeof(wanted) - 1)
#define REFUSES(bytes, encoding, status, message) \
    refuses((bytes), sizeof(bytes) - 1, (encoding), (status), (message))

static void test_encodings(void **state)
{
    (void)state;
    READS("a\nM\xfcller\n", "LATIN1", "a\nM\xc3\xbcller\n");
    READS("\x80 \x84x\x93\n", "WINDOWS-1252", "\xe2\x82\xac \xe2\x80\x9ex\xe2\x80\x9c\n");
    READS("\xf1\n", "KOI8-R", "\xd0\xaf\n");
    READS("a\0,\0\xe4\0\n\0", "UTF-16LE", "a,\xc3\xa4\n");
    READS("", "LATIN1", "");
    READS("", NULL, "");
    /* a state that must be ended: JIS */
    READS("\x1b$B$\"\x1b(B\n", "ISO-2022-JP", "\xe3\x81\x82\n");
}

static void test_marks_decide(void **state)
{
    (void)state;
    READS("\xff\xfe"
          "a\0,\0\xe4\0\n\0",
          NULL, "a,\xc3\xa4\n");
    READS("\xfe\xff\0a\0,\0\xe4\0\n", NULL, "a,\xc3\xa4\n");
    READS("\xff\xfe\0\0a\0\0\0\xe4\0\0\0", NULL, "a\xc3\xa4");
    READS("\xff\xfe"
          "a\0\xe4\0",
          "LATIN1", "a\xc3\xa4");
    /* the mark of UTF-8 stays for the reader of CSV, and is no LATIN1 */
    READS("\xef\xbb\xbf"
          "a\xc3\xa4",
          "LATIN1",
          "\xef\xbb\xbf"
          "a\xc3\xa4");
}

static void test_utf8_passes(void **state)
{
    (void)state;
    READS("a\xc3\xa4\n", NULL, "a\xc3\xa4\n");
    READS("a\xc3\xa4\n", "utf-8", "a\xc3\xa4\n");
    READS("a\xe4\n", NULL, "a\xe4\n"); /* what is wrong is found where cells are read */
}

/* Longer than all buffers, with characters that lie across their borders. */
static void test_long_text(void **state)
{
    (void)state;
    size_t count = 300001;
    char *latin = malloc(count), *utf8 = malloc(2 * count);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        latin[i] = (char)(i % 97 == 0 ? '\n' : i % 3 == 0 ? 0xe4 : 'a');
        if (latin[i] == (char)0xe4)
            utf8[used++] = (char)0xc3;
        utf8[used++] = latin[i] == (char)0xe4 ? (char)0xa4 : latin[i];
    }
    char *out;
    size_t got;
    kith_error error = {0};
    assert_int_equal(read_all(latin, count, "LATIN1", 1000, &out, &got, &error), KITH_OK);
    assert_int_equal(got, used);
    assert_memory_equal(out, utf8, used);
    free(out);
    free(latin);
    free(utf8);
}

static void test_bad_bytes(void **state)
{
    (void)state;
    REFUSES("a\nb\n\xe4\n", "ASCII", KITH_DATA, "data.csv:3: the byte \\xe4 is not valid ASCII");
    REFUSES("\xff\xfe"
            "a\0b",
            NULL, KITH_DATA, "data.csv:1: the text ends within a character of UTF-16");
    REFUSES("a\n", "NOPE\n", KITH_INVALID, "there is no encoding 'NOPE\\n'");
}

static void test_no_text(void **state)
{
    (void)state;
    REFUSES("SQLite format 3\0\x10", NULL, KITH_DATA,
            "data.csv is an SQLite database, not CSV text");
    REFUSES("PK\x03\x04\x14\0xl/workbook.xml", NULL, KITH_DATA,
            "data.csv is an Excel file, not CSV text");
    REFUSES("PK\x03\x04\x14\0[Content_Types].xml", NULL, KITH_DATA,
            "data.csv is an Excel file, not CSV text");
    REFUSES("PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet", NULL,
            KITH_DATA, "data.csv is an OpenDocument spreadsheet, not CSV text");
    REFUSES("PK\x03\x04\x14\0notes.txt", NULL, KITH_DATA,
            "data.csv is a zip archive, not CSV text");
    REFUSES("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", NULL, KITH_DATA,
            "data.csv is an Excel file (or another one of Office), not CSV text");
    REFUSES("PAR1\x15\x04", "LATIN1", KITH_DATA, "data.csv is a Parquet file, not CSV text");
    REFUSES("ARROW1\0\0", NULL, KITH_DATA, "data.csv is an Arrow file, not CSV text");
    REFUSES("<!DOCTYPE html>", NULL, KITH_DATA, "data.csv is an HTML page, not CSV text");
    /* names that look like one */
    READS("PAR1,b\n1,2\n", NULL, "PAR1,b\n1,2\n");
    READS("PAR1\n1\n", NULL, "PAR1\n1\n");
    READS("PK,b\n", NULL, "PK,b\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encodings),   cmocka_unit_test(test_marks_decide),
        cmocka_unit_test(test_utf8_passes), cmocka_unit_test(test_long_text),
        cmocka_unit_test(test_bad_bytes),   cmocka_unit_test(test_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
