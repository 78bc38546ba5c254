#include "protocol/rows/site_choices.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"

kith_status site_choices_init(site_choices *s, clusters *c, const uint32_t *site,
                              const sensitive_attribute *by, uint32_t n_parts, kith_error *error)
{
    uint32_t n = c->slots->n_records;
    *s = (site_choices){.c = c, .site_of = site};
    TRY(random_split_init(&s->split, by, n, n_parts > 2 ? n_parts : 2, c->memory, error));
    s->members = TRY_ALLOC(arena_array(c->memory, n, sizeof *s->members), error);
    s->part = TRY_ALLOC(arena_array(c->memory, n, sizeof *s->part), error);
    s->part_of = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *s->part_of), error);
    return KITH_OK;
}

void site_choices_rng(rng *r, uint64_t seed, uint32_t site)
{
    /* A range of streams that no other use of the seed has. */
    rng_init(r, seed, UINT64_C(0x517e000000) + site);
}

void site_choices_padding_rng(rng *r, uint64_t seed, uint32_t site)
{
    rng_init(r, seed, UINT64_C(0x517f000000) + site);
}

void site_choices_distribute(site_choices *s, const uint32_t *record, uint32_t count,
                             uint32_t n_parts, rng *r)
{
    ASSERT(n_parts > 0);
    for (uint32_t m = 0; m < count; m++)
        s->members[m] = record[m];
    random_split_distribute(&s->split, s->part, s->members, count, n_parts, r);
    for (uint32_t m = 0; m < count; m++)
        s->part_of[s->members[m]] = s->part[m];
}

kith_status site_choices_create_clusters(site_choices *s, uint32_t n_parts, kith_error *error)
{
    ASSERT(s->c->used == 0);
    TRY(clusters_reserve(s->c, n_parts, error));
    for (uint32_t i = 0; i < n_parts; i++)
        (void)clusters_add(s->c); /* ids are given out in order */
    for (uint32_t i = 0; i < s->c->slots->n_records; i++)
        TRY(clusters_append(s->c, s->part_of[i], i, error));
    for (uint32_t i = 0; i < n_parts; i++)
        if (s->c->held[i] > 0)
            clusters_close(s->c, i);
    return KITH_OK;
}

uint32_t site_choices_members(site_choices *s, uint32_t cluster, uint32_t site)
{
    const clusters *c = s->c;
    uint32_t count = 0;
    for (uint32_t m = 0; m < c->held[cluster]; m++)
        if (s->site_of == NULL || s->site_of[c->member[cluster][m]] == site)
            s->members[count++] = c->member[cluster][m];
    qsort(s->members, count, sizeof *s->members, sort_uint32);
    return count;
}

void site_choices_halve(site_choices *s, uint32_t cluster, uint32_t site, rng *r)
{
    uint32_t count = site_choices_members(s, cluster, site);
    random_split_distribute(&s->split, s->part, s->members, count, 2, r);
    for (uint32_t m = 0; m < count; m++)
        s->part_of[s->members[m]] = s->part[m];
}

kith_status site_choices_move_half(site_choices *s, uint32_t cluster, uint32_t other,
                                   kith_error *error)
{
    clusters *c = s->c;
    uint32_t count = c->held[cluster];
    ASSERT(cluster != other && c->held[other] == 0);
    for (uint32_t m = 0; m < count; m++)
        s->members[m] = c->member[cluster][m];
    c->size[cluster] -= count; /* clusters_append counts them again */
    c->held[cluster] = 0;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t record = s->members[m];
        TRY(clusters_append(c, s->part_of[record] == 0 ? cluster : other, record, error));
    }
    return KITH_OK;
}

void site_choices_next_laps(site_choices_laps *l, uint32_t n_records, bool hide, rng *r)
{
    *l = (site_choices_laps){.alpha = l->alpha, .next = l->next, .records = {n_records, 0}};
    if (!hide || n_records == 0)
        return;
    l->alpha = l->alpha > 0 ? l->alpha : 0.5 + rng_unit(r);
    uint32_t count = (uint32_t)(l->alpha * n_records);
    count = count > 0 ? count : 1;
    /* The first lap has each record at most once; what is left of alpha n_i is the second. */
    l->first[0] = l->next;
    l->records[0] = count < n_records ? count : n_records;
    l->records[1] = count - l->records[0];
    l->first[1] = (l->first[0] + l->records[0]) % n_records;
    l->next = (l->first[1] + l->records[1]) % n_records;
}

/* --- spreading sensitive values evenly over the parts (SDC 6.1.1, 6.1.2) --- */

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
