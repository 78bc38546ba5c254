/* Rows that do not fit into memory: the table is divided by counts (search/records/division.h), and
 * one piece after the other is fetched from a store, searched, and put back. The release is the one
 * that the same seed gives in memory. */
#include <string.h>

#include "core/error.h"
#include "job/pipeline/pipeline.h"
#include "job/result/make_release.h"
#include "job/store/store_assess.h"
#include "job/store/store_lattice.h"
#include "job/store/store_values.h"
#include "search/level_bounds.h"
#include "search/records/record_source.h"

typedef struct on_disk {
    pipeline *run;
    store *store;
    prepare_whole whole;
    store_values values;
    bool searches_lattice;
    store_lattice *lattice; /* what it has found */
    const division *division;
    prepared piece; /* the one that was fetched last */
    store_assess assess;
} on_disk;

static kith_status check(const pipeline *p, kith_error *error)
{
    TRY(prepare_shares_check(p->study, error));
    if (p->options->review == NULL)
        return KITH_OK;
    error_set(error, KITH_INVALID, "an internal report needs all rows of the release in memory");
    return error_hint(error, KITH_INVALID, "leave it out, or allow more memory");
}

/* Counts of a sensitive attribute in the whole table, and what the table shows as one class. */
static kith_status count_sensitive(const on_disk *j, const prepared_column *col, histogram *to,
                                   kith_error *error)
{
    const problem *p = &j->values.prepared.problem;
    const uint32_t n_values = p->sensitive[col->sensitive].count;
    const uint64_t *counts = j->whole.counts[col->source];
    uint32_t *sums =
        TRY_ALLOC(arena_zalloc(j->run->context->memory, n_values, sizeof *sums), error);
    for (uint32_t code = 0; code <= j->run->table->columns[col->source].values.count; code++)
        if (counts[code] > 0)
            sums[j->values.sensitive[col->sensitive][code]] += (uint32_t)counts[code];
    *to = (histogram){sums, n_values};
    return KITH_OK;
}

static uint32_t close_attribute(const on_disk *j, const prepared_column *col)
{
    const tree *t = j->values.problem.attributes[col->attribute].tree;
    const uint32_t *cells = j->values.cells[col->attribute];
    uint32_t closure = j->searches_lattice ? tree_root(t) : UINT32_MAX;
    for (uint32_t code = 0; code <= j->run->table->columns[col->source].values.count; code++)
        if (j->whole.counts[col->source][code] > 0)
            closure = closure == UINT32_MAX ? cells[code] : tree_lca(t, closure, cells[code]);
    return closure == UINT32_MAX ? tree_root(t) : closure;
}

/* What search_run checks of a table in memory. */
static kith_status check_whole(const on_disk *j, kith_error *error)
{
    const prepared *p = &j->values.prepared;
    arena *memory = j->run->context->memory;
    histogram *sensitive =
        TRY_ALLOC(arena_zalloc(memory, p->problem.n_sensitive, sizeof *sensitive), error);
    uint32_t *closure =
        TRY_ALLOC(arena_array(memory, p->problem.n_attributes, sizeof *closure), error);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const prepared_column *col = &p->columns[i];
        if (col->sensitive != PREPARE_NONE)
            TRY(count_sensitive(j, col, &sensitive[col->sensitive], error));
        if (col->attribute != PREPARE_NONE)
            closure[col->attribute] = close_attribute(j, col);
    }
    const class_view whole = {(uint32_t)j->whole.n_rows, sensitive, closure};
    return search_check_whole(j->run->outcome.algorithm, &j->values.problem, &whole, memory, error);
}

static kith_status load(pipeline *p, kith_error *error)
{
    const uint32_t *const *first;
    on_disk *j = TRY_ALLOC(arena_zalloc(p->context->memory, 1, sizeof *j), error);
    p->rows = j;
    *j = (on_disk){.run = p, .searches_lattice = store_lattice_asked(p->study)};
    TRY(store_open(&j->store, p->study, p->options, p->memory_bytes, &p->publication, p->context,
                   error));
    TRY(store_survey(j->store, &p->table, &j->whole, &first, error));
    if (j->whole.n_rows >= UINT32_MAX)
        return error_set(error, KITH_DATA, "%s: more than %u rows", p->table->source,
                         UINT32_MAX - 1);
    TRY(store_values_make(&j->values, p->study, p->table, &j->whole, first, !j->searches_lattice,
                          p->context, error));
    p->prepared = j->values.prepared;
    j->assess = (store_assess){.store = j->store, .values = &p->prepared, .context = p->context};
    return KITH_OK;
}

/* From a store's blocks to those that the division counts. */
typedef struct record_visitor {
    on_disk *job;
    record_visit visit;
    void *to;
} record_visitor;

static kith_status visit_records(void *to, const store_block *block, kith_error *error)
{
    const record_visitor *v = to;
    record_block records;
    TRY(store_values_block(&v->job->values, block, &records, v->job->run->context->memory, error));
    return v->visit(v->to, &records, error);
}

static kith_status scan_records(void *user, record_visit visit, void *to, kith_error *error)
{
    on_disk *j = user;
    record_visitor v = {j, visit, to};
    return store_scan(j->store, visit_records, &v, error);
}

static kith_status find_pieces(void *user, const store_block *block, uint32_t *pieces,
                               kith_error *error)
{
    on_disk *j = user;
    record_block records;
    if (division_count(j->division) == 1) {
        memset(pieces, 0, block->rows->n_rows * sizeof *pieces);
        return KITH_OK;
    }
    TRY(store_values_block(&j->values, block, &records, j->run->context->memory, error));
    division_pieces(j->division, &records, pieces);
    return KITH_OK;
}

static kith_status divide(void *self, const division *d, bool *here, kith_error *error)
{
    on_disk *j = self;
    j->division = d;
    const store_pieces pieces = {
        .count = division_count(d), .values = &j->values.prepared, .of = find_pieces, .user = j};
    (void)here; /* all pieces are */
    return store_divide(j->store, &pieces, error);
}

static kith_status fetch(void *self, uint32_t piece, problem *p, context *c, kith_error *error)
{
    on_disk *j = self;
    kith_table *rows = TRY_ALLOC(arena_alloc(c->memory, sizeof *rows), error);
    TRY(store_fetch(j->store, piece, rows, c->memory, error));
    TRY(prepare_share(&j->piece, j->run->study, rows, &j->whole, c, error));
    TRY(store_assess_originals(&j->assess, &j->piece, c, error));
    *p = j->piece.problem;
    return j->searches_lattice ? KITH_OK : level_bounds_cut(p, &j->piece.problem, c->memory, error);
}

static kith_status put_rows(on_disk *j, const partition *shown, const uint32_t *numbers, context *c,
                            kith_error *error)
{
    release r;
    const search_result found = {.partition = *shown};
    TRY(make_release(&r, &j->piece, &found, c, error));
    return store_put(j->store, &r, numbers, error);
}

static kith_status put(void *self, uint32_t piece, const partition *shown, context *c,
                       kith_error *error)
{
    on_disk *j = self;
    (void)piece;
    const search_result found = {.partition = *shown};
    level_bounds_restore(shown->closure, shown->n_classes, &j->piece.problem);
    TRY(explain_add(j->run->outcome.explanation, &j->piece.problem, &found,
                    j->piece.original->source_rows, c, error));
    return put_rows(j, shown, NULL, c, error);
}

static kith_status weave(on_disk *j, kith_error *error)
{
    const record_source r = {.count = j->whole.n_rows,
                             .scan = {scan_records, j},
                             .divide = divide,
                             .fetch = fetch,
                             .put = put,
                             .self = j};
    return search_run_records(&j->run->result, &j->values.problem, &r, &j->run->study->search,
                              j->run->context, error);
}

static kith_status recode_piece(on_disk *j, uint32_t piece, context *c, kith_error *error)
{
    problem p;
    partition shown;
    TRY(fetch(j, piece, &p, c, error));
    const uint32_t *numbers;
    TRY(store_lattice_recode(&shown, &numbers, j->lattice, &p, c->memory, error));
    return put_rows(j, &shown, numbers, c, error);
}

/* What the rows show is known then: pieces need not be classes, and may be small. */
static kith_status search_lattice(on_disk *j, kith_error *error)
{
    enum { RECODED_PIECE = 1 << 14 };
    const record_scan scan = {scan_records, j};
    problem p = j->values.problem;
    division *d;
    TRY(store_lattice_search(&j->lattice, &j->run->result, j->run->outcome.explanation,
                             j->run->outcome.algorithm, &p, &j->run->study->search, &scan,
                             j->run->context, error));
    p.n_models = 0;
    TRY(division_make(&d, &p, j->whole.n_rows, 1, RECODED_PIECE, &scan, j->run->context, error));
    TRY(divide(j, d, NULL, error));
    for (uint32_t i = 0; i < division_count(d); i++) {
        context own = *j->run->context;
        own.memory = TRY_ALLOC(arena_new_like(j->run->context->memory), error);
        const kith_status status = recode_piece(j, i, &own, error);
        j->run->context->cancelled = own.cancelled;
        arena_free(own.memory);
        TRY(status);
    }
    return KITH_OK;
}

static kith_status search(pipeline *p, kith_error *error)
{
    on_disk *j = p->rows;
    TRY(check_whole(j, error));
    return j->searches_lattice ? search_lattice(j, error) : weave(j, error);
}

/* A file is assessed as receivers will read it; what cannot be read back in time is written when
 * the rows that were made for it have been assessed. */
static kith_status write(pipeline *p, kith_error *error)
{
    on_disk *j = p->rows;
    publication *out = &p->publication;
    job_times *t = &p->outcome.seconds;
    const bool is_file = out->meta != NULL;
    p->outcome.order = p->options->keep_order ? ORDER_DATA
                       : p->options->shuffle  ? ORDER_RANDOM
                                              : ORDER_SORTED;
    TRY(publication_may_go_on(out, "write", error));
    TRY(store_make(j->store, error));
    if (is_file)
        TRY(store_write(j->store, error));
    t->write = context_lap(&p->since);
    TRY(publication_may_go_on(out, "verify", error));
    if (is_file)
        TRY(store_read_back(j->store, error));
    TRY(store_assess_release(&out->assessment, &j->assess, error));
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

const rows_place rows_on_disk = {.check = check,
                                 .load = load,
                                 .open = pipeline_open,
                                 .search = search,
                                 .write = write,
                                 .accompany = accompany,
                                 .commit = pipeline_commit};
