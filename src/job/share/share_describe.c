#include "job/share/share_describe.h"

#include "core/crew.h"
#include "core/error.h"
#include "job/profile/dependencies.h"
#include "job/profile/description.h"
#include "job/profile/serial_numbers.h"
#include "job/share/share_tuples.h"
#include "job/share/share_unite.h"
#include "table/row_groups.h"

typedef struct share_describe {
    const kith_table *united;
    const kith_study *study;
    context *context;
    column_profile *profiles; /* [n_columns] of the whole table */
    uint32_t n_rows;          /* of the whole table */
    uint32_t *quasi;          /* columns */
    const char **quasi_names;
    uint32_t n_quasi;
    uint32_t asked_of; /* the column of which `determined` tells what it determines */
    bool *determined;  /* [n_columns] */
} share_describe;

static kith_status count_rows(share_describe *s, kith_error *error)
{
    uint64_t n_rows = s->united->n_rows;
    TRY(crew_sum(s->context->crew, &n_rows, 1, error));
    if (n_rows >= UINT32_MAX)
        return error_set(error, KITH_DATA, "a table has at most 4 billion rows");
    s->n_rows = (uint32_t)n_rows;
    return KITH_OK;
}

/* How often each value occurs in the whole table; last: missing. */
static kith_status count_values(uint32_t **counts, const share_describe *s, const column *col,
                                arena *scratch, kith_error *error)
{
    const size_t n = col->values.count + (size_t)1;
    uint64_t *sums = TRY_ALLOC(arena_array(scratch, n, sizeof *sums), error);
    TRY(profile_counts(counts, col, s->united->n_rows, scratch, error));
    for (size_t i = 0; i < n; i++)
        sums[i] = (*counts)[i];
    TRY(crew_sum(s->context->crew, sums, n, error));
    for (size_t i = 0; i < n; i++)
        (*counts)[i] = (uint32_t)sums[i];
    return KITH_OK;
}

/* What one rank tells about the order of its numbers. */
typedef struct run_of_numbers {
    int64_t first, last;
    bool rises, falls, any;
} run_of_numbers;

static run_of_numbers own_run(const column *col, uint32_t n_rows, const int64_t *value)
{
    run_of_numbers run = {.rises = true, .falls = true};
    for (uint32_t row = 0; row < n_rows; row++) {
        if (col->codes[row] == TABLE_MISSING)
            continue;
        const int64_t now = value[col->codes[row]];
        run.rises = run.rises && (!run.any || now > run.last);
        run.falls = run.falls && (!run.any || now < run.last);
        run.first = run.any ? run.first : now;
        run.last = now;
        run.any = true;
    }
    return run;
}

static kith_status share_monotone(bool *monotone, const void *rows, const column *col,
                                  const int64_t *value, kith_error *error)
{
    const share_describe *s = rows;
    const uint32_t n_ranks = crew_size(s->context->crew);
    bool rises = true, falls = true;
    const run_of_numbers own = own_run(col, s->united->n_rows, value), *before = NULL;
    arena *memory = s->context->memory;
    crew_bytes *all = TRY_ALLOC(arena_array(memory, n_ranks, sizeof *all), error);
    TRY(crew_gather(s->context->crew, &own, sizeof own, all, memory, error));
    for (uint32_t r = 0; r < n_ranks; r++) {
        const run_of_numbers *run = all[r].bytes;
        if (!run->any)
            continue;
        rises = rises && run->rises && (before == NULL || run->first > before->last);
        falls = falls && run->falls && (before == NULL || run->first < before->last);
        before = run;
    }
    *monotone = rises || falls;
    return KITH_OK;
}

static kith_status put_column(share_describe *s, kith_document *d, document_node *columns,
                              uint32_t i, arena *scratch, kith_error *error)
{
    const column *col = &s->united->columns[i];
    const serial_order order = {share_monotone, s};
    uint32_t *counts;
    TRY(count_values(&counts, s, col, scratch, error));
    TRY(profile_column(&s->profiles[i], col, counts, s->n_rows, s->united->separator == ';', &order,
                       scratch, error));
    return description_put_column(d, columns, &s->profiles[i], counts, s->study, s->n_rows, scratch,
                                  error);
}

static kith_status put_columns(share_describe *s, kith_document *d, kith_error *error)
{
    document_node *columns = document_array(d, document_root(d), "columns");
    for (uint32_t i = 0; i < s->united->n_columns; i++) {
        arena *scratch = TRY_ALLOC(arena_new(), error);
        const kith_status status = put_column(s, d, columns, i, scratch, error);
        arena_free(scratch);
        TRY(status);
        if (description_is_quasi(&s->profiles[i], s->study)) {
            s->quasi[s->n_quasi] = i;
            s->quasi_names[s->n_quasi++] = s->united->columns[i].name;
        }
        if (!context_progress(s->context, "describe", (i + 1.0) / s->united->n_columns))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    return KITH_OK;
}

/* Does each value of the first column of the table occur with one value of column k only? `seen`
 * has a place for each value, and for missing. */
static bool first_determines(const kith_table *table, uint32_t k, uint64_t *seen)
{
    const column *a = &table->columns[0], *b = &table->columns[k];
    for (size_t i = 0; i <= a->values.count; i++)
        seen[i] = UINT64_MAX;
    for (uint32_t row = 0; row < table->n_rows; row++) {
        uint64_t *with = &seen[a->codes[row] == TABLE_MISSING ? a->values.count : a->codes[row]];
        if (*with != UINT64_MAX && *with != b->codes[row])
            return false;
        *with = b->codes[row];
    }
    return true;
}

/* The columns that `a` determines on every rank by itself: few others need be compared. */
static kith_status find_candidates(share_describe *s, uint32_t a, uint32_t *candidates,
                                   uint32_t *n_candidates, uint64_t *seen, arena *scratch,
                                   kith_error *error)
{
    const uint32_t n = s->united->n_columns;
    uint64_t *against = TRY_ALLOC(arena_zalloc(scratch, n, sizeof *against), error);
    column *pair = TRY_ALLOC(arena_array(scratch, 2, sizeof *pair), error);
    for (uint32_t b = 0; b < n; b++) {
        pair[0] = s->united->columns[a];
        pair[1] = s->united->columns[b];
        const kith_table both = {.n_rows = s->united->n_rows, .n_columns = 2, .columns = pair};
        against[b] = b != a && !first_determines(&both, 1, seen);
    }
    TRY(crew_sum(s->context->crew, against, n, error));
    candidates[0] = a;
    *n_candidates = 1;
    for (uint32_t b = 0; b < n; b++)
        if (b != a && against[b] == 0)
            candidates[(*n_candidates)++] = b;
    return KITH_OK;
}

static kith_status find_determined(share_describe *s, uint32_t a, arena *scratch, kith_error *error)
{
    const uint32_t n = s->united->n_columns;
    const size_t n_values = s->united->columns[a].values.count + (size_t)1;
    uint32_t *candidates = TRY_ALLOC(arena_array(scratch, n, sizeof *candidates), error);
    uint64_t *against = TRY_ALLOC(arena_zalloc(scratch, n, sizeof *against), error);
    uint64_t *seen = TRY_ALLOC(arena_array(scratch, n_values, sizeof *seen), error);
    uint32_t n_candidates = 0;
    share_tuples t;
    TRY(find_candidates(s, a, candidates, &n_candidates, seen, scratch, error));
    TRY(share_tuples_deal(&t, s->united, candidates, n_candidates, 1, s->context, scratch, error));
    for (uint32_t k = 1; k < n_candidates; k++)
        against[k] = !first_determines(&t.table, k, seen);
    TRY(crew_sum(s->context->crew, against, n_candidates, error));
    for (uint32_t b = 0; b < n; b++)
        s->determined[b] = false;
    for (uint32_t k = 1; k < n_candidates; k++)
        s->determined[candidates[k]] = against[k] == 0;
    s->asked_of = a;
    return KITH_OK;
}

static kith_status share_determines(void *self, uint32_t a, uint32_t b, bool *yes, double *n_cells,
                                    kith_error *error)
{
    share_describe *s = self;
    (void)n_cells;
    if (s->asked_of != a) {
        arena *scratch = TRY_ALLOC(arena_new(), error);
        const kith_status status = find_determined(s, a, scratch, error);
        arena_free(scratch);
        TRY(status);
    }
    *yes = s->determined[b];
    return KITH_OK;
}

/* The classes that are on this rank. */
static kith_status count_own_classes(class_counts *own, const share_tuples *t, arena *scratch,
                                     kith_error *error)
{
    row_groups g;
    uint32_t *which = TRY_ALLOC(arena_array(scratch, t->table.n_columns, sizeof *which), error);
    for (uint32_t i = 0; i < t->table.n_columns; i++)
        which[i] = i;
    TRY(row_groups_by(&g, scratch, &t->table, which, t->table.n_columns, error));
    uint32_t *sizes = TRY_ALLOC(arena_zalloc(scratch, g.count, sizeof *sizes), error);
    for (uint32_t row = 0; row < g.n_rows; row++)
        sizes[g.of[row]] += t->weights[row];
    *own = (class_counts){.classes = g.count};
    for (uint32_t i = 0; i < g.count; i++) {
        own->unique += sizes[i] == 1;
        if (own->smallest == 0 || sizes[i] < own->smallest)
            own->smallest = sizes[i];
    }
    return KITH_OK;
}

static kith_status count_classes(const share_describe *s, const uint32_t *which, uint32_t n,
                                 class_counts *found, arena *scratch, kith_error *error)
{
    const uint32_t n_ranks = crew_size(s->context->crew);
    crew_bytes *all = TRY_ALLOC(arena_array(scratch, n_ranks, sizeof *all), error);
    uint32_t *columns = TRY_ALLOC(arena_array(scratch, n, sizeof *columns), error);
    class_counts own;
    share_tuples t;
    for (uint32_t i = 0; i < n; i++)
        columns[i] = s->quasi[which[i]];
    TRY(share_tuples_deal(&t, s->united, columns, n, n, s->context, scratch, error));
    TRY(count_own_classes(&own, &t, scratch, error));
    TRY(crew_gather(s->context->crew, &own, sizeof own, all, scratch, error));
    *found = (class_counts){0};
    for (uint32_t r = 0; r < n_ranks; r++) {
        const class_counts *part = all[r].bytes;
        found->classes += part->classes;
        found->unique += part->unique;
        if (part->classes > 0 && (found->smallest == 0 || part->smallest < found->smallest))
            found->smallest = part->smallest;
    }
    return KITH_OK;
}

static kith_status share_classes(void *self, const uint32_t *which, uint32_t n, class_counts *found,
                                 kith_error *error)
{
    arena *scratch = TRY_ALLOC(arena_new(), error);
    const kith_status status = count_classes(self, which, n, found, scratch, error);
    arena_free(scratch);
    return status;
}

static kith_status put_all(share_describe *s, kith_document *d, kith_error *error)
{
    context *c = s->context;
    document_node *root = document_root(d);
    document_put_text(d, root, "data", s->united->source);
    document_put_count(d, root, "records", s->n_rows);
    TRY(put_columns(s, d, error));
    if (profile_header_is_data(s->united, s->profiles))
        document_put_flag(d, root, "header_looks_like_data", true);
    const dependencies_data pairs = {.profiles = s->profiles,
                                     .n_columns = s->united->n_columns,
                                     .n_rows = s->n_rows,
                                     .determines = share_determines,
                                     .self = s};
    TRY(dependencies_put_found(d, &pairs, c, error));
    const class_counter counter = {.names = s->quasi_names, .count = share_classes, .self = s};
    TRY(description_put_quasi(d, &counter, s->n_quasi, s->n_rows, s->study != NULL, c, error));
    return document_status(d, error);
}

kith_status share_describe_put(kith_document *d, const kith_table *own, const kith_study *study,
                               context *c, kith_error *error)
{
    share_describe s = {.study = study, .context = c, .asked_of = own->n_columns};
    const uint32_t n = own->n_columns;
    s.profiles = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *s.profiles), error);
    s.quasi = TRY_ALLOC(arena_array(c->memory, n, sizeof *s.quasi), error);
    s.quasi_names = TRY_ALLOC(arena_array(c->memory, n, sizeof *s.quasi_names), error);
    s.determined = TRY_ALLOC(arena_array(c->memory, n, sizeof *s.determined), error);
    TRY(share_unite(&s.united, own, c, error));
    TRY(count_rows(&s, error));
    return put_all(&s, d, error);
}
