#include "job/share/share_cover.h"

#include "core/crew.h"
#include "core/error.h"
#include "job/share/share_align.h"
#include "job/share/share_unite.h"

kith_status share_cover_no_mapping(const table_input *mapping, kith_error *error)
{
    if (!table_input_given(mapping))
        return KITH_OK;
    error_set(error, KITH_INVALID, "a mapping cannot be used over ranks");
    return error_hint(error, KITH_INVALID, "start one process, without ranks");
}

/* One rank, the first that has a wrong row, says so for all. */
static kith_status refuse_wrong(const cover_report *own, const prepared *p, uint64_t first_record,
                                uint64_t n_wrong, const char *release, kith_error *error)
{
    const uint32_t row = own->data_row;
    error_at(
        error, KITH_INVALID, table_file(p->table, row), table_line(p->table, row), 0,
        "row %llu of %s does not stand for this record (column %s); %llu row%s wrong, unless they "
        "are in another order, which ranks cannot find out",
        (unsigned long long)(first_record + own->row + 1), release,
        p->columns[own->column].study->name, (unsigned long long)n_wrong,
        n_wrong == 1 ? " is" : "s are");
    return error_hint(error, KITH_INVALID, "start one process, without ranks");
}

/* `c` has memory that is given back; the rows live in that of `keeps`. */
static kith_status compare(cover_report *report, const prepared *p, kith_table *rows,
                           const kith_table *release, const share *at, context *keeps, context *c,
                           kith_error *error)
{
    cover_report own;
    share records;
    TRY(share_place(&records, p->n_rows, c, error));
    TRY(share_align(rows, release, at, p->n_rows, keeps, error));
    TRY(assess_cover(&own, p, rows, c, error));
    uint64_t n_wrong = own.n_wrong_rows;
    TRY(crew_sum(c->crew, &n_wrong, 1, error));
    if (own.n_wrong_rows > 0)
        return refuse_wrong(&own, p, records.first_row, n_wrong, release->source, error);
    *report = (cover_report){.holds = true, .check = COVER_IN_ORDER};
    return n_wrong == 0 ? KITH_OK : crew_barrier(c->crew, error); /* another rank says it */
}

kith_status share_cover(cover_report *report, prepared *own, kith_table *rows,
                        const kith_study *study, const table_input *data, const kith_table *release,
                        const share *at, context *c, kith_error *error)
{
    const kith_table *table;
    prepared all;
    share about;
    const kith_table_options options = study_table_options(study);
    prepare_whole *whole = TRY_ALLOC(arena_alloc(c->memory, sizeof *whole), error);
    TRY(share_input_read(&table, &about, data, &options, c, error));
    TRY(share_prepare(&all, whole, study, table, c, error));
    TRY(assess_part(own, &all, release, c, error));
    if (whole->n_rows != at->n_rows) {
        *report = (cover_report){.counts_differ = true};
        return KITH_OK;
    }
    arena *scratch = TRY_ALLOC(arena_new_like(c->memory), error);
    context with_scratch = *c;
    with_scratch.memory = scratch;
    kith_table unwanted;
    const kith_status status = compare(report, own, rows != NULL ? rows : &unwanted, release, at,
                                       rows != NULL ? c : &with_scratch, &with_scratch, error);
    arena_free(scratch);
    return status;
}
