#include "risk/disclosure.h"

#include "core/error.h"

/* Sizes of classes and of their parts with equal sensitive values. */
typedef struct parts {
    row_groups groups;
    uint32_t *size, *class_of;   /* [parts] */
    uint32_t *class_size, *most; /* [classes] records; of the most frequent value */
    uint64_t *values;            /* [values + 1] records with each */
} parts;

static kith_status count_parts(parts *p, const row_groups *classes, const column *sensitive,
                               uint32_t left_out, arena *memory, kith_error *error)
{
    row_groups_scratch *scratch;
    const uint32_t n = classes->n_rows;
    TRY(row_groups_scratch_new(&scratch, memory, n, error));
    p->groups = (row_groups){.n_rows = n, .of = arena_array(memory, n, sizeof(uint32_t))};
    TRY_ALLOC(p->groups.of, error);
    row_groups_refine(&p->groups, classes, sensitive, scratch);
    p->size = TRY_ALLOC(arena_zalloc(memory, p->groups.count, sizeof(uint32_t)), error);
    p->class_of = TRY_ALLOC(arena_array(memory, p->groups.count, sizeof(uint32_t)), error);
    p->class_size = TRY_ALLOC(arena_zalloc(memory, classes->count, sizeof(uint32_t)), error);
    p->most = TRY_ALLOC(arena_zalloc(memory, classes->count, sizeof(uint32_t)), error);
    p->values = TRY_ZEROS(p->values, memory, sensitive->values.count + (size_t)1, error);
    for (uint32_t row = 0; row < n; row++) {
        const uint32_t code = sensitive->codes[row];
        p->size[p->groups.of[row]]++;
        p->class_of[p->groups.of[row]] = classes->of[row];
        p->class_size[classes->of[row]]++;
        p->values[code == TABLE_MISSING ? sensitive->values.count : code] +=
            classes->of[row] != left_out;
    }
    return KITH_OK;
}

/* Counts that all ranks add up. */
enum { RIGHT, RECORDS, CERTAIN, COUNTS };

static kith_status assess(disclosure *d, const row_groups *classes, uint32_t left_out,
                          const column *sensitive, kith_ranks *ranks, arena *memory,
                          kith_error *error)
{
    parts p = {0};
    uint64_t counts[COUNTS] = {0}, usual = 0;
    const size_t n_values = sensitive->values.count + (size_t)1;
    TRY(count_parts(&p, classes, sensitive, left_out, memory, error));
    for (uint32_t i = 0; i < p.groups.count; i++)
        if (p.size[i] > p.most[p.class_of[i]])
            p.most[p.class_of[i]] = p.size[i];
    for (uint32_t c = 0; c < classes->count; c++) {
        if (c == left_out)
            continue;
        const double share = (double)p.most[c] / p.class_size[c];
        d->highest = share > d->highest ? share : d->highest;
        counts[CERTAIN] += p.most[c] == p.class_size[c] ? p.class_size[c] : 0;
        counts[RIGHT] += p.most[c];
        counts[RECORDS] += p.class_size[c];
    }
    TRY(ranks_largest(ranks, &d->highest, 1, memory, error));
    TRY(ranks_sum(ranks, counts, COUNTS, error));
    TRY(ranks_sum(ranks, p.values, n_values, error));
    for (size_t value = 0; value < n_values; value++)
        usual = p.values[value] > usual ? p.values[value] : usual;
    const double n = (double)counts[RECORDS];
    d->n_certain = counts[CERTAIN];
    d->mean = n > 0 ? (double)counts[RIGHT] / n : 0;
    d->overall = n > 0 ? (double)usual / n : 0;
    return KITH_OK;
}

kith_status disclosure_assess(disclosure *d, const row_groups *classes, uint32_t left_out,
                              const column *sensitive, kith_ranks *ranks, kith_error *error)
{
    *d = (disclosure){0};
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    return assess(d, classes, left_out, sensitive, ranks, memory, error);
}
