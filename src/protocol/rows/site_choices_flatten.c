/* Spreading sensitive values evenly over parts that several sites have dealt (SDC 6.1.1, 6.1.2). */
#include <string.h>

#include "core/error.h"
#include "protocol/rows/site_choices.h"

void site_choices_count(const site_choices *s, const value_counts *by, uint32_t *table,
                        const uint32_t *record, uint32_t count)
{
    for (uint32_t m = 0; m < count; m++)
        value_counts_add(by, table + (size_t)s->part_of[record[m]] * by->n_values, record[m]);
}

/* For one value: every part shall have `low` or `high` records, the mean rounded down and up. */
typedef struct target {
    uint32_t low, high;
    uint32_t cursor; /* all parts before it have enough */
} target;

typedef struct flatten_state {
    const value_counts *by;
    uint32_t *table;
    uint32_t n_parts;
    uint32_t offset; /* of the values of the tightest sensitive attribute in a row */
    target *target;  /* [its values] */
} flatten_state;

static uint32_t *cell(const flatten_state *f, uint32_t part, uint32_t value)
{
    return f->table + (size_t)part * f->by->n_values + f->offset + value;
}

/* Moves records out of parts that have more of their value than wanted, into the first part that
 * has fewer. Wanted is `low` of the value, or `high` with `surplus`. */
static void shift(site_choices *s, flatten_state *f, const uint32_t *record, uint32_t count,
                  bool surplus)
{
    const uint32_t *values = f->by->rules->problem->sensitive[f->by->tightest].values;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t value = values[record[m]], from = s->part_of[record[m]];
        target *t = &f->target[value];
        uint32_t wanted = surplus ? t->high : t->low;
        if (*cell(f, from, value) <= wanted)
            continue;
        while (t->cursor < f->n_parts && *cell(f, t->cursor, value) >= wanted)
            t->cursor++;
        if (t->cursor == f->n_parts)
            continue;
        s->part_of[record[m]] = t->cursor;
        value_counts_remove(f->by, f->table + (size_t)from * f->by->n_values, record[m]);
        value_counts_add(f->by, f->table + (size_t)t->cursor * f->by->n_values, record[m]);
    }
}

kith_status site_choices_flatten(site_choices *s, const value_counts *by, uint32_t *table,
                                 uint32_t n_parts, const uint32_t *record, uint32_t count,
                                 kith_error *error)
{
    uint32_t n_values = by->rules->problem->sensitive[by->tightest].count;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    flatten_state f = {
        .by = by, .table = table, .n_parts = n_parts, .offset = by->offset[by->tightest]};
    f.target = TRY_ALLOC(arena_zalloc(scratch, n_values, sizeof *f.target), error);
    for (uint32_t v = 0; n_parts > 0 && v < n_values; v++) {
        uint64_t total = 0;
        for (uint32_t part = 0; part < n_parts; part++)
            total += *cell(&f, part, v);
        f.target[v].low = (uint32_t)(total / n_parts);
        f.target[v].high = f.target[v].low + (total % n_parts != 0);
    }
    shift(s, &f, record, count, false); /* fills the parts below `low`, */
    for (uint32_t v = 0; v < n_values; v++)
        f.target[v].cursor = 0;
    shift(s, &f, record, count, true); /* then empties those above `high` */
    return KITH_OK;
}

bool site_choices_hold(const value_counts *by, const uint32_t *table, uint32_t n_parts)
{
    for (uint32_t part = 0; part < n_parts; part++) {
        const uint32_t *row = table + (size_t)part * by->n_values;
        uint32_t n_sensitive = by->rules->problem->n_sensitive, size = 0, seen = 0;
        for (uint32_t i = 0; i < n_sensitive && seen == 0; i++) {
            seen = by->rules->uses_sensitive[i];
            for (uint32_t v = 0; seen && v < by->rules->problem->sensitive[i].count; v++)
                size += row[by->offset[i] + v];
        }
        if (size > 0 && !value_counts_hold(by, row, size))
            return false;
    }
    return true;
}
