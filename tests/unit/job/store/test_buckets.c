/* Records come back from their bucket, complete and in their order, and the file has no name. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/rng.h"
#include "job/store/buckets.h"
#include "support/scratch.h"
#include "table/rows/row_bytes.h"

enum { BUCKETS = 7, RECORDS = 20000, CELLS = 3 };

static arena *memory;

static int begin(void **state)
{
    unsetenv("TMPDIR");
    memory = arena_new();
    return memory == NULL ? -1 : scratch_setup(state);
}

static int end(void **state)
{
    arena_free(memory);
    return scratch_teardown(state);
}

static void is_empty(const char *directory)
{
    DIR *open = opendir(directory);
    assert_non_null(open);
    for (const struct dirent *entry; (entry = readdir(open)) != NULL;)
        assert_true(entry->d_name[0] == '.' && strspn(entry->d_name, ".") == strlen(entry->d_name));
    closedir(open);
}

/* The smallest buffers, so that buckets have many parts; the last bucket stays empty. */
static void records_come_back_in_their_order(void **state)
{
    (void)state;
    const uint32_t max[CELLS] = {200, 70000, UINT32_MAX};
    row_bytes form;
    buckets *b;
    rng r;
    uint8_t record[CELLS * 4];
    static uint32_t cells[RECORDS][CELLS], bucket_of[RECORDS];
    uint32_t found[CELLS];
    rng_init(&r, 1, 1);
    assert_int_equal(row_bytes_init(&form, max, CELLS, memory, NULL), KITH_OK);
    assert_int_equal(form.n_bytes, 1 + 3 + 4);
    assert_int_equal(
        buckets_open(&b, BUCKETS, form.n_bytes, 0, scratch_path("release.csv"), memory, NULL),
        KITH_OK);
    for (uint32_t i = 0; i < RECORDS; i++) {
        for (uint32_t j = 0; j < CELLS; j++)
            cells[i][j] =
                max[j] == UINT32_MAX ? (uint32_t)rng_next(&r) : (uint32_t)rng_below(&r, max[j] + 1);
        bucket_of[i] = (uint32_t)rng_below(&r, BUCKETS - 1);
        row_bytes_put(&form, record, cells[i]);
        assert_int_equal(buckets_add(b, bucket_of[i], record, NULL), KITH_OK);
    }
    is_empty(scratch_directory);
    assert_int_equal(buckets_size(b, BUCKETS - 1), 0);
    for (uint32_t k = 0; k < BUCKETS; k++) {
        uint8_t *bytes = arena_alloc(memory, buckets_size(b, k) * form.n_bytes + 1);
        uint64_t n = 0;
        assert_int_equal(buckets_read(b, k, bytes, NULL), KITH_OK);
        for (uint32_t i = 0; i < RECORDS; i++) {
            if (bucket_of[i] != k)
                continue;
            row_bytes_get(&form, found, bytes + n++ * form.n_bytes);
            assert_memory_equal(found, cells[i], sizeof found);
        }
        assert_int_equal(n, buckets_size(b, k));
    }
}

static void a_directory_that_is_not_there_is_named(void **state)
{
    (void)state;
    buckets *b;
    kith_error error = {.status = KITH_OK};
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_int_equal(buckets_open(&b, 1, 4, 0, scratch_path("x"), memory, &error), KITH_IO);
    assert_non_null(strstr(error.message, "/nowhere/at/all"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(records_come_back_in_their_order, begin, end),
        cmocka_unit_test_setup_teardown(a_directory_that_is_not_there_is_named, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
