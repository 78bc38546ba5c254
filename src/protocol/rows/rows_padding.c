#include "protocol/rows/rows_padding.h"

#include <sodium.h>

#include "core/error.h"

/* Levels of cost that are told apart; and draws, before any cluster is taken. */
enum { LEVELS = 16, MAX_TRIES = 65536 };

/* Random numbers for one block. */
typedef struct dice {
    rng *keys;
    uint32_t numbers[1024];
    uint32_t next;
} dice;

static void refill(dice *d)
{
    union {
        uint64_t words[4];
        unsigned char bytes[randombytes_SEEDBYTES];
    } key;
    _Static_assert(sizeof key.words == sizeof key.bytes, "a key is four words");
    for (int i = 0; i < 4; i++)
        key.words[i] = rng_next(d->keys);
    randombytes_buf_deterministic(d->numbers, sizeof d->numbers, key.bytes);
    sodium_memzero(&key, sizeof key);
    d->next = 0;
}

/* Uniform in 0 … bound-1. */
static uint32_t throw_dice(dice *d, uint32_t bound)
{
    const uint32_t min = (0 - bound) % bound; /* 2^32 mod bound: below it numbers are not even */
    for (;;) {
        if (d->next == sizeof d->numbers / sizeof *d->numbers)
            refill(d);
        uint32_t number = d->numbers[d->next++];
        if (number >= min)
            return number % bound;
    }
}

bool rows_padding_attributes(const rows_state *v, uint32_t cluster, bool *wanted)
{
    const uint16_t *closure = rows_state_closure(v, cluster);
    bool any = false;
    for (uint32_t j = 0; wanted != NULL && j < v->mine->n_attributes; j++)
        wanted[j] = false;
    for (uint32_t i = 0; i < v->rows.count; i++)
        if (closure[i] == SLOT_NONE) {
            any = true;
            if (wanted != NULL)
                wanted[v->rows.slots[i].attribute] = true;
        }
    return any;
}

/* Could a record of this cluster need a question, as far as all sites can tell? */
static bool may_be_asked(const rows_state *v, uint32_t cluster)
{
    const uint32_t size = v->c.size[cluster];
    return size > 1 && size > v->block_pass.keep && size > v->c.min_known &&
           rows_padding_attributes(v, cluster, NULL);
}

/* How often own records needed a question, by what their cluster costs: invented questions are
 * about clusters for which that is as likely. */
typedef struct habits {
    uint32_t seen[LEVELS], asked[LEVELS];
} habits;

static uint32_t level_of(const rows_state *v, uint32_t cluster)
{
    return (uint32_t)v->c.cost[cluster] * LEVELS / (UINT16_MAX + 1);
}

/* Adds own records that need a question and are not in the block yet, in random order. */
static kith_status add_own(rows_state *v, rows_question *block, uint32_t *count, habits *h, dice *d,
                           arena *scratch, kith_error *error)
{
    const uint32_t n_records = v->mine->n_records;
    uint32_t *order = TRY_ALLOC(arena_array(scratch, n_records, sizeof *order), error);
    bool *taken = TRY_ALLOC(arena_zalloc(scratch, n_records, sizeof *taken), error);
    for (uint32_t i = 0; i < *count; i++)
        taken[v->block_pass.collected.questions[block[i].question]] = true;
    for (uint32_t i = 0; i < n_records; i++)
        order[i] = i;
    for (uint32_t i = 0; i < n_records && *count < v->block_pass.block; i++) {
        const uint32_t other = i + throw_dice(d, n_records - i), record = order[other];
        const uint32_t cluster = v->c.of[record];
        order[other] = order[i];
        const bool needs = taken[record] || block_pass_needs(&v->block_pass, record);
        h->seen[level_of(v, cluster)]++;
        h->asked[level_of(v, cluster)] += needs;
        if (needs && !taken[record])
            block[(*count)++] = (rows_question){cluster, ROWS_PADDING};
    }
    return KITH_OK;
}

/* Adds clusters of random records of all sites. */
static kith_status add_invented(rows_state *v, rows_question *block, uint32_t *count,
                                const habits *h, dice *d, arena *scratch, kith_error *error)
{
    uint32_t *ends = TRY_ALLOC(arena_array(scratch, v->c.used, sizeof *ends), error);
    uint32_t total = 0;
    for (uint32_t cluster = 0; cluster < v->c.used; cluster++)
        ends[cluster] = total += may_be_asked(v, cluster) ? v->c.size[cluster] : 0;
    for (uint32_t tries = 0; total > 0 && *count < v->block_pass.block; tries++) {
        const uint32_t at = throw_dice(d, total);
        uint32_t low = 0, high = v->c.used - 1; /* the first cluster that ends behind it */
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (ends[middle] > at)
                high = middle;
            else
                low = middle + 1;
        }
        const uint32_t level = level_of(v, low), seen = h->seen[level];
        if (tries > MAX_TRIES || throw_dice(d, seen + 1) <= h->asked[level])
            block[(*count)++] = (rows_question){low, ROWS_PADDING};
    }
    return KITH_OK;
}

kith_status rows_padding_fill(rows_state *v, rows_question *block, uint32_t *count,
                              kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    habits h = {0};
    dice *d = TRY_ALLOC(arena_alloc(scratch, sizeof *d), error);
    d->keys = &v->padding;
    refill(d);
    TRY(add_own(v, block, count, &h, d, scratch, error));
    TRY(add_invented(v, block, count, &h, d, scratch, error));
    for (uint32_t i = *count; i > 1; i--) {
        const uint32_t other = throw_dice(d, i);
        const rows_question moved = block[i - 1];
        block[i - 1] = block[other];
        block[other] = moved;
    }
    sodium_memzero(d, sizeof *d);
    return KITH_OK;
}
