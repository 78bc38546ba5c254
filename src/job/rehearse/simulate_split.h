/* How a table is split among the sites of a simulation. */
#ifndef JOB_REHEARSE_SIMULATE_SPLIT_H
#define JOB_REHEARSE_SIMULATE_SPLIT_H

#include "core/arena.h"
#include "core/check.h"
#include "study/study.h"
#include "table/table.h"

enum { SIMULATE_MAX_SITES = 128 };

typedef enum split_kind {
    SPLIT_ROWS,    /* rows at random, as evenly as possible */
    SPLIT_HASH,    /* rows by the hash of a column's value */
    SPLIT_BY,      /* rows by a column's value; values take turns in order of first appearance */
    SPLIT_COLUMNS, /* all rows, some columns each */
    SPLIT_GRID     /* rows x columns */
} split_kind;

/* Site s holds the rows of part s / n_column_parts and the columns of part s % n_column_parts.
 *
 * Invariants: n_sites = n_row_parts * n_column_parts, between 2 and SIMULATE_MAX_SITES. Every
 * column of the study that is not identifying, or that tells persons apart, is in exactly one part,
 * and so is every row. */
typedef struct simulate_split {
    split_kind kind;
    partition_kind partition;
    const char *text;   /* as given, for messages */
    const char *column; /* of hash and by */
    uint32_t n_sites, n_row_parts, n_column_parts;
    uint32_t *part_of_column; /* [n_columns of the study]; UINT32_MAX: identifying, at no site;
                               * but not columns of the unit */
    uint32_t *part_of_row;    /* [n_rows of the table]; NULL before simulate_split_rows */
} simulate_split;

/* Parses a split ("rows", "hash:COL", "by:COL", "columns:a,b/c,d", "2x2"; NULL: the usual one for
 * the study's partition) and assigns the columns. `named` is the partition that the study names;
 * with PARTITION_NONE the split decides. `n_sites` 0: as many as the split says. Contradictions are
 * KITH_INVALID. */
kith_status simulate_split_read(simulate_split *s, arena *memory, const kith_study *study,
                                partition_kind named, const char *text, uint32_t n_sites,
                                kith_error *error) KITH_MUST_USE;

/* Assigns the rows, or with a study that has a unit, and no overlap: matched, persons with all of
 * theirs. Random choices depend on the seed only. */
kith_status simulate_split_rows(simulate_split *s, arena *memory, const kith_study *study,
                                const kith_table *table, uint64_t seed,
                                kith_error *error) KITH_MUST_USE;

/* True if the site has this column of the study. */
bool simulate_split_has_column(const simulate_split *s, const kith_study *study, uint32_t site,
                               const char *name);

#if KITH_DEBUG
/* Aborts unless the invariants above hold; rows are checked once they are assigned. */
void simulate_split_check(const simulate_split *s, const kith_study *study, uint32_t n_rows);
#endif

static inline bool simulate_split_holds(const simulate_split *s, uint32_t site, uint32_t row)
{
    return s->part_of_row[row] == site / s->n_column_parts;
}

#endif
