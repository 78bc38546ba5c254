#include "job/share/share_search.h"

#include <string.h>

#include "core/bytes.h"
#include "core/run/ranks.h"
#include "core/error.h"
#include "job/prepare/units.h"
#include "search/search_keep.h"
#include "table/rows/code_rows.h"

/* The columns of the problem without those of units, the units where they are counted, and the own
 * rank. */
static kith_status list_records(code_rows *rows, const problem *p, context *c, arena *memory,
                                kith_error *error)
{
    problem plain = *p;
    plain.unit = NULL;
    const uint32_t n_plain = problem_n_columns(&plain);
    uint32_t n = 0, *n_codes = TRY_ARRAY(n_codes, memory, n_plain + (size_t)2, error);
    uint32_t **codes = TRY_ARRAY(codes, memory, n_plain + (size_t)2, error);
    for (; n < n_plain; n++)
        codes[n] = (uint32_t *)problem_column(&plain, n, &n_codes[n]);
    if (p->unit != NULL) {
        n_codes[n] = p->n_units;
        codes[n++] = (uint32_t *)p->unit;
    }
    n_codes[n] = ranks_count(c->ranks);
    codes[n] = TRY_ARRAY(codes[n], memory, p->n_records, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        codes[n][i] = ranks_self(c->ranks);
    *rows =
        (code_rows){.n_rows = p->n_records, .n_columns = n + 1, .n_codes = n_codes, .codes = codes};
    return KITH_OK;
}

/* Numbers units as one process does: in the order of their first records. */
static kith_status number_units(problem *p, sensitive_attribute *sensitive, uint32_t *unit,
                                context *c, kith_error *error)
{
    row_groups units;
    column numbers = {.codes = unit, .values.count = p->n_units};
    const kith_table of_units = {.n_rows = p->n_records, .n_columns = 1, .columns = &numbers};
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    TRY(row_groups_by(&units, c->memory, &of_units, (uint32_t[]){0}, 1, error));
    return units_bind(p, sensitive, &units, c->memory, scratch, error);
}

/* The problem of the records that have come. */
static kith_status make_problem(problem *to, const prepared *own, const code_rows *rows, context *c,
                                kith_error *error)
{
    problem plain = own->problem;
    attribute *attributes;
    sensitive_attribute *sensitive;
    plain.unit = NULL;
    TRY(problem_with(to, &attributes, &sensitive, &plain, rows->codes, rows->n_rows, c->memory,
                     error));
    if (own->problem.unit != NULL)
        TRY(number_units(to, sensitive, rows->codes[rows->n_columns - 2], c, error));
    return prepare_sensitive_costs(to, attributes, own->study, c->memory, error);
}

/* What all ranks are told of the search: this, how it was stopped, and then the nodes of all
 * classes: closures, and with ranges their lowest and highest leaves; last the levels. */
typedef struct told {
    search_result result; /* what it refers to is not told with it */
    bool ranges, levels;
    char stopped[32];
} told;

static kith_status tell(search_result *all, uint32_t n_attributes, context *c, kith_error *error)
{
    told t = {.result = *all, .ranges = all->low != NULL, .levels = all->levels != NULL};
    bytes_writer w = {.memory = c->memory};
    const size_t n_nodes = (size_t)all->partition.n_classes * n_attributes, size = sizeof(uint32_t);
    ranks_bytes *from = TRY_ARRAY(from, c->memory, ranks_count(c->ranks), error);
    if (ranks_self(c->ranks) == 0) {
        ASSERT(all->stopped == NULL || strlen(all->stopped) < sizeof t.stopped);
        strncpy(t.stopped, all->stopped == NULL ? "" : all->stopped, sizeof t.stopped - 1);
        bytes_write(&w, &t, sizeof t);
        bytes_write(&w, all->partition.closure, n_nodes * size);
        if (t.ranges) {
            bytes_write(&w, all->low, n_nodes * size);
            bytes_write(&w, all->high, n_nodes * size);
        }
        if (t.levels)
            bytes_write(&w, all->levels, n_attributes * size);
        TRY(bytes_written(&w, error));
    }
    TRY(ranks_gather(c->ranks, w.bytes, w.length, from, c->memory, error));
    if (ranks_self(c->ranks) == 0)
        return KITH_OK;
    memcpy(&t, from[0].bytes, sizeof t);
    uint32_t *nodes = (uint32_t *)((char *)from[0].bytes + sizeof t);
    const size_t n = (size_t)t.result.partition.n_classes * n_attributes;
    *all = t.result;
    all->partition.closure = nodes;
    all->low = t.ranges ? nodes + n : NULL;
    all->high = t.ranges ? nodes + 2 * n : NULL;
    all->levels = t.levels ? nodes + (t.ranges ? 3 * n : n) : NULL;
    all->recoded = NULL;
    all->lattice = NULL;
    all->stopped = NULL;
    if (t.stopped[0] != '\0')
        all->stopped = TRY_ALLOC(arena_strdup(c->memory, t.stopped), error);
    return KITH_OK;
}

/* The nodes of the own classes, of those of all. */
static kith_status take_nodes(uint32_t **nodes, const partition *own, size_t row, arena *memory,
                              kith_error *error)
{
    const uint32_t *all = *nodes;
    if (all == NULL)
        return KITH_OK;
    *nodes = TRY_ALLOC(arena_array(memory, own->n_classes * row, sizeof *all), error);
    for (uint32_t i = 0; i < own->n_classes; i++)
        memcpy(*nodes + i * row, all + own->id[i] * row, row * sizeof *all);
    return KITH_OK;
}

/* The classes of the own records, of which class_of has the numbers among all; these become ids. */
static kith_status take_own(search_result *result, uint32_t *class_of, const problem *p,
                            arena *memory, kith_error *error)
{
    partition *own = &result->partition;
    own->class_of = class_of;
    own->id = TRY_ARRAY(own->id, memory, own->n_classes, error);
    for (uint32_t i = 0; i < own->n_classes; i++)
        own->id[i] = i;
    for (uint32_t i = 0; i < p->n_records; i++)
        if (class_of[i] == own->n_classes)
            class_of[i] = PARTITION_SUPPRESSED;
    TRY(partition_number(own, p, memory, error));
    TRY(take_nodes(&result->low, own, p->n_attributes, memory, error));
    return take_nodes(&result->high, own, p->n_attributes, memory, error);
}

/* The first rank searches what has come to it, in memory that is given back. */
static kith_status search_all(search_result *result, explanation *e, const algorithm *a,
                              const prepared *own, const code_rows *rows, context *c,
                              kith_error *error)
{
    context alone = *c;
    problem all;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    alone.memory = memory;
    alone.ranks = NULL;
    TRY(make_problem(&all, own, rows, &alone, error));
    const kith_status status = search_run(result, a, &all, &own->study->search, &alone, error);
    c->cancelled = alone.cancelled;
    TRY(status);
    TRY(explain_add(e, &all, result, NULL, &alone, error));
    return search_keep(result, all.n_records, all.n_attributes, c->memory, error);
}

kith_status share_search(search_result *result, explanation *e, const algorithm *a,
                         const prepared *own, context *c, kith_error *error)
{
    const problem *p = &own->problem;
    code_rows out, in;
    kith_table classes = {0}, none;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    uint32_t *to = TRY_ZEROS(to, memory, p->n_records, error);
    *result = (search_result){0};
    TRY(list_records(&out, p, c, memory, error));
    TRY(code_rows_send(&in, &out, to, c, memory, error));
    if (ranks_self(c->ranks) == 0)
        TRY(search_all(result, e, a, own, &in, c, error));
    uint32_t *class_of = result->partition.class_of;
    TRY(tell(result, p->n_attributes, c, error));
    classes.n_rows = in.n_rows;
    if (in.n_rows == 0)
        class_of = to;
    TRY(code_rows_return_table(&none, &class_of, &classes, in.codes[in.n_columns - 1], to,
                               p->n_records, result->partition.n_classes + 1, c, c->memory, error));
    return take_own(result, class_of, p, c->memory, error);
}
