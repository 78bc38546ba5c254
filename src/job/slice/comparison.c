#include "job/slice/comparison.h"

#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "job/result/mapping_rows.h"
#include "job/slice/slice_align.h"
#include "job/slice/slice_prepare.h"
#include "job/slice/slice_tell.h"
#include "table/source.h"
#include "table/table_unite.h"

kith_status comparison_check(const comparison *k, const context *c, kith_error *error)
{
    if (ranks_count(c->ranks) == 1)
        return KITH_OK;
    TRY(assess_judges_parts(k->study, error));
    if (!table_input_given(&k->data_input))
        return KITH_OK;
    if (!table_input_given(&k->mapping_input))
        return prepare_compare_check(k->study, error);
    error_set(error, KITH_INVALID, "a mapping cannot be used over ranks");
    return error_hint(error, KITH_INVALID, "start one process, without ranks");
}

kith_status comparison_read(comparison *k, context *c, kith_error *error)
{
    const kith_table_options options = KITH_INIT(kith_table_options);
    return slice_input_read(&k->release, &k->place, &k->release_input, &options, c, error);
}

/* All rows are here, in any order. */
static kith_status compare_all(comparison *k, const kith_table *data, context *c, kith_error *error)
{
    prepared all;
    const bool mapped = table_input_given(&k->mapping_input);
    TRY(k->draws && !mapped ? prepare_sample(&all, k->study, data, c, error)
                            : prepare_table(&all, k->study, data, c, error));
    if (mapped)
        TRY(mapping_rows_apply(&all, &k->release, &k->mapping_input, data, c, error));
    TRY(assess_part(&k->prepared, &all, k->release, c, error));
    k->rows = k->release;
    k->wrong = (verdict_rows){k->release, NULL};
    TRY(mapped ? assess_cover_in_order(&k->cover, &k->prepared, k->rows, c, error)
               : assess_cover(&k->cover, &k->prepared, k->rows, c, error));
    k->data_line = k->cover.has_place ? table_source_line(k->prepared.table, k->cover.data_row) : 0;
    return KITH_OK;
}

/* What a rank finds where rows are compared with the records in their places. */
typedef struct compared_rows {
    cover_report report;
    uint64_t data_line;
} compared_rows;

/* The first rank that has a wrong row names it for all. */
static kith_status compare_in_order(comparison *k, const kith_table *rows, context *c,
                                    kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks);
    compared_rows own = {0}, one;
    ranks_bytes *all = TRY_ALLOC(arena_array(c->memory, n_ranks, sizeof *all), error);
    TRY(assess_cover(&own.report, &k->prepared, rows, c, error));
    if (own.report.has_place) {
        own.report.row += (uint32_t)k->first_record;
        own.data_line = table_source_line(k->prepared.table, own.report.data_row);
    }
    TRY(ranks_gather(c->ranks, &own, sizeof own, all, c->memory, error));
    k->cover = (cover_report){.holds = true, .check = COVER_IN_ORDER};
    for (uint32_t r = 0; r < n_ranks; r++) {
        memcpy(&one, all[r].bytes, sizeof one);
        one.report.n_wrong_rows += k->cover.n_wrong_rows;
        if (k->cover.holds) {
            k->cover = one.report;
            k->data_line = one.data_line;
        }
        k->cover.n_wrong_rows = one.report.n_wrong_rows;
    }
    return KITH_OK;
}

/* Rows move to where their records are, if they are in order, into the memory of `keeps`, and then
 * to where their records may be; that of `c` is given back. */
static kith_status compare_moved(comparison *k, context *keeps, context *c, kith_error *error)
{
    cover_report any_order;
    kith_table *rows = TRY_ALLOC(arena_alloc(keeps->memory, sizeof *rows), error);
    TRY(slice_align(rows, k->release, &k->place, k->prepared.n_rows, keeps, error));
    k->rows = k->no_rows ? NULL : rows;
    TRY(compare_in_order(k, rows, c, error));
    if (k->cover.holds)
        return KITH_OK;
    TRY(assess_cover_slices(&any_order, &k->prepared, k->release, k->place.first_row, c, error));
    k->cover = verify_cover_choose(&k->cover, &any_order);
    return KITH_OK;
}

/* Every rank has some of the rows. */
static kith_status compare_shares(comparison *k, const kith_table *data, context *c,
                                  kith_error *error)
{
    prepared all;
    slice records;
    prepare_whole *whole = TRY_ALLOC(arena_alloc(c->memory, sizeof *whole), error);
    TRY(table_unite(&k->release, k->release, NULL, c, error));
    TRY(slice_prepare(&all, whole, k->study, data, c, error));
    TRY(assess_part(&k->prepared, &all, k->release, c, error));
    TRY(slice_place(&records, k->prepared.n_rows, c, error));
    k->first_record = records.first_row;
    k->cover = (cover_report){.counts_differ = true};
    if (whole->n_rows != k->place.n_rows)
        return KITH_OK;
    context scratch = *c;
    scratch.memory = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status = compare_moved(k, k->no_rows ? &scratch : c, &scratch, error);
    arena_free(scratch.memory);
    TRY(status);
    verdict_place *place = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *place), error);
    place->row = k->cover.has_place ? k->cover.row : VERDICT_NOWHERE;
    k->cover.row = 0;
    return slice_tell(&k->wrong, place, 1, k->release, k->place.first_row, c, error);
}

static bool joins_rows(const void *study, const char *name)
{
    return strcmp(((const kith_study *)study)->id_column, name) == 0;
}

static kith_status read_with_identifier(const source *s, void *study, kith_table **table,
                                        kith_error *error)
{
    source more = *s;
    more.also = joins_rows;
    more.also_user = study;
    return source_read_whole(&more, table, error);
}

/* Where sites join rows by an identifier, one that has nothing else is a record, too: it is read,
 * behind the other columns, if the data has it. */
static kith_status read_data(const kith_table **data, const comparison *k, context *c,
                             kith_error *error)
{
    const kith_input *from = &k->data_input;
    kith_table_options options = study_table_options(k->study);
    kith_table *read = NULL;
    slice about;
    if (k->study->id_column == NULL || from->table != NULL || ranks_count(c->ranks) > 1)
        return slice_input_read(data, &about, from, &options, c, error);
    options.separator = from->separator;
    options.csv = from->csv;
    TRY(source_read(&read, from->uri, &options, c->run, read_with_identifier, (void *)k->study,
                    error));
    TRY(table_own(read, c->memory, error));
    *data = read;
    return KITH_OK;
}

kith_status comparison_make(comparison *k, context *c, kith_error *error)
{
    const kith_table *data;
    TRY(read_data(&data, k, c, error));
    TRY(ranks_count(c->ranks) == 1 ? compare_all(k, data, c, error)
                                   : compare_shares(k, data, c, error));
    k->in_order = k->cover.holds && k->cover.check == COVER_IN_ORDER;
    return KITH_OK;
}
