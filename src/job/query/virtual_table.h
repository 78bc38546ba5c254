/* A site's part of the virtual anonymized database: its own generalized rows in a table of its own
 * database, and beside it a companion table with what a query needs.
 *
 *     TABLE        the released columns as texts, one row per own record, sorted
 *     TABLE_kith   kind, column_name, number, first, last, text
 *        kind value   the public domain of a column: the value at position `number`
 *        kind cell    a text that cells of the column show: it stands for the values at positions
 *                     first … last; the position after the last value is the missing one. Cells of
 *                     all classes of the release are listed, also of those without own rows
 *        kind about   what the rows are: study, digest, run, rows, classes, format, note
 *
 * The rows of a single site are not k-anonymous by themselves. They are never sent anywhere. */
#ifndef JOB_QUERY_VIRTUAL_TABLE_H
#define JOB_QUERY_VIRTUAL_TABLE_H

#include "job/prepare/prepare.h"
#include "protocol/rows.h"
#include "query/query_domain.h"
#include "table/table_writer.h"

enum { VIRTUAL_RELEASE_ID = 32, VIRTUAL_FIELDS = 6 };

/* virtual_write.c: the columns of the companion. */
extern const char *const virtual_fields[VIRTUAL_FIELDS];

/* The release that rows belong to: equal at all sites. */
typedef struct virtual_about {
    const char *study;
    const char *digest; /* of the study, 64 hexadecimal digits */
    const char *run;    /* id of the run, 64 hexadecimal digits */
    uint64_t n_rows;    /* of all sites */
    uint32_t n_classes;
} virtual_about;

/* Checks that TABLE and its companion can be written, and leaves nothing behind. */
kith_status virtual_table_check(const char *uri, bool overwrite, kith_error *error) KITH_MUST_USE;

/* Checks that the values of each quasi-identifier but the missing one are an interval, in the order
 * of values where a release has ranges of them, else in that of the hierarchy. KITH_INVALID. */
kith_status virtual_table_check_order(const prepared *mine, bool ranges,
                                      kith_error *error) KITH_MUST_USE;

/* Writes both tables; they appear with table_writer_commit. `writer` lives in `memory`. */
kith_status virtual_table_write(table_writer **writer, const char *uri, bool overwrite,
                                const prepared *mine, const rows_result *result,
                                const virtual_about *about, arena *memory,
                                kith_error *error) KITH_MUST_USE;

/* Both tables in memory. */
typedef struct virtual_table {
    arena *memory; /* owns everything */
    virtual_about about;
    uint32_t n_columns;
    query_domain *domains; /* [n_columns] */
    const char *const *
        *cells; /* [n_columns][n_codes] texts of the codes in `rows`; NULL: missing */
    query_rows rows;
    unsigned char id[VIRTUAL_RELEASE_ID]; /* of the release with its domains: equal at all sites */
} virtual_table;

/* Reads them. `study` gives the types. KITH_DATA if they are not what virtual_table_write wrote for
 * this study. */
kith_status virtual_table_read(virtual_table **table, const char *uri, const kith_study *study,
                               const kith_run *run, kith_error *error) KITH_MUST_USE;
void virtual_table_free(virtual_table *table);

/* Parts of reading that serve domains from a peer, too. A domain with the name and the type of a
 * column of the study; whether there is one. */
bool virtual_table_name(query_domain *d, const char *name, const kith_study *study);
/* Numbers and dates as numbers; if a value is none, the column is one of texts. */
kith_status virtual_table_numbers(query_domain *d, arena *memory, kith_error *error) KITH_MUST_USE;
/* Fills the id: a hash of what all sites of a release have in common. */
void virtual_table_hash(virtual_table *t);

#endif
