/* Fails the n-th allocation while a table comes from an Arrow stream and goes to another one, for
 * every n: the calls say that memory ran out, everything is released once, and nothing leaks. */
/* wrap: allocations */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/failing_job.h"
#include "support/arrow_check.h"

static const uint8_t valid[] = {0x05};
static const int32_t offsets[] = {0, 1, 2, 3}, ages[] = {34, 7, 9}, days[] = {1, 2, 3};
static const uint8_t indices[] = {1, 0, 1};

static void fill(arrow_source *s)
{
    arrow_source_init(s);
    arrow_source_column(s, "text", "u", NULL);
    arrow_source_column(s, "age", "i", NULL);
    arrow_source_column(s, "day", "tdD", NULL);
    arrow_source_column(s, "sex", "C", "u");
    for (int i = 0; i < 2; i++) {
        arrow_source_batch(s, 3);
        arrow_source_fill(s, 0, 3, 3, BUFFERS(valid, offsets, i == 0 ? "abc" : "def"));
        arrow_source_fill(s, 1, 3, 2, BUFFERS(valid, ages));
        arrow_source_fill(s, 2, 3, 2, BUFFERS(NULL, days));
        arrow_source_fill(s, 3, 3, 2, BUFFERS(valid, indices));
        arrow_source_fill_values(s, 3, 2, 3, BUFFERS(NULL, offsets, "fm"));
    }
}

static kith_status take(kith_table **table, kith_error *error)
{
    static const kith_column_spec wanted[] = {{"day", KITH_TYPE_DATE, "%d.%m.%Y"},
                                              {"sex", KITH_TYPE_STRING, NULL},
                                              {"age", KITH_TYPE_INTEGER, NULL},
                                              {"text", KITH_TYPE_STRING, NULL}};
    arrow_source s;
    fill(&s);
    struct ArrowArrayStream stream = arrow_source_stream(&s);
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = wanted, .n_columns = 4);
    kith_status status = kith_table_from_arrow(table, &stream, &options, NULL, error);
    assert_true(arrow_source_settled(&s));
    return status;
}

/* A whole stream through the next reader: its failures become those of the reader. */
static kith_status through(const kith_table *table, bool no_dictionary, kith_error *error)
{
    struct ArrowArrayStream stream;
    kith_table *back = NULL;
    const kith_arrow_options options =
        KITH_OPTIONS(kith_arrow_options, .batch_rows = 4, .no_dictionary = no_dictionary);
    kith_status status = kith_table_to_arrow(&stream, table, &options, error);
    if (status != KITH_OK) {
        assert_null(stream.release);
        return status;
    }
    status = kith_table_from_arrow(&back, &stream, NULL, NULL, error);
    assert_null(stream.release);
    kith_table_free(back);
    return status;
}

static kith_status exchanging(kith_error *error)
{
    kith_table *table = NULL;
    kith_status status = take(&table, error);
    if (status == KITH_OK)
        status = through(table, false, error);
    if (status == KITH_OK)
        status = through(table, true, error);
    kith_table_free(table);
    return status;
}

static void while_exchanging(void **state)
{
    (void)state;
    for (int from_there_on = 0; from_there_on < 2; from_there_on++) {
        assert_int_equal(failing_job(exchanging, 0, false), KITH_OK);
        size_t all = failing_seen(), refused = 0;
        for (size_t n = 1; n <= all; n++)
            refused += failing_job(exchanging, n, from_there_on) == KITH_NOMEM;
        assert_true(all > 100);
        assert_int_equal(refused, all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(while_exchanging)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
