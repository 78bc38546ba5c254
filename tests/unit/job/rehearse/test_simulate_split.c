/* Who gets which rows and columns, and which splits are refused. */
#include "unit/job/support.h"

#include "job/rehearse/simulate_split.h"

static const char study_text[] = "study: people\n"
                                 "columns:\n"
                                 "  - {name: who, role: identifying}\n"
                                 "  - {name: age, role: quasi-identifying, type: integer}\n"
                                 "  - {name: zip, role: quasi-identifying}\n"
                                 "  - {name: note, role: insensitive}\n"
                                 "  - {name: sex, role: quasi-identifying}\n"
                                 "  - {name: disease, role: sensitive}\n"
                                 "privacy: [{model: k-anonymity, k: 2}]\n";

enum { WHO, AGE, ZIP, NOTE, SEX, DISEASE, COLUMNS };

typedef struct scene {
    kith_study *study;
    arena *memory;
    simulate_split split;
    kith_error error;
} scene;

static int setup(void **state)
{
    scene *s = calloc(1, sizeof *s);
    s->study = study_of(study_text);
    s->memory = arena_new();
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    scene *s = *state;
    kith_study_free(s->study);
    arena_free(s->memory);
    free(s);
    return 0;
}

static kith_status read_split(scene *s, partition_kind named, const char *text, uint32_t n_sites)
{
    return simulate_split_read(&s->split, s->memory, s->study, named, text, n_sites, &s->error);
}

static void columns_are(const scene *s, const int *expected)
{
    for (int i = 0; i < COLUMNS; i++)
        assert_int_equal((int)s->split.part_of_column[i], expected[i]);
}

static void columns_go_evenly_in_order(void **state)
{
    scene *s = *state;
    assert_int_equal(read_split(s, PARTITION_VERTICAL, NULL, 2), KITH_OK);
    assert_int_equal(s->split.kind, SPLIT_COLUMNS);
    columns_are(s, (int[]){-1, 0, 0, 0, 1, 1});
    assert_int_equal(read_split(s, PARTITION_VERTICAL, NULL, 3), KITH_OK);
    columns_are(s, (int[]){-1, 0, 1, 1, 2, 2});
    assert_int_equal(read_split(s, PARTITION_HYBRID, NULL, 6), KITH_OK);
    assert_int_equal(s->split.n_row_parts, 3);
    assert_int_equal(s->split.n_column_parts, 2);
    assert_int_equal(read_split(s, PARTITION_NONE, NULL, 3), KITH_OK);
    assert_int_equal(s->split.partition, PARTITION_HORIZONTAL);
    columns_are(s, (int[]){-1, 0, 0, 0, 0, 0});
}

static void columns_go_as_listed(void **state)
{
    scene *s = *state;
    assert_int_equal(read_split(s, PARTITION_NONE, "columns:sex,disease/age/zip,note", 0), KITH_OK);
    assert_int_equal(s->split.partition, PARTITION_VERTICAL);
    assert_int_equal(s->split.n_sites, 3);
    columns_are(s, (int[]){-1, 1, 2, 2, 0, 0});
    assert_int_equal(read_split(s, PARTITION_HYBRID, "2x3", 6), KITH_OK);
    assert_int_equal(s->split.n_sites, 6);
    columns_are(s, (int[]){-1, 0, 1, 1, 2, 2});
}

static void refused(scene *s, partition_kind named, const char *text, uint32_t n_sites,
                    const char *why)
{
    assert_int_equal(read_split(s, named, text, n_sites), KITH_INVALID);
    assert_string_equal(s->error.message, why);
}

static void bad_splits_are_refused(void **state)
{
    scene *s = *state;
    refused(s, PARTITION_NONE, "cells", 2,
            "split 'cells': expected rows, hash:COLUMN, by:COLUMN, columns:A,B/C,D or a grid such "
            "as 2x2");
    refused(s, PARTITION_NONE, "1x2", 2,
            "split '1x2': expected rows, hash:COLUMN, by:COLUMN, columns:A,B/C,D or a grid such "
            "as 2x2");
    refused(s, PARTITION_VERTICAL, "rows", 2,
            "split 'rows': this is for horizontal runs, but the study says partition: vertical");
    refused(s, PARTITION_NONE, "columns:age,zip,note/sex,disease", 3,
            "split 'columns:age,zip,note/sex,disease': this makes 2 sites, not 3");
    refused(s, PARTITION_NONE, "columns:age,zip/sex", 0,
            "split 'columns:age,zip/sex': no site gets column note");
    refused(s, PARTITION_NONE, "columns:age,zip,age/sex", 0,
            "split 'columns:age,zip,age/sex': column age is listed twice");
    refused(s, PARTITION_NONE, "columns:age,who/sex", 0,
            "split 'columns:age,who/sex': column who is identifying and takes no part");
    refused(s, PARTITION_NONE, "columns:age,/sex", 0,
            "split 'columns:age,/sex': a site without columns, or a column without name");
    refused(s, PARTITION_NONE, "columns:age/height", 0,
            "split 'columns:age/height': the study has no column 'height'");
    refused(s, PARTITION_NONE, "columns:age,zip,note,sex,disease", 0,
            "expected 2 to 128 sites, not 1");
    refused(s, PARTITION_NONE, "rows", 0,
            "the split does not say how many sites there are: use --sites N");
    refused(s, PARTITION_NONE, "rows", 129, "expected 2 to 128 sites, not 129");
    refused(s, PARTITION_HYBRID, NULL, 5, "5 sites make no grid of rows x columns");
    refused(s, PARTITION_VERTICAL, NULL, 4,
            "3 quasi-identifying columns cannot be distributed to 4 sites with at least one each");
}

/* 40 rows whose zip repeats after 5 and whose sex is all the same. */
static kith_table *make_table(const scene *s)
{
    static const char *const zips[] = {"c", "a", "e", "b", NULL};
    const char *cells[40 * 5];
    for (size_t i = 0; i < 40; i++) {
        cells[5 * i] = "1";
        cells[5 * i + 1] = zips[i % 5];
        cells[5 * i + 2] = "n";
        cells[5 * i + 3] = "f";
        cells[5 * i + 4] = "flu";
    }
    return table_of(s->study, cells, 40);
}

static void rows_are_distributed_by_the_seed(void **state)
{
    scene *s = *state;
    kith_table *table = make_table(s);
    uint32_t first[40], counts[3] = {0};
    assert_int_equal(read_split(s, PARTITION_NONE, "rows", 3), KITH_OK);
    assert_int_equal(simulate_split_rows(&s->split, s->memory, s->study, table, 7, &s->error),
                     KITH_OK);
    memcpy(first, s->split.part_of_row, sizeof first);
    for (size_t i = 0; i < 40; i++)
        counts[first[i]]++;
    assert_int_equal(counts[0], 14);
    assert_int_equal(counts[1], 13);
    assert_int_equal(counts[2], 13);
    assert_int_equal(simulate_split_rows(&s->split, s->memory, s->study, table, 7, &s->error),
                     KITH_OK);
    assert_memory_equal(first, s->split.part_of_row, sizeof first);
    assert_int_equal(simulate_split_rows(&s->split, s->memory, s->study, table, 8, &s->error),
                     KITH_OK);
    assert_memory_not_equal(first, s->split.part_of_row, sizeof first);
    kith_table_free(table);
}

static void values_stay_together(void **state)
{
    scene *s = *state;
    kith_table *table = make_table(s);
    assert_int_equal(read_split(s, PARTITION_NONE, "by:zip", 2), KITH_OK);
    assert_int_equal(simulate_split_rows(&s->split, s->memory, s->study, table, 1, &s->error),
                     KITH_OK);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(s->split.part_of_row[i], i % 5 % 2); /* in order of their appearance */
    assert_int_equal(read_split(s, PARTITION_NONE, "hash:zip", 2), KITH_OK);
    assert_int_equal(simulate_split_rows(&s->split, s->memory, s->study, table, 1, &s->error),
                     KITH_OK);
    for (uint32_t i = 5; i < 40; i++)
        assert_int_equal(s->split.part_of_row[i], s->split.part_of_row[i % 5]);
    kith_table_free(table);
}

static void too_few_values_are_refused(void **state)
{
    scene *s = *state;
    kith_table *table = make_table(s);
    assert_int_equal(read_split(s, PARTITION_NONE, "by:sex", 2), KITH_OK);
    assert_int_equal(simulate_split_rows(&s->split, s->memory, s->study, table, 1, &s->error),
                     KITH_INVALID);
    assert_string_equal(s->error.message,
                        "split 'by:sex': the column has 1 different values, too few for 2 sites");
    kith_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(columns_go_evenly_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(columns_go_as_listed, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_splits_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_are_distributed_by_the_seed, setup, teardown),
        cmocka_unit_test_setup_teardown(values_stay_together, setup, teardown),
        cmocka_unit_test_setup_teardown(too_few_values_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
