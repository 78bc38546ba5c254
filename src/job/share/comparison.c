#include "job/share/comparison.h"

#include "core/crew.h"
#include "core/error.h"
#include "job/result/mapping_rows.h"
#include "job/share/share_align.h"
#include "job/share/share_prepare.h"
#include "table/table_unite.h"

kith_status comparison_check(const comparison *k, const context *c, kith_error *error)
{
    if (crew_size(c->crew) == 1)
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
    return share_input_read(&k->release, &k->place, &k->release_input, &options, c, error);
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
    return mapped ? assess_cover_in_order(&k->cover, &k->prepared, k->rows, c, error)
                  : assess_cover(&k->cover, &k->prepared, k->rows, c, error);
}

/* One rank, the first that has a wrong row, says so for all. */
static kith_status refuse_wrong(const comparison *k, const cover_report *own, uint64_t n_wrong,
                                kith_error *error)
{
    const prepared *p = &k->prepared;
    const uint32_t row = own->data_row;
    error_at(
        error, KITH_INVALID, table_file(p->table, row), table_line(p->table, row), 0,
        "row %llu of %s does not stand for this record (column %s); %llu row%s wrong, unless they "
        "are in another order, which ranks cannot find out",
        (unsigned long long)(k->first_record + own->row + 1), k->release->source,
        p->columns[own->column].study->name, (unsigned long long)n_wrong,
        n_wrong == 1 ? " is" : "s are");
    return error_hint(error, KITH_INVALID, "start one process, without ranks");
}

/* Rows move to where their records are, into the memory of `keeps`; that of `c` is given back. */
static kith_status compare_moved(comparison *k, context *keeps, context *c, kith_error *error)
{
    cover_report own;
    kith_table *rows = TRY_ALLOC(arena_alloc(keeps->memory, sizeof *rows), error);
    TRY(share_align(rows, k->release, &k->place, k->prepared.n_rows, keeps, error));
    TRY(assess_cover(&own, &k->prepared, rows, c, error));
    uint64_t n_wrong = own.n_wrong_rows;
    TRY(crew_sum(c->crew, &n_wrong, 1, error));
    if (own.n_wrong_rows > 0)
        return refuse_wrong(k, &own, n_wrong, error);
    k->rows = k->no_rows ? NULL : rows;
    k->cover = (cover_report){.holds = true, .check = COVER_IN_ORDER};
    return n_wrong == 0 ? KITH_OK : crew_barrier(c->crew, error); /* another rank says it */
}

/* Every rank has some of the rows. */
static kith_status compare_shares(comparison *k, const kith_table *data, context *c,
                                  kith_error *error)
{
    prepared all;
    share records;
    prepare_whole *whole = TRY_ALLOC(arena_alloc(c->memory, sizeof *whole), error);
    TRY(table_unite(&k->release, k->release, NULL, c, error));
    TRY(share_prepare(&all, whole, k->study, data, c, error));
    TRY(assess_part(&k->prepared, &all, k->release, c, error));
    TRY(share_place(&records, k->prepared.n_rows, c, error));
    k->first_record = records.first_row;
    k->cover = (cover_report){.counts_differ = true};
    if (whole->n_rows != k->place.n_rows)
        return KITH_OK;
    context scratch = *c;
    scratch.memory = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status = compare_moved(k, k->no_rows ? &scratch : c, &scratch, error);
    arena_free(scratch.memory);
    return status;
}

kith_status comparison_make(comparison *k, context *c, kith_error *error)
{
    const kith_table_options options = study_table_options(k->study);
    const kith_table *data;
    share about;
    TRY(share_input_read(&data, &about, &k->data_input, &options, c, error));
    TRY(crew_size(c->crew) == 1 ? compare_all(k, data, c, error)
                                : compare_shares(k, data, c, error));
    k->in_order = k->cover.holds && k->cover.check == COVER_IN_ORDER;
    return KITH_OK;
}
