#include "job/slice/slice_search.h"

#include <string.h>

#include "core/bytes.h"
#include "core/run/ranks.h"
#include "core/error.h"
#include "job/prepare/units.h"
#include "job/slice/slice_mapping.h"
#include "table/rows/code_rows.h"

/* Sends this rank's records to the first rank: the columns of the problem without those of units,
 * the units where they are counted, and a mark of each, below `n_marks`. */
static kith_status send_records(code_rows *in, const problem *p, uint32_t *marks, uint32_t n_marks,
                                context *c, arena *memory, kith_error *error)
{
    problem plain = *p;
    plain.unit = NULL;
    const uint32_t n_plain = problem_n_columns(&plain);
    uint32_t n = 0, *n_codes = TRY_ARRAY(n_codes, memory, n_plain + (size_t)2, error);
    uint32_t **codes = TRY_ARRAY(codes, memory, n_plain + (size_t)2, error);
    uint32_t *to = TRY_ZEROS(to, memory, p->n_records, error);
    for (; n < n_plain; n++)
        codes[n] = (uint32_t *)problem_column(&plain, n, &n_codes[n]);
    if (p->unit != NULL) {
        n_codes[n] = p->n_units;
        codes[n++] = (uint32_t *)p->unit;
    }
    n_codes[n] = n_marks;
    codes[n++] = marks;
    const code_rows own = {
        .n_rows = p->n_records, .n_columns = n, .n_codes = n_codes, .codes = codes};
    return code_rows_send(in, &own, to, c, memory, error);
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

/* What all ranks are told of the search: the result, how it was stopped, and then what the result
 * refers to: closures, with ranges the lowest and highest leaves, and levels. */
typedef struct told {
    search_result result;
    char stopped[32];
} told;

static kith_status tell(search_result *all, uint32_t n_attributes, context *c, kith_error *error)
{
    told t = {.result = *all};
    bytes_writer w = {.memory = c->memory};
    uint32_t **const nodes[] = {&all->partition.closure, &all->low, &all->high, &all->levels};
    ranks_bytes *from = TRY_ARRAY(from, c->memory, ranks_count(c->ranks), error);
    const bool first = ranks_self(c->ranks) == 0;
    if (first) {
        ASSERT(all->stopped == NULL || strlen(all->stopped) < sizeof t.stopped);
        strncpy(t.stopped, all->stopped == NULL ? "" : all->stopped, sizeof t.stopped - 1);
        bytes_write(&w, &t, sizeof t);
    }
    for (size_t i = 0; i < 4 && first; i++)
        if (*nodes[i] != NULL)
            bytes_write(&w, *nodes[i],
                        (i < 3 ? all->partition.n_classes : (size_t)1) * n_attributes *
                            sizeof **nodes[i]);
    TRY(bytes_written(&w, error));
    TRY(ranks_gather(c->ranks, w.bytes, w.length, from, c->memory, error));
    if (first)
        return KITH_OK;
    memcpy(&t, from[0].bytes, sizeof t);
    uint32_t *at = (uint32_t *)((char *)from[0].bytes + sizeof t);
    *all = t.result; /* addresses of the first rank tell which arrays exist */
    for (size_t i = 0; i < 4; i++)
        if (*nodes[i] != NULL) {
            *nodes[i] = at;
            at += (size_t)all->partition.n_classes * n_attributes;
        }
    all->lattice = NULL;
    if (all->stopped != NULL)
        all->stopped = TRY_ALLOC(arena_strdup(c->memory, t.stopped), error);
    return KITH_OK;
}

/* The nodes of this rank's classes, of those of all. */
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

/* The classes of this rank's records, of which class_of has the numbers among all; these become
 * ids. */
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

/* The first rank searches what has come to it; `memory` is given back. */
static kith_status search_all(search_result *result, const algorithm *a, const prepared *own,
                              const code_rows *rows, explanation *e, context *c, arena *memory,
                              kith_error *error)
{
    context alone = *c, codes;
    problem all;
    alone.ranks = NULL;
    codes = alone;
    codes.memory = memory;
    TRY(make_problem(&all, own, rows, &codes, error));
    const kith_status status = search_run(result, a, &all, &own->study->search, &alone, error);
    c->cancelled = alone.cancelled;
    TRY(status);
    return explain_add(e, &all, result, NULL, &codes, error);
}

kith_status slice_search(search_result *result, explanation *e, const algorithm *a,
                         const prepared *own, context *c, kith_error *error)
{
    const problem *p = &own->problem;
    code_rows in;
    kith_table classes = {0}, none;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    uint32_t *to = TRY_ZEROS(to, memory, p->n_records, error);
    uint32_t *self = TRY_ARRAY(self, memory, p->n_records, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        self[i] = ranks_self(c->ranks);
    *result = (search_result){0};
    TRY(send_records(&in, p, self, ranks_count(c->ranks), c, memory, error));
    if (ranks_self(c->ranks) == 0)
        TRY(search_all(result, a, own, &in, e, c, memory, error));
    uint32_t *class_of = in.n_rows > 0 ? result->partition.class_of : to;
    TRY(tell(result, p->n_attributes, c, error));
    classes.n_rows = in.n_rows;
    TRY(code_rows_return_table(&none, &class_of, &classes, in.codes[in.n_columns - 1], to,
                               p->n_records, result->partition.n_classes + 1, c, c->memory, error));
    return take_own(result, class_of, p, c->memory, error);
}

/* What this rank's classes show goes to the first rank, with their numbers. */
static kith_status send_classes(code_rows *in, const partition *own, const uint32_t *number,
                                const problem *p, context *c, arena *memory, kith_error *error)
{
    const uint32_t n = p->n_attributes;
    uint32_t *n_codes = TRY_ARRAY(n_codes, memory, n + (size_t)1, error);
    uint32_t **codes = TRY_ARRAY(codes, memory, n + (size_t)1, error);
    uint32_t *to = TRY_ZEROS(to, memory, own->n_classes, error);
    for (uint32_t j = 0; j < n; j++) {
        n_codes[j] = p->attributes[j].tree->n_nodes;
        codes[j] = TRY_ARRAY(codes[j], memory, own->n_classes, error);
        for (uint32_t i = 0; i < own->n_classes; i++)
            codes[j][i] = own->closure[(size_t)i * n + j];
    }
    n_codes[n] = UINT32_MAX;
    codes[n] = (uint32_t *)number;
    const code_rows classes = {
        .n_rows = own->n_classes, .n_columns = n + 1, .n_codes = n_codes, .codes = codes};
    return code_rows_send(in, &classes, to, c, memory, error);
}

/* The classes of all ranks; class_of[records] has their numbers. */
static kith_status take_classes(partition *all, const code_rows *classes, uint32_t *class_of,
                                uint32_t n_records, arena *memory, kith_error *error)
{
    const uint32_t n = classes->n_columns - 1, *number = classes->codes[n];
    *all = (partition){.class_of = class_of};
    for (uint32_t i = 0; i < classes->n_rows; i++)
        all->n_classes = number[i] < all->n_classes ? all->n_classes : number[i] + 1;
    all->closure = TRY_ARRAY(all->closure, memory, (size_t)all->n_classes * n, error);
    for (uint32_t i = 0; i < classes->n_rows; i++)
        for (uint32_t j = 0; j < n; j++)
            all->closure[(size_t)number[i] * n + j] = classes->codes[j][i];
    for (uint32_t i = 0; i < n_records; i++)
        if (class_of[i] >= all->n_classes)
            class_of[i] = PARTITION_SUPPRESSED;
    return KITH_OK;
}

kith_status slice_explain(explanation *e, const search_result *result, const prepared *own,
                          context *c, kith_error *error)
{
    const partition *found = &result->partition;
    context alone = *c;
    problem all;
    code_rows records, classes;
    search_result whole = {.levels = result->levels};
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    alone.memory = memory;
    alone.ranks = NULL;
    uint32_t *number, *class_of = TRY_ARRAY(class_of, memory, own->n_rows, error);
    TRY(slice_mapping_classes(&number, found, &own->problem, c, memory, error));
    for (uint32_t i = 0; i < own->n_rows; i++)
        class_of[i] = found->class_of[i] == PARTITION_SUPPRESSED ? PARTITION_SUPPRESSED
                                                                 : number[found->class_of[i]];
    TRY(send_records(&records, &own->problem, class_of, UINT32_MAX, c, memory, error));
    TRY(send_classes(&classes, found, number, &own->problem, c, memory, error));
    if (ranks_self(c->ranks) > 0)
        return KITH_OK;
    TRY(make_problem(&all, own, &records, &alone, error));
    TRY(take_classes(&whole.partition, &classes, records.codes[records.n_columns - 1],
                     all.n_records, memory, error));
    return explain_add(e, &all, &whole, NULL, &alone, error);
}
