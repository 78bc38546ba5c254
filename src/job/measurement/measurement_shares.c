#include "core/crew.h"
#include "core/error.h"
#include "job/measurement/measurement.h"
#include "job/parts/parts.h"
#include "job/share/share_cover.h"
#include "job/share/share_unite.h"

/* What ranks cannot find out together is refused before anything is read. */
static kith_status check(const measurement *m, kith_error *error)
{
    if (m->data_input.table != NULL || m->release_input.table != NULL)
        return error_set(error, KITH_INVALID,
                         "tables in memory cannot be compared over ranks: use options.data and "
                         "options.release");
    TRY(share_cover_no_mapping(&m->mapping_input, error));
    TRY(prepare_compare_check(m->study, error));
    if (m->sampling.max_size == 0)
        return KITH_OK;
    error_set(error, KITH_INVALID, "special uniques cannot be looked for over ranks");
    return error_hint(error, KITH_INVALID, "start one process, without ranks");
}

/* The own records, and the rows that stand for them. */
static kith_status load(measurement *m, kith_table *rows, kith_error *error)
{
    context *c = &m->context;
    const kith_table_options options = KITH_INIT(kith_table_options);
    const kith_table *read, *united;
    share place, records;
    TRY(share_input_read(&read, &place, &m->release_input, &options, c, error));
    TRY(share_unite(&united, read, c, error));
    TRY(share_cover(&m->cover, &m->prepared, rows, m->study, &m->data_input, united, &place, c,
                    error));
    m->n_records = prepare_whole_rows(&m->prepared);
    m->n_released = place.n_rows;
    if (m->cover.counts_differ)
        return error_set(error, KITH_DATA, "%s has %llu rows, but the data has %llu",
                         united->source, (unsigned long long)m->n_released,
                         (unsigned long long)m->n_records);
    TRY(share_place(&records, m->prepared.n_rows, c, error));
    m->first_record = records.first_row;
    m->in_order = true;
    m->release = rows;
    return KITH_OK;
}

kith_status measurement_share(measurement *m, kith_error *error)
{
    context *c = &m->context;
    parts *p;
    assessment whole;
    double kl;
    kith_table *rows = TRY_ALLOC(arena_alloc(c->memory, sizeof *rows), error);
    TRY(check(m, error));
    TRY(context_agree_on_seed(c, error));
    TRY(load(m, rows, error));
    TRY(parts_open(&p, &m->prepared, rows, c, error));
    TRY(parts_group(&m->after, p, rows, c->memory, error));
    TRY(parts_kl(&kl, &m->prepared, rows, &m->after, c, error));
    TRY(measurement_analyze(m, error));
    TRY(parts_close(&whole, p, &m->prepared, rows, error));
    m->n_suppressed = whole.verified.suppressed;
    m->loss = whole.loss;
    m->loss.kl = kl;
    m->risks = whole.risks;
    return KITH_OK;
}
