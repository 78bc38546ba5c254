/* Small tables and hierarchies for the tests of verify. */
#ifndef TESTS_VERIFY_SUPPORT_H
#define TESTS_VERIFY_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "hierarchy/hierarchy.h"
#include "table/table.h"

/* A table of texts; columns are called c0, c1, …; NULL cells are missing. */
static inline kith_table *texts(const char *const *cells, size_t n_rows, size_t n_columns)
{
    static const char *const names[] = {"c0", "c1", "c2", "c3"};
    kith_column_spec specs[4] = {{0}};
    for (size_t i = 0; i < n_columns; i++)
        specs[i].name = names[i];
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = n_columns);
    kith_table *table = NULL;
    assert_int_equal(kith_table_from_cells(&table, cells, n_rows, &options, NULL), KITH_OK);
    return table;
}

#endif
