/* Rows that are kept in a file come back as they would stand in memory, in their order, whatever
 * the system does with single reads and writes; and a disk that is full is named. Linked with
 * --wrap for pread and pwrite. */
/* wrap: pread pwrite */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <kith/kith.h>
#include <unistd.h>

#include "support/scratch.h"
#include "table/rows/row_spill.h"

enum { ROWS = 2 * ROW_SPILL_ROWS + 1000, COLUMNS = 4 };
enum { HOLE_EVERY = 7, SHORT_BYTES = 5000 };

typedef enum disk { DISK_WELL, DISK_SHORT, DISK_INTERRUPTED, DISK_FULL, DISK_TAKES_NOTHING } disk;
static disk behaviour;
static uint32_t n_calls, fails_from; /* DISK_FULL: counted from 0 */
static bool reads_fail;

ssize_t __real_pwrite(int file, const void *bytes, size_t n_bytes, off_t at);
ssize_t __real_pread(int file, void *bytes, size_t n_bytes, off_t at);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t n_bytes, off_t at);
ssize_t __wrap_pread(int file, void *bytes, size_t n_bytes, off_t at);

/* How many bytes of n_bytes may move now; -1: the call fails. */
static ssize_t allowed(size_t n_bytes)
{
    const uint32_t call = n_calls++;
    switch (behaviour) {
    case DISK_SHORT: return (ssize_t)(n_bytes < SHORT_BYTES ? n_bytes : SHORT_BYTES);
    case DISK_INTERRUPTED: errno = EINTR; return call % 100 == 99 ? (ssize_t)n_bytes : -1;
    case DISK_FULL: errno = ENOSPC; return call < fails_from ? (ssize_t)n_bytes : -1;
    case DISK_TAKES_NOTHING: return call < fails_from ? (ssize_t)n_bytes : 0;
    default: return (ssize_t)n_bytes;
    }
}

ssize_t __wrap_pwrite(int file, const void *bytes, size_t n_bytes, off_t at)
{
    const ssize_t n = allowed(n_bytes);
    return n <= 0 ? n : __real_pwrite(file, bytes, (size_t)n, at);
}

ssize_t __wrap_pread(int file, void *bytes, size_t n_bytes, off_t at)
{
    if (reads_fail) {
        errno = EIO;
        return -1;
    }
    const ssize_t n = allowed(n_bytes);
    return n <= 0 ? n : __real_pread(file, bytes, (size_t)n, at);
}

static arena *memory;

/* `grows` has its 256th value in the second block, which takes more bytes for it then. */
static int begin(void **state)
{
    if (scratch_setup(state) != 0)
        return -1;
    unsetenv("TMPDIR");
    behaviour = DISK_WELL;
    n_calls = fails_from = 0;
    reads_fail = false;
    memory = arena_new();
    FILE *file = fopen(scratch_path("data.csv"), "w");
    if (memory == NULL || file == NULL)
        return -1;
    fputs("few,grows,many,hole\n", file);
    for (uint32_t row = 0; row < ROWS; row++) {
        fprintf(file, "v%u,%u,n%u,", row % 5, row / 300, row * 7919u % 70001u);
        fprintf(file, row % HOLE_EVERY == 3 ? "\n" : "h%u\n", row % 3);
    }
    fclose(file);
    return 0;
}

static int end(void **state)
{
    arena_free(memory);
    return scratch_teardown(state);
}

static kith_status spill(row_spill **s, const row_spill_rule *rule, kith_error *error)
{
    const kith_table_options options = KITH_INIT(kith_table_options);
    return row_spill_read(s, scratch_path("data.csv"), &options, rule, scratch_path("release.csv"),
                          NULL, memory, error);
}

static bool is_dropped(const row_spill_rule *rule, uint32_t row)
{
    return rule->drop && row % HOLE_EVERY == 3;
}

static void same_cell(const kith_table *found, uint32_t row, const kith_table *whole, uint32_t at)
{
    for (uint32_t i = 0; i < COLUMNS; i++) {
        const char *one = kith_table_cell(found, row, i), *other = kith_table_cell(whole, at, i);
        if (one == NULL || other == NULL)
            assert_ptr_equal(one, other);
        else
            assert_string_equal(one, other);
    }
}

/* All blocks, one after the other, are the rows of the whole table that are kept. */
static void same_rows(row_spill *s, const row_spill_rule *rule, const kith_table *whole)
{
    kith_table block;
    uint32_t at = 0;
    assert_int_equal(row_spill_room(s, &block, memory, NULL), KITH_OK);
    for (uint32_t b = 0; b < row_spill_blocks(s); b++) {
        assert_int_equal(row_spill_block(s, b, &block, NULL), KITH_OK);
        for (uint32_t row = 0; row < block.n_rows; row++) {
            while (is_dropped(rule, at))
                at++;
            if (rule->numbered)
                assert_int_equal(block.source_rows[row], at);
            same_cell(&block, row, whole, at++);
        }
    }
    while (at < ROWS && is_dropped(rule, at))
        at++;
    assert_int_equal(at, ROWS);
}

static void check_reading(const row_spill_rule *rule, uint32_t n_kept, uint32_t n_blocks)
{
    row_spill *s = NULL;
    kith_error error = {0};
    kith_table *whole = NULL;
    if (spill(&s, rule, &error) != KITH_OK)
        fail_msg("%s", error.message);
    assert_int_equal(scratch_count(), 1); /* the data; the other file has no name */
    assert_int_equal(row_spill_rows(s), n_kept);
    assert_int_equal(row_spill_dropped(s), ROWS - n_kept);
    assert_int_equal(row_spill_blocks(s), n_blocks);
    assert_int_equal(kith_table_read(&whole, scratch_path("data.csv"),
                                     &(kith_table_options)KITH_INIT(kith_table_options), NULL,
                                     NULL),
                     KITH_OK);
    same_rows(s, rule, whole);
    kith_table_free(whole);
}

static const row_spill_rule keep_all;

static void rows_come_back_in_their_order(void **state)
{
    (void)state;
    check_reading(&keep_all, ROWS, 3);
}

static void what_moves_in_parts_is_the_same(void **state)
{
    (void)state;
    behaviour = DISK_SHORT;
    check_reading(&keep_all, ROWS, 3);
    assert_true(n_calls > 100);
}

static void interruptions_are_not_noticed(void **state)
{
    (void)state;
    behaviour = DISK_INTERRUPTED;
    check_reading(&keep_all, ROWS, 3);
    assert_true(n_calls >= 600);
}

static void rows_are_dropped_and_counted(void **state)
{
    (void)state;
    const bool needed[COLUMNS] = {[3] = true};
    row_spill_rule rule = {.needed = needed, .drop = true};
    const uint32_t n_dropped = (ROWS - 3 + HOLE_EVERY - 1) / HOLE_EVERY;
    check_reading(&rule, ROWS - n_dropped, 2);
    rule.numbered = true;
    check_reading(&rule, ROWS - n_dropped, 2);
}

static void values_are_counted(void **state)
{
    (void)state;
    row_spill *s = NULL;
    uint32_t row, where, missing = 0;
    const bool needed[COLUMNS] = {[3] = true};
    const row_spill_rule rule = {.needed = needed};
    assert_int_equal(spill(&s, &rule, NULL), KITH_OK);
    const kith_table *t = row_spill_table(s);
    const uint64_t *const *counts = row_spill_counts(s);
    const uint32_t *const *first = row_spill_first(s);
    assert_int_equal(t->columns[0].values.count, 5);
    for (uint32_t v = 0; v < 5; v++) {
        assert_int_equal(counts[0][v], (ROWS - v + 4) / 5);
        assert_int_equal(first[0][v], v);
    }
    for (uint32_t i = 0; i < ROWS; i++)
        missing += i % HOLE_EVERY == 3;
    assert_int_equal(counts[3][t->columns[3].values.count], missing);
    assert_true(row_spill_lacks(s, &row, &where));
    assert_int_equal(row, 3);
    assert_int_equal(where, 3);
}

/* At every write of a block: three of them. */
static void a_full_disk_is_named(void **state)
{
    (void)state;
    static const disk kinds[] = {DISK_FULL, DISK_TAKES_NOTHING};
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t at = 0; at < 3; at++) {
            kith_error error = {0};
            row_spill *s = NULL;
            behaviour = kinds[k];
            fails_from = at;
            n_calls = 0;
            assert_int_equal(spill(&s, &keep_all, &error), KITH_IO);
            assert_non_null(strstr(error.message, "cannot write a temporary file in "));
            assert_non_null(strstr(error.message, scratch_directory));
            assert_non_null(strstr(error.message, "No space left on device"));
            assert_int_equal(scratch_count(), 1);
        }
}

static void a_disk_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    kith_error error = {0};
    row_spill *s = NULL;
    kith_table block;
    assert_int_equal(spill(&s, &keep_all, &error), KITH_OK);
    assert_int_equal(row_spill_room(s, &block, memory, NULL), KITH_OK);
    reads_fail = true;
    assert_int_equal(row_spill_block(s, 1, &block, &error), KITH_IO);
    assert_non_null(strstr(error.message, "cannot read a temporary file in "));
    assert_non_null(strstr(error.message, scratch_directory));
    reads_fail = false; /* and again */
    assert_int_equal(row_spill_block(s, 1, &block, &error), KITH_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_come_back_in_their_order, begin, end),
        cmocka_unit_test_setup_teardown(what_moves_in_parts_is_the_same, begin, end),
        cmocka_unit_test_setup_teardown(interruptions_are_not_noticed, begin, end),
        cmocka_unit_test_setup_teardown(rows_are_dropped_and_counted, begin, end),
        cmocka_unit_test_setup_teardown(values_are_counted, begin, end),
        cmocka_unit_test_setup_teardown(a_full_disk_is_named, begin, end),
        cmocka_unit_test_setup_teardown(a_disk_that_cannot_be_read_is_named, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
