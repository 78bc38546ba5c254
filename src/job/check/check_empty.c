#include "job/check/check_empty.h"

#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "job/prepare/kept_rows.h"

static bool is_read(const kith_study *study, const char *name)
{
    if (study->id_column != NULL && strcmp(study->id_column, name) == 0)
        return true;
    for (uint32_t i = 0; i < study->n_read; i++)
        if (strcmp(study->read[i].name, name) == 0)
            return true;
    return false;
}

kith_status check_empty(bool **row_empty, kith_findings *findings, const kith_study *study,
                        const kith_table *table, bool in_order, arena *memory, kith_error *error)
{
    kith_table read = *table;
    read.n_columns = 0;
    read.columns =
        TRY_ALLOC(arena_array(memory, table->n_columns + (size_t)1, sizeof *read.columns), error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (is_read(study, table->columns[i].name))
            read.columns[read.n_columns++] = table->columns[i];
    bool *empty = TRY_ALLOC(arena_zalloc(memory, table->n_rows, sizeof *empty), error);
    uint32_t count = 0, first = 0;
    for (uint32_t row = 0; row < table->n_rows && !in_order; row++) {
        empty[row] = kept_rows_is_empty(&read, row);
        first = empty[row] && count == 0 ? row : first;
        count += empty[row];
    }
    if (count > 0)
        findings_add(findings, KITH_SEVERITY_WARNING, table->source,
                     (size_t)table_source_line(table, first), 0,
                     "%u row%s without any value %s left out", count, count == 1 ? "" : "s",
                     count == 1 ? "is" : "are");
    *row_empty = empty;
    return KITH_OK;
}
