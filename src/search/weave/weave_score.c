#include "search/weave/weave_score.h"

#include <math.h>

#include "search/split_score.h"

/* Sums over the values of a slot that have enough records. */
typedef struct tally {
    uint32_t live, n_records;
    int32_t heaviest;
    double kept;  /* cost that the records of these values would keep */
    double xlogx; /* sum of c log2 c */
} tally;

/* c log2 c, mostly from a table: this is called for every value of every slot of every set. */
static double xlogx(const weave_tree *t, uint32_t count)
{
    return count < WEAVE_XLOGX ? t->xlogx[count] : count * log2(count);
}

/* Values that occur less than `min_class` times in the whole table share the id SLOT_DEAD, which is
 * never live. */
static tally tally_values(const weave_tree *t, uint32_t at)
{
    tally sum = {0};
    const slot *of = &t->slots->slots[at];
    for (uint32_t i = 0; i < t->values.n_seen[at]; i++) {
        uint32_t id = t->values.seen[at][i], n_records = t->values.count[at][id];
        if (id == SLOT_DEAD || n_records < t->min_class)
            continue;
        sum.live++;
        sum.n_records += n_records;
        sum.kept += (double)n_records * of->worth[id];
        sum.xlogx += xlogx(t, n_records);
        sum.heaviest = of->worth[id] > sum.heaviest ? of->worth[id] : sum.heaviest;
    }
    return sum;
}

/* A small rest either borrows or is ejected, whichever costs less. */
static void price_rest(const weave_tree *t, weave_split *o, tally *sum)
{
    uint32_t missing = t->min_class - o->rest;
    double borrowing = (double)missing * sum->heaviest;
    double ejecting = t->style.eject * o->rest * t->whole;
    if (sum->n_records - sum->live * t->min_class >= missing && borrowing < ejecting) {
        o->borrow = missing;
        sum->kept -= borrowing;
    } else {
        sum->kept -= ejecting;
    }
}

weave_split weave_score(const weave_tree *t, uint32_t at, uint32_t set_size)
{
    tally sum = tally_values(t, at);
    weave_split o = {.slot = at, .live = sum.live, .rest = set_size - sum.n_records};
    if (o.live == 0)
        return o;
    double share = 1;
    if (t->style.borrow && o.rest > 0 && o.rest < t->min_class)
        price_rest(t, &o, &sum);
    else if (!t->style.borrow && o.rest >= t->min_class)
        share = t->style.rest_share;
    if (sum.kept <= 0)
        return o;
    double entropy = (xlogx(t, set_size) - sum.xlogx - xlogx(t, o.rest)) / set_size;
    o.score = split_score(share * sum.kept / set_size, entropy);
    if (t->style.noise > 0) /* so that every try of a chunk grows another tree */
        o.score *= 1 + t->style.noise * (rng_unit(t->rng) - 0.5);
    return o;
}

/* The id that most records have; it can spare most. */
static uint32_t largest_value(const weave_tree *t, uint32_t at)
{
    uint32_t largest = SLOT_DEAD, max_count = 0;
    for (uint32_t i = 0; i < t->values.n_seen[at]; i++) {
        uint32_t id = t->values.seen[at][i];
        if (id != SLOT_DEAD && t->values.count[at][id] > max_count) {
            max_count = t->values.count[at][id];
            largest = id;
        }
    }
    return largest;
}

/* Marks `wanted` of the records that have the id, the rarest first. */
static void mark_rarest(weave_tree *t, uint32_t at, uint32_t id, const segment set, uint32_t wanted)
{
    uint32_t with[64] = {0}, above = 0;
    const uint32_t *members = t->members + set.first;
    for (uint32_t m = 0; m < set.size; m++)
        if (t->rarity[m] < 64 && slots_row(t->slots, members[m])[at] == id)
            with[t->rarity[m]]++;
    uint32_t border = 63;
    while (border > 0 && above + with[border] < wanted)
        above += with[border--];
    uint32_t at_border = wanted - above;
    for (uint32_t m = 0; m < set.size; m++) {
        if (t->rarity[m] >= 64 || slots_row(t->slots, members[m])[at] != id)
            continue;
        if (t->rarity[m] > border || (t->rarity[m] == border && at_border > 0)) {
            at_border -= t->rarity[m] == border;
            t->rarity[m] = WEAVE_LENT;
        }
    }
}

void weave_score_lend(weave_tree *t, const weave_split *o, const segment set, const uint32_t *open,
                      uint32_t n_open)
{
    /* How little a record has in common with the set in the other open slots: 0 … 63. */
    const uint32_t except = o->slot;
    for (uint32_t m = 0; m < set.size; m++) {
        const uint16_t *row = slots_row(t->slots, t->members[set.first + m]);
        uint32_t rarity = 0;
        for (uint32_t i = 0; i < n_open; i++) {
            if (open[i] == except)
                continue;
            uint32_t alike = t->values.count[open[i]][row[open[i]]];
            rarity += alike < t->min_class ? 5 : alike < set.size / 2;
        }
        t->rarity[m] = (uint8_t)(rarity < 63 ? rarity : 63);
    }
    for (uint32_t missing = o->borrow; missing > 0;) {
        uint32_t id = largest_value(t, o->slot);
        uint32_t spare = t->values.count[o->slot][id] - t->min_class;
        uint32_t take = spare < missing ? spare : missing;
        if (take == 0)
            return; /* never: price_rest lets a rest borrow only if the branches can spare enough */
        mark_rarest(t, o->slot, id, set, take);
        t->values.count[o->slot][id] -= take;
        missing -= take;
    }
}
