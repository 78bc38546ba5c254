/* Spreading sensitive values evenly over parts that several sites have dealt (SDC 6.1.1, 6.1.2). */
#include <string.h>

#include "core/error.h"
#include "protocol/rows/site_choices.h"

void sites_count(const sites *s, const census *by, uint32_t *table, const uint32_t *record,
                 uint32_t count)
{
    for (uint32_t m = 0; m < count; m++)
        census_add(by, table + (size_t)s->part_of[record[m]] * by->values, record[m]);
}

/* One value: every part is to have `low` or `high` = low + 1 (or low, if that is even) records. */
typedef struct target {
    uint32_t low, high;
    uint32_t cursor; /* parts before it need no more */
} target;

typedef struct flattening {
    const census *by;
    uint32_t *table;
    uint32_t parts;
    uint32_t offset; /* of the tightest secret's values in a row */
    target *target;  /* [values of that secret] */
} flattening;

static uint32_t *cell(const flattening *f, uint32_t part, uint32_t value)
{
    return f->table + (size_t)part * f->by->values + f->offset + value;
}

static void find_targets(flattening *f, uint32_t values)
{
    for (uint32_t v = 0; f->parts > 0 && v < values; v++) {
        uint64_t total = 0;
        for (uint32_t part = 0; part < f->parts; part++)
            total += *cell(f, part, v);
        f->target[v].low = (uint32_t)(total / f->parts);
        f->target[v].high = f->target[v].low + (total % f->parts != 0);
    }
}

/* Records from parts with more than `least` go to the parts that lack some to have `wanted`, in
 * order. */
static void shift(sites *s, flattening *f, const uint32_t *record, uint32_t count, bool surplus)
{
    const uint32_t *values = f->by->admit->problem->secret[f->by->tightest].values;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t value = values[record[m]], from = s->part_of[record[m]];
        target *t = &f->target[value];
        uint32_t wanted = surplus ? t->high : t->low;
        if (*cell(f, from, value) <= wanted)
            continue;
        while (t->cursor < f->parts && *cell(f, t->cursor, value) >= wanted)
            t->cursor++;
        if (t->cursor == f->parts)
            continue;
        s->part_of[record[m]] = t->cursor;
        census_remove(f->by, f->table + (size_t)from * f->by->values, record[m]);
        census_add(f->by, f->table + (size_t)t->cursor * f->by->values, record[m]);
    }
}

kith_status sites_flatten(sites *s, const census *by, uint32_t *table, uint32_t parts,
                          const uint32_t *record, uint32_t count, kith_error *error)
{
    uint32_t values = by->admit->problem->secret[by->tightest].count;
    arena *scratch = TRY_ALLOC(arena_new(), error);
    flattening f = {.by = by, .table = table, .parts = parts, .offset = by->offset[by->tightest]};
    f.target = arena_zalloc(scratch, values, sizeof *f.target);
    if (f.target != NULL) {
        find_targets(&f, values);
        shift(s, &f, record, count, false); /* first to where there are fewer than low, */
        for (uint32_t v = 0; v < values; v++)
            f.target[v].cursor = 0;
        shift(s, &f, record, count, true); /* then from where there are more than high */
    }
    kith_status status = f.target == NULL ? error_nomem(error) : KITH_OK;
    arena_free(scratch);
    return status;
}

bool sites_hold(const census *by, const uint32_t *table, uint32_t parts)
{
    for (uint32_t part = 0; part < parts; part++) {
        const uint32_t *row = table + (size_t)part * by->values;
        uint32_t secrets = by->admit->problem->secrets, size = 0, seen = 0;
        for (uint32_t i = 0; i < secrets && seen == 0; i++) {
            seen = by->admit->looked_at[i];
            for (uint32_t v = 0; seen && v < by->admit->problem->secret[i].count; v++)
                size += row[by->offset[i] + v];
        }
        if (size > 0 && !census_holds(by, row, size))
            return false;
    }
    return true;
}
