/* Rows that do not fit into memory. For weave the table is divided by counts
 * (search/records/division.h), and one piece after the other is fetched from a store, searched, and
 * put back; other searches have the codes of the rows in memory. The release is the one that the
 * same seed gives in memory. */
#include "core/error.h"
#include "job/pipeline/pipeline.h"
#include "job/store/store.h"
#include "job/store/store_codes.h"
#include "search/class_counts.h"
#include "search/level_bounds.h"
#include "search/records/record_source.h"

typedef struct on_disk {
    pipeline *run;
    store *store;
    const store_values *values;
    prepare_need needs;
    prepared piece;     /* the one that was fetched last */
    store_codes *codes; /* where the search needs no pieces */
    risk before;        /* of the records that have been seen */
} on_disk;

static kith_status rows_on_disk_check(const pipeline *p, kith_error *error)
{
    TRY(prepare_whole_check(p->study, error));
    if (p->options->review == NULL)
        return KITH_OK;
    error_set(error, KITH_INVALID, "an internal report needs all rows of the release in memory");
    return error_hint(error, KITH_INVALID, "leave it out, or allow more memory");
}

/* Counts of a sensitive attribute in the whole table, and what the table shows as one class. */
static kith_status count_sensitive(const on_disk *j, const prepared_column *col, histogram *to,
                                   kith_error *error)
{
    const problem *p = &j->values->prepared.problem;
    const uint32_t n_values = p->sensitive[col->sensitive].count;
    const uint64_t *counts = j->values->whole.counts[col->source];
    uint32_t *sums = TRY_ZEROS(sums, j->run->context->memory, n_values, error);
    for (uint32_t code = 0; code <= j->run->table->columns[col->source].values.count; code++)
        if (counts[code] > 0)
            sums[j->values->sensitive[col->sensitive][code]] += (uint32_t)counts[code];
    *to = (histogram){sums, n_values};
    return KITH_OK;
}

static uint32_t close_attribute(const on_disk *j, const prepared_column *col)
{
    const tree *t = j->values->problem.attributes[col->attribute].tree;
    const uint32_t *cells = j->values->cells[col->attribute];
    uint32_t closure = j->needs == NEEDS_COMBINATIONS ? tree_root(t) : UINT32_MAX;
    for (uint32_t code = 0; code <= j->run->table->columns[col->source].values.count; code++)
        if (j->values->whole.counts[col->source][code] > 0)
            closure = closure == UINT32_MAX ? cells[code] : tree_lca(t, closure, cells[code]);
    return closure == UINT32_MAX ? tree_root(t) : closure;
}

/* What search_run checks of a table in memory. */
static kith_status check_whole(const on_disk *j, kith_error *error)
{
    const prepared *p = &j->values->prepared;
    arena *memory = j->run->context->memory;
    histogram *sensitive = TRY_ZEROS(sensitive, memory, p->problem.n_sensitive, error);
    uint32_t *closure = TRY_ARRAY(closure, memory, p->problem.n_attributes, error);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const prepared_column *col = &p->columns[i];
        if (col->sensitive != PREPARE_NONE)
            TRY(count_sensitive(j, col, &sensitive[col->sensitive], error));
        if (col->attribute != PREPARE_NONE)
            closure[col->attribute] = close_attribute(j, col);
    }
    class_view whole = {
        .size = (uint32_t)j->values->whole.n_rows, .sensitive = sensitive, .closure = closure};
    class_counts persons;
    if (j->values->problem.unit != NULL) {
        const uint32_t n = whole.size;
        TRY(class_counts_init(&persons, &j->values->problem, NULL, memory, error));
        class_counts_add(&persons, NULL, n);
        whole = class_counts_view(&persons, closure, NULL, n);
    }
    return search_check_whole(j->run->outcome.algorithm, &j->values->problem, &whole, memory,
                              error);
}

static kith_status rows_on_disk_load(pipeline *p, kith_error *error)
{
    on_disk *j = TRY_ZEROS(j, p->context->memory, 1, error);
    p->rows = j;
    *j = (on_disk){.run = p, .needs = prepare_needs(p->study, false)};
    TRY(store_open(&j->store, p->study, p->options, p->memory_bytes, &p->publication, p->context,
                   error));
    TRY(store_read(j->store, j->needs == NEEDS_PIECES, &p->table, &j->values, error));
    p->prepared = j->values->prepared;
    return KITH_OK;
}

static kith_status rows_on_disk_divide(void *self, const division *d, bool *here, kith_error *error)
{
    const on_disk *j = self;
    (void)here; /* all pieces are */
    return store_divide(j->store, d, error);
}

static kith_status fetch(void *self, uint32_t piece, problem *p, context *c, kith_error *error)
{
    on_disk *j = self;
    kith_table *rows = TRY_ALLOC(arena_alloc(c->memory, sizeof *rows), error);
    TRY(store_fetch(j->store, piece, rows, c->memory, error));
    TRY(prepare_slice(&j->piece, j->run->study, rows, &j->values->whole, c, error));
    TRY(risk_add_data(&j->before, &j->piece, c, error));
    return level_bounds_cut(p, &j->piece.problem, c->memory, error);
}

static kith_status rows_on_disk_put(void *self, uint32_t piece, const partition *shown, context *c,
                                    kith_error *error)
{
    const on_disk *j = self;
    const search_result found = {.partition = *shown};
    (void)piece;
    level_bounds_restore(shown->closure, shown->n_classes, &j->piece.problem);
    TRY(explain_add(j->run->outcome.explanation, &j->piece.problem, &found,
                    j->piece.original->source_rows, c, error));
    return store_put(j->store, shown, error);
}

static kith_status rows_on_disk_search(pipeline *p, kith_error *error)
{
    on_disk *j = p->rows;
    const record_scan scan = {store_scan, j->store};
    if (j->needs != NEEDS_RECORDS)
        TRY(check_whole(j, error));
    if (j->needs != NEEDS_PIECES)
        return store_codes_search(&j->codes, &p->result, p->outcome.explanation, &j->before,
                                  p->outcome.algorithm, j->values, &scan, p->context, error);
    const record_source r = {.count = j->values->whole.n_rows,
                             .scan = scan,
                             .divide = rows_on_disk_divide,
                             .fetch = fetch,
                             .put = rows_on_disk_put,
                             .self = j};
    return search_run_records(&p->result, &j->values->problem, &r, &p->study->search, p->context,
                              error);
}

/* A file is assessed as receivers will read it; what cannot be read back in time is written when
 * the rows that were made for it have been assessed. */
static kith_status write(pipeline *p, kith_error *error)
{
    on_disk *j = p->rows;
    publication *out = &p->publication;
    job_times *t = &p->outcome.seconds;
    const bool is_file = out->meta != NULL;
    TRY(publication_may_go_on(out, "write", error));
    TRY(store_make(j->store, j->codes == NULL ? NULL : store_codes_show, j->codes, error));
    if (is_file)
        TRY(store_write(j->store, error));
    t->write = context_lap(&p->since);
    TRY(publication_may_go_on(out, "verify", error));
    if (is_file)
        TRY(store_read_back(j->store, error));
    TRY(store_assess(j->store, &j->before, &out->assessment, error));
    out->assessed = true;
    t->verify = context_lap(&p->since);
    if (!is_file)
        TRY(store_write(j->store, error));
    t->write += context_lap(&p->since);
    return KITH_OK;
}

static kith_status accompany(pipeline *p, kith_error *error)
{
    on_disk *j = p->rows;
    TRY(pipeline_accompany(p, error));
    return p->publication.mapping == NULL ? KITH_OK
                                          : store_map(j->store, p->publication.mapping, error);
}

const rows_place rows_on_disk = {.check = rows_on_disk_check,
                                 .load = rows_on_disk_load,
                                 .open = pipeline_open,
                                 .search = rows_on_disk_search,
                                 .write = write,
                                 .accompany = accompany,
                                 .commit = pipeline_commit};
