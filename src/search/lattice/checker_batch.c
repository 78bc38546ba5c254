/* Checking some nodes at once: by threads, and over ranks with few messages for all of them.
 *
 * Ranks first add up how many records each node would suppress, and then, for the nodes that
 * satisfy the models, what their losses depend on. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "search/lattice/checker_internal.h"

/* In a sweep one thread checks ROW nodes in a row. Counts of cells of up to CELLS_ROOM entries are
 * kept at a time. */
enum { ROW = 16, CELLS_ROOM = 1 << 22 };

/* Some nodes of a batch. */
typedef struct batch {
    checker *checker;
    uint32_t count;
    bool sweeping;
    const uint8_t (*levels)[LATTICE_MAX_ATTRIBUTES];
    node_value *value;
    distribution **distribution; /* [count] */
    uint32_t *order;             /* [count] nodes of the same distribution one after the other */
    node_part *part;             /* [count] */
    uint32_t *cells; /* [count][node_loss_count_entries] of nodes that ranks check together */
    bool asks_stop;  /* this rank wants to stop, */
    bool stopped;    /* some rank wants to, and all know it */
    arena *memory;
} batch;

static uint32_t *cells_of(const batch *s, uint32_t node)
{
    return s->cells + (size_t)node * node_loss_count_entries(&s->checker->node_loss);
}

/* Checks the classes that this rank has. If these are all there is also an answer. */
static void check_one(const batch *s, uint32_t node, unsigned worker)
{
    checker *c = s->checker;
    const distribution *e = s->distribution[node];
    const uint8_t *levels = s->levels[node];
    uint32_t *cells = c->scratch[worker].cells;
    node_part *part = &s->part[node];
    if (s->sweeping) {
        checker_sweep_part(c, worker, e, levels, part);
    } else {
        node_check n;
        checker_node_begin(&n, c, worker, e, levels);
        checker_node_end(&n, n.small > c->problem->may_suppress, part);
    }
    if (e->everywhere)
        checker_settle(c, levels, part, cells, &s->value[node]);
    else if (part->suppressed > 0 || part->cells_kept)
        memcpy(cells_of(s, node), cells, node_loss_count_entries(&c->node_loss) * sizeof *cells);
}

static void check_some(void *user, size_t index, unsigned worker)
{
    const batch *s = user;
    const uint32_t row = s->sweeping ? ROW : 1;
    for (size_t i = index * row; i < s->count && i < (index + 1) * row; i++)
        check_one(s, s->order[i], worker);
}

/* Nodes that ranks check together. */
static bool shared(const batch *s, uint32_t node)
{
    return !s->distribution[node]->everywhere;
}

static bool counts_cells(const batch *s, uint32_t node)
{
    return s->part[node].suppressed > 0 && s->checker->problem->measure != MEASURE_DM;
}

/* Two numbers whose sums are below 2^32 are one word of a sum. */
typedef struct halves {
    uint64_t *word;
    size_t count; /* of halves */
} halves;

static void put_half(halves *h, uint32_t value)
{
    const size_t at = h->count++;
    if (at % 2 == 0)
        h->word[at / 2] = value;
    else
        h->word[at / 2] |= (uint64_t)value << 32;
}

static uint32_t get_half(halves *h)
{
    const size_t at = h->count++;
    return (uint32_t)(at % 2 == 0 ? h->word[at / 2] : h->word[at / 2] >> 32);
}

/* Adds up how many records every node suppresses. */
static kith_status sum_suppressed(batch *s, kith_error *error)
{
    const size_t n_words = (size_t)s->count + 1;
    uint64_t *sums = TRY_ALLOC(arena_array(s->memory, n_words, sizeof *sums), error);
    sums[s->count] = s->asks_stop;
    for (uint32_t i = 0; i < s->count; i++)
        sums[i] = s->part[i].suppressed << 32 | s->part[i].part_violating;
    TRY(ranks_sum(s->checker->ranks, sums, n_words, error));
    for (uint32_t i = 0; i < s->count; i++)
        if (shared(s, i)) {
            s->part[i].suppressed = sums[i] >> 32;
            s->part[i].part_violating = (uint32_t)sums[i];
        }
    s->stopped = sums[s->count] > 0;
    arena_release(s->memory, sums, n_words * sizeof *sums);
    return KITH_OK;
}

/* Words of the sums that the loss of a node needs: its squares; its smallest class of each rank and
 * the counts of its cells, in halves. */
static size_t count_words(const batch *s, uint32_t node)
{
    const checker *c = s->checker;
    size_t n = ranks_count(c->ranks);
    for (uint32_t j = 0; j < c->problem->n_attributes && counts_cells(s, node); j++)
        n += checker_n_codes(c, j, s->levels[node][j]);
    return 1 + (n + 1) / 2;
}

static void put_sums(const batch *s, uint32_t node, bool own_cells, uint64_t *word)
{
    const checker *c = s->checker;
    const node_part *part = &s->part[node];
    halves h = {.word = word + 1};
    word[0] = part->squares;
    for (uint32_t r = 0; r < ranks_count(c->ranks); r++)
        put_half(&h, r == ranks_self(c->ranks) ? part->smallest : 0);
    for (uint32_t j = 0; j < c->problem->n_attributes && counts_cells(s, node); j++) {
        const uint32_t *cells = cells_of(s, node) + c->node_loss.offset[j];
        const uint32_t n_codes = checker_n_codes(c, j, s->levels[node][j]);
        for (uint32_t code = 0; code < n_codes; code++)
            put_half(&h, own_cells ? cells[code] : 0);
    }
}

static void get_sums(const batch *s, uint32_t node, uint64_t *word)
{
    const checker *c = s->checker;
    node_part *part = &s->part[node];
    halves h = {.word = word + 1};
    part->squares = word[0];
    part->smallest = 0;
    for (uint32_t r = 0; r < ranks_count(c->ranks); r++) {
        const uint32_t smallest = get_half(&h);
        if (smallest > 0 && (part->smallest == 0 || smallest < part->smallest))
            part->smallest = smallest;
    }
    for (uint32_t j = 0; j < c->problem->n_attributes && counts_cells(s, node); j++) {
        uint32_t *cells = cells_of(s, node) + c->node_loss.offset[j];
        const uint32_t n_codes = checker_n_codes(c, j, s->levels[node][j]);
        for (uint32_t code = 0; code < n_codes; code++)
            cells[code] = get_half(&h);
    }
}

/* Adds up the rest for the nodes that satisfy the models. `own` has what this rank suppresses. */
static kith_status sum_losses(batch *s, const uint32_t *own, kith_error *error)
{
    const checker *c = s->checker;
    size_t n_words = 0, at = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (shared(s, i) && s->part[i].suppressed <= c->problem->may_suppress)
            n_words += count_words(s, i);
    if (n_words == 0)
        return KITH_OK;
    uint64_t *sums = TRY_ALLOC(arena_zalloc(s->memory, n_words, sizeof *sums), error);
    for (uint32_t i = 0; i < s->count; i++)
        if (shared(s, i) && s->part[i].suppressed <= c->problem->may_suppress) {
            put_sums(s, i, own[i] > 0 || s->part[i].cells_kept, sums + at);
            at += count_words(s, i);
        }
    TRY(ranks_sum(c->ranks, sums, n_words, error));
    at = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (shared(s, i) && s->part[i].suppressed <= c->problem->may_suppress) {
            get_sums(s, i, sums + at);
            at += count_words(s, i);
        }
    arena_release(s->memory, sums, n_words * sizeof *sums);
    return KITH_OK;
}

/* Answers for the nodes that ranks check together. */
static kith_status settle(batch *s, kith_error *error)
{
    const checker *c = s->checker;
    uint32_t n_shared = 0;
    uint32_t *own = TRY_ALLOC(arena_array(s->memory, s->count, sizeof *own), error);
    for (uint32_t i = 0; i < s->count; i++) {
        own[i] = (uint32_t)s->part[i].suppressed;
        n_shared += shared(s, i);
    }
    if (n_shared == 0)
        return KITH_OK;
    TRY(sum_suppressed(s, error));
    TRY(sum_losses(s, own, error));
    for (uint32_t i = 0; i < s->count; i++)
        if (shared(s, i))
            checker_settle(c, s->levels[i], &s->part[i], cells_of(s, i), &s->value[i]);
    return KITH_OK;
}

/* Is too much of a single node in groups that are too small? Judging them is then spared, which
 * is worth a message where models look at values. */
static kith_status check_single(batch *s, bool *hopeless, kith_error *error)
{
    checker *c = s->checker;
    node_check n;
    checker_node_begin(&n, c, 0, s->distribution[0], s->levels[0]);
    uint64_t sums[] = {n.small, s->asks_stop};
    TRY(ranks_sum(c->ranks, sums, 2, error));
    s->stopped = sums[1] > 0;
    *hopeless = sums[0] > c->problem->may_suppress;
    checker_node_end(&n, *hopeless, &s->part[0]);
    if (*hopeless) {
        const node_part whole = {.suppressed = sums[0], .part_violating = sums[0]};
        checker_settle(c, s->levels[0], &whole, NULL, &s->value[0]);
    } else if (s->part[0].suppressed > 0) {
        memcpy(s->cells, n.scratch->cells,
               node_loss_count_entries(&c->node_loss) * sizeof *s->cells);
    }
    return KITH_OK;
}

static int by_distribution(const void *a, const void *b, void *user)
{
    distribution *const *of = user;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t m = of[x]->number, n = of[y]->number;
    return m != n ? (m > n) - (m < n) : (x > y) - (x < y);
}

/* Finds the distributions of all nodes and makes room. */
static kith_status checker_batch_prepare(batch *s, kith_error *error)
{
    checker *c = s->checker;
    distributions_next(&c->distributions);
    for (uint32_t i = 0; i < s->count; i++) {
        TRY(distributions_find(&c->distributions, s->levels[i], &s->distribution[i], error));
        TRY(checker_fit(c, s->distribution[i], error));
        if (s->sweeping)
            TRY(distribution_columns(s->distribution[i], error));
        s->order[i] = i;
    }
    qsort_r(s->order, s->count, sizeof *s->order, by_distribution, s->distribution);
    return KITH_OK;
}

static kith_status check_slice(batch *s, kith_error *error)
{
    checker *c = s->checker;
    TRY(checker_batch_prepare(s, error));
    bool hopeless = false;
    if (s->count == 1 && shared(s, 0) && c->models.values && !s->sweeping)
        TRY(check_single(s, &hopeless, error));
    else {
        const size_t n_tasks = s->sweeping ? ((size_t)s->count + ROW - 1) / ROW : s->count;
        threads_run(c->pool, n_tasks, check_some, s);
    }
    groups_snapshots_trim(c->snapshots);
    return hopeless ? KITH_OK : settle(s, error);
}

static kith_status checker_batch_check_all(checker *c, const checker_batch *b, bool *stop,
                                           arena *memory, kith_error *error)
{
    /* How many nodes are checked at once: ranks keep counts of cells for each. */
    const bool everywhere = c->distributions.first->everywhere;
    const uint32_t room = CELLS_ROOM / (node_loss_count_entries(&c->node_loss) + 1) + 1;
    const uint32_t size = everywhere || b->count < room ? b->count : room;
    const size_t n_cells = everywhere ? 0 : (size_t)size * node_loss_count_entries(&c->node_loss);
    batch s = {.checker = c,
               .sweeping = b->sweeping,
               .asks_stop = *stop,
               .stopped = *stop && ranks_count(c->ranks) == 1,
               .memory = memory};
    s.distribution = TRY_ALLOC(arena_array(memory, size, sizeof *s.distribution), error);
    s.order = TRY_ALLOC(arena_array(memory, size, sizeof *s.order), error);
    s.part = TRY_ALLOC(arena_array(memory, size, sizeof *s.part), error);
    s.cells = TRY_ALLOC(arena_array(memory, n_cells, sizeof *s.cells), error);
    for (uint32_t done = 0; done < b->count; done += s.count) {
        s.count = b->count - done < size ? b->count - done : size;
        s.levels = b->levels + done;
        s.value = b->value + done;
        TRY(check_slice(&s, error));
    }
    *stop = s.stopped;
    return KITH_OK;
}

kith_status checker_nodes(checker *c, const checker_batch *b, bool *stop, kith_error *error)
{
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    return checker_batch_check_all(c, b, stop, memory, error);
}

kith_status checker_count_suppressed(checker *c, const uint8_t *levels, uint32_t *suppressed,
                                     kith_error *error)
{
    distribution *e;
    node_check n;
    node_part part;
    distributions_next(&c->distributions);
    TRY(distributions_find(&c->distributions, levels, &e, error));
    TRY(checker_fit(c, e, error));
    checker_judge_all(&n, c, e, levels, &part);
    if (!e->everywhere)
        TRY(ranks_sum(c->ranks, &part.suppressed, 1, error));
    *suppressed = (uint32_t)part.suppressed;
    return KITH_OK;
}
