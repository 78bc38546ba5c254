#include "protocol/columns/columns_prices.h"

#include <string.h>

#include "core/error.h"

enum { WORTH_THREADS = 1 << 15 }; /* entries from which it pays to share the work */

kith_status columns_prices_init(columns_prices *p, const columns_clusters *c, threads *pool,
                                kith_error *error)
{
    *p = (columns_prices){.c = c, .pool = pool};
    p->node = TRY_ZEROS(p->node, c->memory, c->n_sides, error);
    return KITH_OK;
}

kith_status columns_prices_set_columns(columns_prices *p, uint32_t below, kith_error *error)
{
    arena *memory = p->c->memory;
    if (p->n_ids < p->c->capacity) {
        p->column = TRY_ZEROS(p->column, memory, p->c->capacity, error);
        p->clusters = TRY_ARRAY(p->clusters, memory, p->c->capacity, error);
        p->size = TRY_ARRAY(p->size, memory, p->c->capacity, error);
        for (uint32_t j = 0; j < p->c->n_sides; j++) {
            p->node[j] = TRY_ALLOC(arena_array(memory, p->c->capacity, sizeof **p->node), error);
        }
        p->n_ids = p->c->capacity;
    }
    p->count = columns_clusters_list(p->c, p->clusters, below);
    for (uint32_t r = 0; r < p->count; r++) {
        p->column[p->clusters[r]] = r;
        p->size[r] = p->c->size[p->clusters[r]];
    }
    for (uint32_t j = 0; j < p->c->n_sides; j++)
        for (uint32_t r = 0; r < p->count; r++)
            p->node[j][r] = p->c->sides[j].closure[p->clusters[r]];
    return KITH_OK;
}

/* Adds, for every cluster of the table, its cost per record in column j if its closure is widened
 * by a node. */
static void add_widened_cost(const columns_prices *p, int64_t *out, uint32_t j, uint32_t with)
{
    const columns_side *s = &p->c->sides[j];
    const uint32_t *node = p->node[j];
    if (s->joint == NULL) {
        for (uint32_t r = 0; r < p->count; r++)
            out[r] += s->cost[tree_lca(s->tree, with, node[r])];
        return;
    }
    const int64_t *joint = s->joint + (uint64_t)with * s->tree->n_nodes;
    for (uint32_t r = 0; r < p->count; r++)
        out[r] += joint[node[r]];
}

/* From costs per record of widened clusters to the growth of the total cost if `more` records join,
 * less what they cost elsewhere, `off`. */
static void to_growth(const columns_prices *p, int64_t *out, uint32_t more, int64_t off)
{
    const columns_clusters *c = p->c;
    for (uint32_t r = 0; r < p->count; r++) {
        const int64_t size = p->size[r];
        out[r] = out[r] * (size + more) - c->cost[p->clusters[r]] * size - off;
    }
}

static void clear_own(const columns_prices *p, int64_t *out, uint32_t cluster)
{
    const uint32_t r = p->column[cluster];
    if (r < p->count && p->clusters[r] == cluster)
        out[r] = 0;
}

/* The row of a record whose leaving saves `off`. */
static void price_record(const columns_prices *p, int64_t *out, uint32_t record, int64_t off)
{
    const uint32_t from = p->c->of[record];
    memset(out, 0, p->count * sizeof *out);
    for (uint32_t j = 0; j < p->c->n_sides; j++)
        add_widened_cost(p, out, j, p->c->sides[j].cells[record]);
    to_growth(p, out, 1, off);
    for (uint32_t r = 0; p->noise != NULL && r < p->count; r++)
        out[r] += p->noise(p->user, record, p->c->tag[from], p->c->tag[p->clusters[r]]);
    clear_own(p, out, from);
}

typedef struct rows {
    const columns_prices *p;
    int64_t *out;
    const uint32_t *subject;
} rows;

static void price_move(void *user, size_t i, unsigned worker)
{
    const rows *job = user;
    const columns_clusters *c = job->p->c;
    const uint32_t record = job->subject[i], from = c->of[record];
    const int64_t size = c->size[from];
    const int64_t gain = c->cost[from] * size - columns_clusters_remaining(c, record) * (size - 1);
    (void)worker;
    price_record(job->p, job->out + i * job->p->count, record, gain);
}

static void price_union(void *user, size_t i, unsigned worker)
{
    const rows *job = user;
    const columns_prices *p = job->p;
    const columns_clusters *c = p->c;
    const uint32_t cluster = job->subject[i];
    int64_t *out = job->out + i * p->count;
    (void)worker;
    memset(out, 0, p->count * sizeof *out);
    for (uint32_t j = 0; j < c->n_sides; j++)
        add_widened_cost(p, out, j, c->sides[j].closure[cluster]);
    to_growth(p, out, c->size[cluster], c->cost[cluster] * c->size[cluster]);
    /* The same noise for both orders of a pair: the lower tag comes first. */
    for (uint32_t r = 0; p->noise != NULL && r < p->count; r++) {
        uint64_t a = c->tag[cluster], b = c->tag[p->clusters[r]];
        out[r] += p->noise(p->user, UINT32_MAX, a < b ? a : b, a < b ? b : a);
    }
    clear_own(p, out, cluster);
}

#if KITH_DEBUG
/* The columns of the table show the clusters as they are. */
static void check_current(const columns_prices *p)
{
    for (uint32_t r = 0; r < p->count; r++) {
        const uint32_t cluster = p->clusters[r];
        ASSERT(r == 0 || p->clusters[r - 1] < cluster);
        ASSERT(p->column[cluster] == r && p->size[r] == p->c->size[cluster]);
        for (uint32_t j = 0; j < p->c->n_sides; j++)
            ASSERT(p->node[j][r] == p->c->sides[j].closure[cluster]);
    }
}
#endif

static void columns_prices_run(const rows *job, uint32_t n, void (*task)(void *, size_t, unsigned))
{
    bool large = (uint64_t)n * job->p->count >= WORTH_THREADS;
    threads_run(large ? job->p->pool : NULL, n, task, (void *)job);
}

void columns_prices_moves(const columns_prices *p, int64_t *out, const uint32_t *record, uint32_t n)
{
    CHECK(check_current(p));
    columns_prices_run(&(rows){p, out, record}, n, price_move);
}

void columns_prices_unions(const columns_prices *p, int64_t *out, const uint32_t *cluster,
                           uint32_t n)
{
    CHECK(check_current(p));
    columns_prices_run(&(rows){p, out, cluster}, n, price_union);
}

void columns_prices_members(const columns_prices *p, int64_t *out, uint32_t cluster)
{
    const columns_clusters *c = p->c;
    for (uint32_t m = 0; m < c->size[cluster]; m++)
        price_record(p, out + (uint64_t)m * p->count, c->member[cluster][m], c->cost[cluster]);
}
