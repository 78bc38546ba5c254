#include "job/store/store_run.h"

#include "core/error.h"
#include "job/result/make_release.h"
#include "job/result/publication.h"
#include "job/store/store_assess.h"
#include "job/store/store_lattice.h"
#include "job/store/store_values.h"
#include "search/class_rules.h"
#include "search/division.h"

/* The state of one run; each step fills what the later ones read. */
typedef struct store_job {
    store *store;
    const kith_study *study;
    context *context;
    const kith_table *table; /* without rows */
    prepare_whole whole;
    store_values values;
    bool searches_lattice;
    store_lattice *lattice; /* what it has found */
    division *division;     /* NULL: one piece */
    search_result result;
    store_assess assess;
    assessment assessment;
    job_outcome outcome;
} store_job;

static const char *refused_option(const kith_anonymize_options *o)
{
    return o->shuffle           ? "shuffling its rows"
           : o->explain         ? "explaining its classes"
           : o->mapping != NULL ? "a mapping of its records"
           : o->lattice != NULL ? "writing the lattice"
           : o->review != NULL  ? "an internal report"
                                : NULL;
}

kith_status store_run_refuse(const kith_study *study, const kith_anonymize_options *options,
                             kith_error *error)
{
    const char *option = options == NULL ? NULL : refused_option(options);
    TRY(prepare_shares_check(study, error));
    if (option == NULL)
        return KITH_OK;
    error_set(error, KITH_INVALID, "%s needs all rows of the release in memory", option);
    return error_hint(error, KITH_INVALID, "leave it out, or allow more memory");
}

static kith_status may_go_on(store_job *j, const char *step, kith_error *error)
{
    if (context_progress(j->context, step, 0))
        return KITH_OK;
    return error_set(error, KITH_CANCELLED, "stopped while about to %s", step);
}

/* Counts of a sensitive attribute in the whole table, and what the table shows as one class. */
static kith_status count_sensitive(const store_job *j, const prepared_column *col, histogram *to,
                                   kith_error *error)
{
    const problem *p = &j->values.prepared.problem;
    const uint32_t n_values = p->sensitive[col->sensitive].count;
    const uint64_t *counts = j->whole.counts[col->source];
    uint32_t *sums = TRY_ALLOC(arena_zalloc(j->context->memory, n_values, sizeof *sums), error);
    for (uint32_t code = 0; code <= j->table->columns[col->source].values.count; code++)
        if (counts[code] > 0)
            sums[j->values.sensitive[col->sensitive][code]] += (uint32_t)counts[code];
    *to = (histogram){sums, n_values};
    return KITH_OK;
}

static uint32_t close_attribute(const store_job *j, const prepared_column *col)
{
    const tree *t = j->values.problem.attributes[col->attribute].tree;
    const uint32_t *cells = j->values.cells[col->attribute];
    uint32_t closure = UINT32_MAX;
    for (uint32_t code = 0; code <= j->table->columns[col->source].values.count; code++)
        if (j->whole.counts[col->source][code] > 0)
            closure = closure == UINT32_MAX ? cells[code] : tree_lca(t, closure, cells[code]);
    return closure == UINT32_MAX ? tree_root(t) : closure;
}

/* What search_run checks of a table in memory. */
static kith_status check_whole(const store_job *j, kith_error *error)
{
    const prepared *p = &j->values.prepared;
    arena *memory = j->context->memory;
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
    return search_check_whole(j->outcome.algorithm, &j->values.problem, &whole, memory, error);
}

static kith_status survey(store_job *j, kith_error *error)
{
    store *s = j->store;
    TRY(s->survey(s->self, &j->table, &j->whole, error));
    if (j->whole.n_rows >= UINT32_MAX)
        return error_set(error, KITH_DATA, "%s: more than %u rows", j->table->source,
                         UINT32_MAX - 1);
    TRY(store_values_make(&j->values, j->study, j->table, &j->whole, s->first, !j->searches_lattice,
                          j->context, error));
    TRY(check_whole(j, error));
    return store_assess_init(&j->assess, s, &j->values.prepared, j->context, error);
}

static kith_status open_release(store_job *j, kith_error *error)
{
    publication_columns columns;
    TRY(publication_columns_of(&columns, &j->values.prepared, j->context->memory, error));
    return j->store->open(j->store->self, &columns, error);
}

/* From a store's blocks to those that the division counts. */
typedef struct record_visitor {
    store_job *job;
    record_visit visit;
    void *to;
} record_visitor;

static kith_status visit_records(void *to, const store_block *block, kith_error *error)
{
    const record_visitor *v = to;
    record_block records;
    TRY(store_values_block(&v->job->values, block, &records, v->job->context->memory, error));
    return v->visit(v->to, &records, error);
}

static kith_status scan_records(void *user, record_visit visit, void *to, kith_error *error)
{
    store_job *j = user;
    record_visitor v = {j, visit, to};
    return j->store->scan(j->store->self, visit_records, &v, error);
}

static kith_status find_pieces(void *user, const store_block *block, uint32_t *pieces,
                               kith_error *error)
{
    store_job *j = user;
    record_block records;
    if (j->division == NULL) {
        for (uint32_t i = 0; i < block->rows->n_rows; i++)
            pieces[i] = 0;
        return KITH_OK;
    }
    TRY(store_values_block(&j->values, block, &records, j->context->memory, error));
    division_pieces(j->division, &records, pieces);
    return KITH_OK;
}

static uint32_t piece_count(const store_job *j)
{
    return j->division == NULL ? 1 : division_count(j->division);
}

/* As weave divides a table in memory (weave_run). When a lattice has been searched pieces need not
 * be classes, and may be small. */
static kith_status divide(store_job *j, kith_error *error)
{
    enum { RECODED_PIECE = 1 << 14 };
    problem p = j->values.problem;
    const uint64_t n = j->whole.n_rows;
    if (j->searches_lattice) {
        p.n_models = 0;
        p.k = 1;
    }
    const uint32_t min_class = class_rules_min_size_of(&p, n);
    const uint32_t limit =
        j->searches_lattice ? RECODED_PIECE : division_limit(&p, min_class, j->study->search.piece);
    const record_scan scan = {scan_records, j};
    if (n > limit)
        TRY(division_make(&j->division, &p, n, min_class, limit, &scan, j->context, error));
    const store_pieces pieces = {
        .count = piece_count(j), .values = &j->values.prepared, .of = find_pieces, .user = j};
    return j->store->divide(j->store->self, &pieces, error);
}

static kith_status search_lattice(store_job *j, kith_error *error)
{
    const record_scan scan = {scan_records, j};
    return store_lattice_search(&j->lattice, &j->result, j->outcome.algorithm, &j->values.problem,
                                &j->study->search, &scan, j->context, error);
}

static kith_status search(store_job *j, search_result *found, const prepared *p,
                          const search_place *place, context *c, kith_error *error)
{
    if (j->searches_lattice) {
        *found = j->result;
        return store_lattice_recode(&found->partition, j->lattice, &p->problem, c->memory, error);
    }
    if (j->division == NULL)
        return search_run(found, j->outcome.algorithm, &p->problem, &j->study->search, c, error);
    return search_run_piece(found, &p->problem, place, &j->study->search, c, error);
}

static kith_status run_piece(store_job *j, const search_place *place, context *c, kith_error *error)
{
    kith_table rows;
    prepared p;
    search_result found;
    release r;
    store *s = j->store;
    TRY(s->fetch(s->self, place->piece, &rows, c->memory, error));
    TRY(prepare_share(&p, j->study, &rows, &j->whole, c, error));
    TRY(store_assess_originals(&j->assess, &p, c->memory, error));
    TRY(search(j, &found, &p, place, c, error));
    TRY(make_release(&r, &p, &found, c, error));
    j->context->cancelled = c->cancelled;
    TRY(s->put(s->self, place->piece, &r, error));
    j->result.stopped = found.stopped;
    j->result.interrupted |= found.interrupted;
    return KITH_OK;
}

static kith_status run_pieces(store_job *j, kith_error *error)
{
    const double n = (double)j->whole.n_rows;
    double before = 0;
    for (uint32_t i = 0; i < piece_count(j); i++) {
        const double size = j->division == NULL ? n : (double)division_size(j->division, i);
        const search_place place = {i, before, size / n};
        context own = *j->context;
        own.memory = TRY_ALLOC(arena_new_like(j->context->memory), error);
        const kith_status status = run_piece(j, &place, &own, error);
        arena_free(own.memory);
        TRY(status);
        before += place.share;
    }
    if (j->result.interrupted)
        j->result.stopped = "interrupted";
    return KITH_OK;
}

/* What receivers may know of the release. */
static kith_status write_companion(store_job *j, kith_error *error)
{
    kith_document *meta;
    if (j->store->companion == NULL)
        return KITH_OK;
    TRY(summary_meta(&meta, &j->outcome, error));
    const kith_status status = j->store->companion(j->store->self, meta, error);
    kith_document_free(meta);
    return status;
}

/* As for a table in memory, an interrupted search has a release, which its caller wants. */
static kith_status work(store_job *j, double *since, kith_error *error)
{
    job_times *t = &j->outcome.seconds;
    store *s = j->store;
    TRY(survey(j, error));
    TRY(open_release(j, error));
    t->load = context_lap(since);
    TRY(may_go_on(j, "search", error));
    if (j->searches_lattice)
        TRY(search_lattice(j, error));
    TRY(divide(j, error));
    TRY(run_pieces(j, error));
    t->search = context_lap(since);
    if (!j->result.interrupted)
        TRY(may_go_on(j, "write", error));
    TRY(s->finish(s->self, error));
    t->write = context_lap(since);
    if (!j->result.interrupted)
        TRY(may_go_on(j, "verify", error));
    TRY(store_assess_release(&j->assessment, &j->assess, error));
    t->verify = context_lap(since);
    return write_companion(j, error);
}

kith_status store_run(store *s, const kith_study *study, context *c, kith_document **summary,
                      kith_error *error)
{
    const double begun = context_seconds();
    double since = begun;
    kith_document *made = NULL;
    store_job *j = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *j), error);
    *j = (store_job){
        .store = s, .study = study, .context = c, .searches_lattice = store_lattice_asked(study)};
    j->outcome = (job_outcome){.command = "anonymize",
                               .output = s->output,
                               .prepared = &j->values.prepared,
                               .algorithm = search_find(study->algorithm),
                               .result = &j->result,
                               .assessment = &j->assessment,
                               .order = ORDER_DATA};
    TRY(work(j, &since, error));
    j->outcome.seconds.total = context_seconds() - begun;
    if (summary != NULL)
        TRY(summary_make(&made, &j->outcome, c->run, error));
    const kith_status status = s->commit(s->self, error);
    if (status != KITH_OK)
        kith_document_free(made);
    else if (summary != NULL)
        *summary = made;
    return status;
}
