/* How a table is dealt to the sites of a simulation. */
#ifndef JOB_SIMULATE_SIMULATE_SPLIT_H
#define JOB_SIMULATE_SIMULATE_SPLIT_H

#include "core/arena.h"
#include "study/study.h"
#include "table/table.h"

typedef enum split_kind {
    SPLIT_ROWS,    /* dealt at random, as evenly as possible */
    SPLIT_HASH,    /* by a hash of a column's value */
    SPLIT_BY,      /* the values of a column are dealt in order of their first appearance */
    SPLIT_COLUMNS, /* all rows, some columns each */
    SPLIT_GRID     /* rows x columns */
} split_kind;

/* Site s holds the rows of part s / n_column_parts and the columns of part s % n_column_parts. */
typedef struct simulate_split {
    split_kind kind;
    partition_kind partition;
    const char *text;   /* as given, for messages */
    const char *column; /* of hash and by */
    uint32_t n_sites, n_row_parts, n_column_parts;
    uint32_t *part_of_column; /* [n_columns of the study]; UINT32_MAX: never leaves the table */
    uint32_t *part_of_row;    /* [n_rows of the table], once simulate_split_rows has been called */
} simulate_split;

/* Reads a split ("rows", "hash:COL", "by:COL", "columns:a,b/c,d", "2x2"; NULL: as the study's
 * partition wants it) and deals the columns. `named` is the study's own, PARTITION_NONE if it
 * names none: then the split's is taken. `n_sites` 0: as many as the split says. Whatever does not
 * fit is KITH_INVALID. */
kith_status simulate_split_read(simulate_split *s, arena *memory, const kith_study *study,
                                partition_kind named, const char *text, uint32_t n_sites,
                                kith_error *error) KITH_MUST_USE;

/* Deals the rows; random ones come from the seed alone. */
kith_status simulate_split_rows(simulate_split *s, arena *memory, const kith_table *table,
                                uint64_t seed, kith_error *error) KITH_MUST_USE;

static inline bool simulate_split_holds(const simulate_split *s, uint32_t site, uint32_t row)
{
    return s->part_of_row[row] == site / s->n_column_parts;
}

#endif
