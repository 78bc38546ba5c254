/* The classes of this rank's records at a node. */

#include "core/bytes.h"
#include "core/error.h"
#include "search/lattice/checker_internal.h"
#include "search/lattice/tuples_internal.h"
#include "search/records/tuple_index.h"

/* This rank's records in groups, and what became of them. */
typedef struct own_groups {
    uint32_t count;
    const uint32_t *of;      /* [n_records] group of a record */
    const uint32_t **row;    /* [count] leaves of a tuple of each */
    const uint8_t *violates; /* [count] */
} own_groups;

/* Numbers the classes as their records appear. */
static kith_status checker_partition_number_classes(const checker *c, const uint8_t *levels,
                                                    const own_groups *g, partition *result,
                                                    arena *scratch, arena *memory,
                                                    kith_error *error)
{
    const problem *p = c->problem;
    const size_t n_nodes = (size_t)g->count * p->n_attributes;
    uint32_t *closure = TRY_ALLOC(arena_array(scratch, n_nodes, sizeof *closure), error);
    *result = (partition){.n_classes = g->count, .closure = closure};
    result->class_of = TRY_ARRAY(result->class_of, memory, p->n_records, error);
    for (uint32_t group = 0; group < g->count; group++)
        checker_close(c, closure + (size_t)group * p->n_attributes, levels, g->row[group]);
    for (uint32_t i = 0; i < p->n_records; i++)
        result->class_of[i] = g->violates[g->of[i]] ? PARTITION_SUPPRESSED : g->of[i];
    TRY(partition_number(result, p, memory, error));
    CHECK(partition_check(result, p));
    return KITH_OK;
}

/* Groups of a process that has all tuples. */
static kith_status group_tuples(checker *c, const uint8_t *levels, own_groups *g, arena *scratch,
                                kith_error *error)
{
    const distribution *e = c->distributions.first;
    node_check n;
    node_part part;
    checker_judge_all(&n, c, e, levels, &part);
    const groups_coarsen *r = &n.scratch->coarsen;
    uint32_t *of = TRY_ALLOC(arena_array(scratch, c->problem->n_records, sizeof *of), error);
    for (uint32_t i = 0; i < c->problem->n_records; i++)
        of[i] = r->target[e->tuples.of[i]];
    g->count = n.n_made;
    g->of = of;
    g->violates = n.scratch->violates;
    g->row = TRY_ALLOC(arena_array(scratch, g->count, sizeof *g->row), error);
    for (uint32_t made = 0; made < g->count; made++)
        g->row[made] = tuples_row(&e->tuples, r->representative[made]);
    return KITH_OK;
}

/* Groups this rank's records by their codes. */
static kith_status group_records(const checker *c, const uint8_t *levels, own_groups *g,
                                 arena *scratch, kith_error *error)
{
    const problem *p = c->problem;
    const uint32_t width = p->n_attributes;
    const uint32_t n = p->n_records;
    const uint32_t *rows = TRY_ALLOC(tuples_gather_rows(p, scratch), error);
    uint32_t *codes = TRY_ALLOC(arena_array(scratch, width, sizeof *codes), error);
    tuple_index distinct;
    tuple_index_init(&distinct, width, scratch);
    uint32_t *of = TRY_ALLOC(arena_array(scratch, n, sizeof *of), error);
    g->row = TRY_ALLOC(arena_array(scratch, n, sizeof *g->row), error);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *row = rows + (size_t)i * width, before = distinct.count;
        for (uint32_t j = 0; j < width; j++)
            codes[j] = c->distributions.attributes[j].code[levels[j]][row[j]];
        TRY(tuple_index_add(&distinct, codes, &of[i], error));
        if (distinct.count > before)
            g->row[before] = row;
    }
    g->count = distinct.count;
    g->of = of;
    tuple_index_release(&distinct);
    return KITH_OK;
}

/* A question to every rank about groups, and the answers: one byte for each. */
typedef struct questions {
    ranks_bytes *asked, *come, *answered, *got; /* [n_ranks] */
    uint32_t *rank;                             /* [groups] who is asked */
} questions;

/* Sends the leaves of each group to the rank that has all of it. */
static kith_status checker_partition_ask(const checker *c, const distribution *e,
                                         const own_groups *g, questions *q, arena *scratch,
                                         kith_error *error)
{
    const problem *p = c->problem;
    const uint32_t n_ranks = ranks_count(c->ranks);
    bytes_writer *to = TRY_ALLOC(arena_array(scratch, n_ranks, sizeof *to), error);
    q->asked = TRY_ALLOC(arena_zalloc(scratch, n_ranks, sizeof *q->asked), error);
    q->come = TRY_ALLOC(arena_zalloc(scratch, n_ranks, sizeof *q->come), error);
    q->rank = TRY_ALLOC(arena_array(scratch, g->count, sizeof *q->rank), error);
    for (uint32_t r = 0; r < n_ranks; r++)
        to[r] = (bytes_writer){.memory = scratch};
    for (uint32_t u = 0; u < g->count; u++) {
        q->rank[u] = e->everywhere
                         ? ranks_self(c->ranks)
                         : distribution_anchor_rank(&e->anchor, c->distributions.attributes,
                                                    p->n_attributes, g->row[u]);
        for (uint32_t j = 0; j < p->n_attributes; j++)
            bytes_write_number(&to[q->rank[u]], g->row[u][j], tuples_leaf_width(p, j));
    }
    for (uint32_t r = 0; r < n_ranks; r++) {
        TRY(bytes_written(&to[r], error));
        q->asked[r] = (ranks_bytes){to[r].bytes, to[r].length};
    }
    return ranks_exchange(c->ranks, q->asked, q->come, scratch, error);
}

/* Answers the questions that have come by the groups of the distribution, which have been judged.
 */
static kith_status checker_partition_answer(const node_check *n, questions *q, arena *scratch,
                                            kith_error *error)
{
    const checker *c = n->checker;
    const uint32_t n_ranks = ranks_count(c->ranks);
    const problem *p = c->problem;
    uint32_t row[LATTICE_MAX_ATTRIBUTES];
    q->answered = TRY_ALLOC(arena_zalloc(scratch, n_ranks, sizeof *q->answered), error);
    q->got = TRY_ALLOC(arena_zalloc(scratch, n_ranks, sizeof *q->got), error);
    for (uint32_t r = 0; r < n_ranks; r++) {
        bytes_reader in = {.at = q->come[r].bytes, .left = q->come[r].n_bytes};
        bytes_writer says = {.memory = scratch};
        while (in.left > 0) {
            for (uint32_t j = 0; j < p->n_attributes; j++)
                row[j] = (uint32_t)bytes_read(&in, tuples_leaf_width(p, j));
            const uint32_t made = groups_coarsen_find(&n->scratch->coarsen, n->levels, row);
            ASSERT(made < n->n_made);
            bytes_write_number(&says, n->scratch->violates[made], 1);
        }
        TRY(bytes_written(&says, error));
        q->answered[r] = (ranks_bytes){says.bytes, says.length};
    }
    return ranks_exchange(c->ranks, q->answered, q->got, scratch, error);
}

/* Groups of the records of this rank, where the tuples are elsewhere: the rank that has all records
 * of a group decides what becomes of it. */
static kith_status group_with_ranks(checker *c, const uint8_t *levels, own_groups *g,
                                    arena *scratch, kith_error *error)
{
    distribution *e;
    node_check n;
    node_part part;
    questions q = {0};
    TRY(group_records(c, levels, g, scratch, error));
    uint8_t *violates = TRY_ALLOC(arena_zalloc(scratch, g->count, 1), error);
    g->violates = violates;
    if (c->problem->may_suppress == 0)
        return KITH_OK;
    distributions_next(&c->distributions);
    TRY(distributions_find(&c->distributions, levels, &e, error));
    TRY(checker_fit(c, e, error));
    checker_judge_all(&n, c, e, levels, &part);
    TRY(checker_partition_ask(c, e, g, &q, scratch, error));
    TRY(checker_partition_answer(&n, &q, scratch, error));
    size_t *next = TRY_ALLOC(arena_zalloc(scratch, ranks_count(c->ranks), sizeof *next), error);
    for (uint32_t u = 0; u < g->count; u++)
        violates[u] = ((const uint8_t *)q.got[q.rank[u]].bytes)[next[q.rank[u]]++];
    return KITH_OK;
}

kith_status checker_partition(checker *c, const uint8_t *levels, partition *result, arena *memory,
                              kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    own_groups g = {0};
    TRY(c->distributions.first->everywhere ? group_tuples(c, levels, &g, scratch, error)
                                           : group_with_ranks(c, levels, &g, scratch, error));
    return checker_partition_number_classes(c, levels, &g, result, scratch, memory, error);
}
