#include "search/cluster/finish_divide.h"

#include "core/error.h"

typedef struct side {
    uint32_t *members; /* [n_records] */
    uint32_t size;
    uint32_t *count; /* [values] of the sensitive value that splits are arranged by */
} side;

typedef struct divide {
    clusters *c;
    uint32_t k;
    const uint32_t *values; /* of that sensitive attribute; NULL: parts are taken as they come */
    double l;               /* the largest l asked for there */
    uint32_t *present;      /* [n_present] its values in the cluster at hand */
    uint32_t n_present;
    uint32_t *seen; /* [65536] scratch, all zero: records by id */
    int64_t *gain;  /* [slots] */
    uint16_t *id;   /* [slots] the id that most members share */
    side one, two;
    uint32_t *todo; /* [left] clusters to look at */
    uint32_t left;
} divide;

static kith_status side_init(side *s, size_t n_records, size_t n_values, arena *memory,
                             kith_error *error)
{
    s->members = TRY_ARRAY(s->members, memory, n_records, error);
    s->count = TRY_ZEROS(s->count, memory, n_values, error);
    return KITH_OK;
}

/* Finds the sensitive attribute by which records are moved between the sides; returns the number of
 * its values. Only models that limit frequencies can be satisfied by moving records. */
static uint32_t find_values(divide *d)
{
    const class_rules *a = d->c->rules;
    uint32_t tightest = a->frequencies ? class_rules_tightest(a) : UINT32_MAX;
    if (tightest == UINT32_MAX)
        return 0;
    for (uint32_t m = 0; m < a->n_conditions; m++)
        if (a->conditions[m]->sensitive == tightest && a->conditions[m]->l > d->l)
            d->l = a->conditions[m]->l;
    d->values = a->problem->sensitive[tightest].values;
    return a->problem->sensitive[tightest].count;
}

/* For a level that the cluster has given up: finds the id that saves most if the records that share
 * it become a class of their own. */
static void price_slot(divide *d, uint32_t cluster, uint32_t at)
{
    const clusters *c = d->c;
    const uint32_t *member = c->member[cluster];
    d->gain[at] = 0;
    if (clusters_closure(c, cluster)[at] != SLOT_NONE)
        return;
    for (uint32_t m = 0; m < c->size[cluster]; m++) {
        uint16_t id = slots_row(c->slots, member[m])[at];
        int64_t gain = (int64_t)++d->seen[id] * c->slots->slots[at].worth[id];
        if (id != SLOT_DEAD && d->seen[id] >= d->k && gain > d->gain[at]) {
            d->gain[at] = gain;
            d->id[at] = id;
        }
    }
    for (uint32_t m = 0; m < c->size[cluster]; m++)
        d->seen[slots_row(c->slots, member[m])[at]] = 0;
}

static void finish_divide_put(const divide *d, side *s, uint32_t record)
{
    s->members[s->size++] = record;
    if (d->values != NULL)
        s->count[d->values[record]]++;
}

static void part_by(divide *d, uint32_t cluster, uint32_t at)
{
    const clusters *c = d->c;
    d->n_present = d->one.size = d->two.size = 0;
    for (uint32_t m = 0; m < c->size[cluster]; m++) {
        uint32_t record = c->member[cluster][m];
        if (d->values != NULL) {
            uint32_t value = d->values[record];
            if (d->one.count[value] + d->two.count[value] == 0)
                d->present[d->n_present++] = value;
        }
        finish_divide_put(d, slots_row(c->slots, record)[at] == d->id[at] ? &d->one : &d->two,
                          record);
    }
}

static bool diverse(const divide *d, const side *s)
{
    for (uint32_t i = 0; i < d->n_present; i++)
        if (s->count[d->present[i]] * d->l > s->size)
            return false;
    return true;
}

/* Moves a record to the second side, one with the value that is most over-represented in the first.
 */
static void give(divide *d)
{
    uint32_t best = d->present[0];
    double max_excess = -2;
    for (uint32_t i = 0; i < d->n_present; i++) {
        uint32_t value = d->present[i];
        double more = (double)d->one.count[value] / (d->one.size + 1) -
                      (double)d->two.count[value] / (d->two.size + 1);
        if (d->one.count[value] > 0 && more > max_excess) {
            max_excess = more;
            best = value;
        }
    }
    uint32_t at = d->one.size - 1;
    while (d->values[d->one.members[at]] != best)
        at--;
    finish_divide_put(d, &d->two, d->one.members[at]);
    d->one.members[at] = d->one.members[--d->one.size];
    d->one.count[best]--;
}

/* Moves records to the second side until both satisfy the models; returns whether they do. */
static bool balance(divide *d)
{
    const class_rules *a = d->c->rules;
    if (d->values != NULL)
        while (d->one.size > d->k &&
               (d->two.size < d->k || !diverse(d, &d->one) || !diverse(d, &d->two)))
            give(d);
    for (uint32_t i = 0; i < d->n_present; i++) /* counts are zero between clusters */
        d->one.count[d->present[i]] = d->two.count[d->present[i]] = 0;
    return d->one.size >= d->k && d->two.size >= d->k &&
           class_rules_allow(a, d->one.members, d->one.size) &&
           class_rules_allow(a, d->two.members, d->two.size);
}

static int64_t side_cost(const divide *d, const side *s)
{
    const clusters *c = d->c;
    slots_close(c->slots, c->without, s->members, s->size);
    return (int64_t)slots_cost(c->slots, c->without, s->members[0]) * s->size;
}

/* The cluster becomes the first side, a new one the second. */
static kith_status part(divide *d, uint32_t cluster, kith_error *error)
{
    clusters *c = d->c;
    TRY(clusters_reserve(c, 1, error));
    uint32_t other = clusters_add(c);
    clusters_clear(c, cluster);
    for (uint32_t m = 0; m < d->one.size; m++)
        TRY(clusters_append(c, cluster, d->one.members[m], error));
    for (uint32_t m = 0; m < d->two.size; m++)
        TRY(clusters_append(c, other, d->two.members[m], error));
    clusters_close(c, cluster);
    clusters_close(c, other);
    d->todo[d->left++] = cluster;
    d->todo[d->left++] = other;
    return KITH_OK;
}

/* Tries the levels from the one that saves most downwards. */
static kith_status divide_cluster(divide *d, uint32_t cluster, kith_error *error)
{
    uint32_t n_levels = d->c->slots->count;
    if (d->c->size[cluster] / 2 < d->k)
        return KITH_OK;
    for (uint32_t at = 0; at < n_levels; at++)
        price_slot(d, cluster, at);
    for (;;) {
        uint32_t best = 0;
        for (uint32_t at = 1; at < n_levels; at++)
            best = d->gain[at] > d->gain[best] ? at : best;
        if (n_levels == 0 || d->gain[best] <= 0)
            return KITH_OK;
        d->gain[best] = 0;
        part_by(d, cluster, best);
        /* Where a measure falls along a path, a saving at one level may be lost at others. */
        if (balance(d) &&
            side_cost(d, &d->one) + side_cost(d, &d->two) < clusters_total(d->c, cluster))
            return part(d, cluster, error);
    }
}

kith_status finish_divide_large(clusters *c, uint32_t k, kith_error *error)
{
    CHECK(clusters_check(c));
    divide d = {.c = c, .k = k > 0 ? k : 1};
    uint32_t n_values = find_values(&d), n_levels = c->slots->count;
    size_t n_records = c->slots->n_records;
    d.present = TRY_ARRAY(d.present, c->memory, n_values, error);
    d.seen = TRY_ZEROS(d.seen, c->memory, 65536, error);
    d.gain = TRY_ARRAY(d.gain, c->memory, n_levels, error);
    d.id = TRY_ARRAY(d.id, c->memory, n_levels, error);
    d.todo = TRY_ARRAY(d.todo, c->memory, n_records, error);
    TRY(side_init(&d.one, n_records, n_values, c->memory, error));
    TRY(side_init(&d.two, n_records, n_values, c->memory, error));
    uint32_t used = c->used;
    for (uint32_t cluster = 0; cluster < used; cluster++) {
        if (c->size[cluster] > 0)
            d.todo[d.left++] = cluster;
        while (d.left > 0)
            TRY(divide_cluster(&d, d.todo[--d.left], error));
    }
    return KITH_OK;
}
