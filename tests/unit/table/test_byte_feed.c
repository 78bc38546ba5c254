#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

#include "support/scratch.h"
#include "table/byte_feed.h"

/* Appends one gzip member to `packed`. */
static size_t pack(unsigned char *packed, size_t room, const char *text)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (unsigned char *)(uintptr_t)text;
    stream.avail_in = (unsigned)strlen(text);
    stream.next_out = packed;
    stream.avail_out = (unsigned)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size_t length = room - stream.avail_out;
    deflateEnd(&stream);
    return length;
}

/* The same for a frame of zstd, which ends with a checksum. */
static size_t pack_zstd(unsigned char *packed, size_t room, const char *text)
{
    ZSTD_CCtx *packer = ZSTD_createCCtx();
    assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(packer, ZSTD_c_checksumFlag, 1)));
    const size_t length = ZSTD_compress2(packer, packed, room, text, strlen(text));
    assert_false(ZSTD_isError(length));
    ZSTD_freeCCtx(packer);
    return length;
}

static const char *store(const void *bytes, size_t length)
{
    const char *path = scratch_path("bytes");
    FILE *file = fopen(path, "w");
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
    return path;
}

/* Reads everything, a few bytes at a time. */
static kith_status take(const char *path, char *text, kith_error *error)
{
    arena *memory = arena_new();
    byte_feed f;
    size_t used = 0, got = 1;
    kith_status status = byte_feed_open(&f, memory, path, NULL, error);
    while (status == KITH_OK && got > 0) {
        status = f.read(f.user, text + used, 7, &got, error);
        if (status == KITH_OK)
            used += got;
    }
    if (status == KITH_OK)
        assert_true(f.done(f.user) == 1 || used == 0);
    text[used] = '\0';
    arena_free(memory);
    return status;
}

static void test_plain(void **state)
{
    (void)state;
    char text[256];
    static const char *const texts[] = {"", "a", "ab", "a,b\n1,2\n"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(take(store(texts[i], strlen(texts[i])), text, NULL), KITH_OK);
        assert_string_equal(text, texts[i]);
    }
}

static void test_packed(void **state)
{
    (void)state;
    unsigned char packed[1024];
    char text[256];
    size_t length = pack(packed, sizeof packed, "hello, ");
    length += pack(packed + length, sizeof packed - length, ""); /* members follow each other */
    length += pack(packed + length, sizeof packed - length, "world of many letters");
    memset(packed + length, 0, 20); /* and tape blocks are padded */
    assert_int_equal(take(store(packed, length + 20), text, NULL), KITH_OK);
    assert_string_equal(text, "hello, world of many letters");
}

static void test_zstd(void **state)
{
    (void)state;
    unsigned char packed[1024];
    char text[256];
    size_t length = pack_zstd(packed, sizeof packed, "hello, ");
    length += pack_zstd(packed + length, sizeof packed - length, "");
    length += pack_zstd(packed + length, sizeof packed - length, "world of many letters");
    assert_int_equal(take(store(packed, length), text, NULL), KITH_OK);
    assert_string_equal(text, "hello, world of many letters");
    length = pack_zstd(packed, sizeof packed, "");
    assert_int_equal(take(store(packed, length), text, NULL), KITH_OK);
    assert_string_equal(text, "");
}

static void test_damaged_zstd(void **state)
{
    (void)state;
    unsigned char packed[1024];
    char text[256];
    kith_error error;
    size_t length = pack_zstd(packed, sizeof packed, "hello, hello, world");
    for (size_t cut = 4; cut < length; cut++) {
        assert_int_equal(take(store(packed, cut), text, &error), KITH_DATA);
        assert_non_null(strstr(error.message, "bytes: the zstd data ends too early"));
    }
    packed[length - 1] ^= 1; /* its checksum */
    assert_int_equal(take(store(packed, length), text, &error), KITH_DATA);
    assert_non_null(strstr(error.message, "bytes: damaged zstd data"));
}

static void test_damaged(void **state)
{
    (void)state;
    unsigned char packed[1024];
    char text[256];
    kith_error error;
    size_t length = pack(packed, sizeof packed, "hello, hello, world");
    for (size_t cut = 2; cut < length; cut++) {
        assert_int_equal(take(store(packed, cut), text, &error), KITH_DATA);
        assert_non_null(strstr(error.message, "bytes: the gzip data ends too early"));
    }
    packed[length - 6] ^= 1; /* its checksum */
    assert_int_equal(take(store(packed, length), text, &error), KITH_DATA);
    assert_non_null(strstr(error.message, "bytes: damaged gzip data"));
}

static void test_refused(void **state)
{
    (void)state;
    char text[256];
    kith_error error;
    assert_int_equal(take("/nowhere/x.csv", text, &error), KITH_IO);
    assert_string_equal(error.message, "cannot read /nowhere/x.csv: No such file or directory");
    assert_int_equal(take("/", text, &error), KITH_IO);
    assert_string_equal(error.message, "cannot read /: it is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_plain, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_packed, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_zstd, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_damaged_zstd, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_damaged, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_refused, scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
