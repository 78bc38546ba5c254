#include "search/cluster/block_pass.h"

#include <string.h>

#include "core/error.h"

/* What collecting found about a record. */
enum { FREE, STAYS, ASKED };

static kith_status sort_by_site(block_pass *t, uint32_t n_records, kith_error *error)
{
    uint32_t n_sites = 1;
    for (uint32_t i = 0; t->site_of != NULL && i < n_records; i++) {
        if (t->site_of[i] >= n_records)
            return error_set(error, KITH_INVALID,
                             "record %u has site %u, but there are only %u "
                             "records",
                             i, t->site_of[i], n_records);
        n_sites = t->site_of[i] >= n_sites ? t->site_of[i] + 1 : n_sites;
    }
    t->n_sites = n_sites;
    t->start = TRY_ALLOC(arena_zalloc(t->c->memory, (size_t)n_sites + 2, sizeof *t->start), error);
    for (uint32_t i = 0; i < n_records; i++)
        t->start[(t->site_of == NULL ? 0 : t->site_of[i]) + 2]++;
    for (uint32_t s = 0; s < n_sites; s++)
        t->start[s + 2] += t->start[s + 1];
    for (uint32_t i = 0; i < n_records; i++)
        t->record[t->start[(t->site_of == NULL ? 0 : t->site_of[i]) + 1]++] = i;
    return KITH_OK;
}

kith_status block_pass_init(block_pass *t, clusters *c, const uint32_t *site, uint32_t block,
                            kith_error *error)
{
    size_t n_records = c->slots->n_records;
    *t = (block_pass){.c = c, .site_of = site, .block = block > 0 ? block : 1};
    t->record = arena_array(c->memory, n_records, sizeof *t->record);
    t->queue = arena_array(c->memory, n_records, sizeof *t->queue);
    t->questions = arena_array(c->memory, n_records, sizeof *t->questions);
    t->state = arena_array(c->memory, n_records, sizeof *t->state);
    t->lost = arena_zalloc(c->memory, n_records, sizeof *t->lost); /* ids are reused */
    t->joined = TRY_ALLOC(arena_zalloc(c->memory, n_records, sizeof *t->joined), error);
    t->local = TRY_ALLOC(arena_array(c->memory, c->slots->stride, sizeof *t->local), error);
    TRY_ALLOC(t->record, error);
    TRY_ALLOC(t->queue, error);
    TRY_ALLOC(t->questions, error);
    TRY_ALLOC(t->state, error);
    TRY_ALLOC(t->lost, error);
    t->edge = TRY_ALLOC(arena_zalloc(c->memory, c->slots->stride, sizeof *t->edge), error);
    return sort_by_site(t, (uint32_t)n_records, error);
}

static const uint16_t *joint_closure(const block_pass *t, uint32_t cluster)
{
    return t->c->closure + (uint64_t)cluster * t->c->slots->stride;
}

/* Another record of the same site in the same cluster? */
static bool is_mate(const block_pass *t, uint32_t other, uint32_t record)
{
    return other != record && (t->site_of == NULL || t->site_of[other] == t->site_of[record]);
}

/* In every attribute one level decides: the highest that the joint closure has given up. If the
 * site's records agree there, others do not agree with them, there or below; so something can come
 * back only where the record alone keeps them from agreeing. Returns false if nothing has been
 * given up. */
static bool mark_edges(block_pass *t, const uint16_t *joint)
{
    const slots *s = t->c->slots;
    bool any = false;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t above = s->slots[i].above;
        bool edge = joint[i] == SLOT_NONE && (above == SLOT_TOP || joint[above] != SLOT_NONE);
        t->edge[i] = edge ? UINT16_MAX : 0;
        any |= edge;
    }
    return any;
}

/* Widens t->local by a mate of the record; tells whether something could come back. Widening never
 * makes that true again, so the search may end. */
static bool widen_local(block_pass *t, const uint16_t *row, uint32_t mate)
{
    const uint16_t *other = slots_row(t->c->slots, mate);
    uint16_t *local = t->local, may = 0;
    for (uint32_t i = 0; i < t->c->slots->stride; i++) {
        local[i] = local[i] == other[i] ? other[i] : SLOT_NONE;
        may |= local[i] != SLOT_NONE && local[i] != row[i] ? t->edge[i] : 0;
    }
    return may != 0;
}

/* Can the joint closure change if the record leaves? t->local becomes L'; *witness is a mate, or
 * CLUSTER_NONE if there is none. */
static bool may_change(block_pass *t, uint32_t record, uint32_t *witness)
{
    const clusters *c = t->c;
    uint32_t cluster = c->of[record];
    const uint32_t *member = c->member[cluster];
    const uint16_t *row = slots_row(c->slots, record);
    bool may = mark_edges(t, joint_closure(t, cluster));
    *witness = CLUSTER_NONE;
    for (uint32_t m = 0; m < c->held[cluster] && may; m++) {
        if (!is_mate(t, member[m], record))
            continue;
        if (*witness == CLUSTER_NONE)
            slots_start(c->slots, t->local, *witness = member[m]);
        may = widen_local(t, row, member[m]);
    }
    return may;
}

/* The least that each record left behind could cost; t->local is L'. */
static int32_t min_remaining(block_pass *t, uint32_t record, uint32_t witness)
{
    const slots *s = t->c->slots;
    if (witness == CLUSTER_NONE || !s->monotone)
        return 0;
    const uint16_t *joint = joint_closure(t, t->c->of[record]), *row = slots_row(s, record);
    for (uint32_t i = 0; i < s->count; i++) {
        bool back = t->edge[i] != 0 ? t->local[i] != row[i]
                                    : joint[i] == SLOT_NONE && t->edge[s->slots[i].above] != 0;
        t->edge[i] = back ? UINT16_MAX : 0; /* from here on: what may come back */
        t->local[i] = back ? t->local[i] : joint[i];
    }
    return slots_closure_cost(s, t->local);
}

/* As the header says; *stays tells whether that settles where the record belongs. */
static bool needs_question(block_pass *t, uint32_t record, bool *stays)
{
    clusters *c = t->c;
    uint32_t cluster = c->of[record], size = c->size[cluster], witness;
    *stays = false;
    if (size == 1)
        return false;
    *stays = size <= t->keep || !clusters_may_leave(c, record);
    if (*stays || !may_change(t, record, &witness))
        return false;
    int64_t min_cost = min_remaining(t, record, witness);
    int64_t max_gain = (int64_t)c->cost[cluster] * size - min_cost * (size - 1);
    *stays = clusters_best(c, record, max_gain) == CLUSTER_NONE;
    return !*stays;
}

/* The answer to a question, widened by what the cluster has gained since, in c->without. */
static void widen_answer(block_pass *t, uint32_t record, const uint16_t *answer)
{
    clusters *c = t->c;
    uint32_t cluster = c->of[record];
    memcpy(c->without, answer, c->slots->stride * sizeof *answer);
    for (uint32_t m = 0; m < c->held[cluster]; m++)
        if (c->member[cluster][m] != record && t->joined[c->member[cluster][m]] == t->n_blocks)
            slots_join(c->slots, c->without, c->member[cluster][m]);
}

/* As clusters_gain, for a site that does not have all records. Without an answer the joint closure
 * does not change. */
static int64_t gain_by_answer(block_pass *t, uint32_t record, const uint16_t *answer,
                              int32_t *remaining)
{
    clusters *c = t->c;
    uint32_t cluster = c->of[record], size = c->size[cluster];
    if (c->held[cluster] == size)
        return clusters_gain(c, record, remaining);
    if (answer == NULL)
        memcpy(c->without, joint_closure(t, cluster), c->slots->stride * sizeof *answer);
    else
        widen_answer(t, record, answer);
    *remaining = slots_closure_cost(c->slots, c->without);
    return (int64_t)c->cost[cluster] * size - (int64_t)*remaining * (size - 1);
}

/* What the paper would have asked about a record that may leave. */
static void count_calls(block_pass *t, uint32_t record, const uint16_t *without)
{
    const clusters *c = t->c;
    uint32_t j = c->of[record];
    if (t->paper != NULL && c->size[j] > 1 && clusters_may_leave(c, record))
        paper_calls_visit(t->paper, record, c->member[j], c->held[j], joint_closure(t, j),
                          without == NULL ? joint_closure(t, j) : without);
}

/* Step numbers: Algorithm 1 | Algorithm 2 of SEQ. */
static kith_status visit(block_pass *t, uint32_t record, const uint16_t *answer, kith_error *error)
{
    clusters *c = t->c;
    uint32_t j = c->of[record]; /* 3 | 5 */
    if (++t->visited % 512 == 0 && t->report != NULL && !t->report(t->user, t->visited))
        return error_set(error, KITH_CANCELLED, "stopped while clustering");
    if ((t->keep > 0 && c->size[j] <= t->keep) || !clusters_may_leave(c, record)) /* – | 6 */
        return KITH_OK;
    int32_t remaining;
    bool singleton = c->size[j] == 1;
    int64_t gain = t->answer == NULL ? clusters_gain(c, record, &remaining)
                                     : gain_by_answer(t, record, answer, &remaining);
    count_calls(t, record, c->without);
    uint32_t h = clusters_best(c, record, singleton ? INT64_MAX : gain); /* 4-5 | 7-10 */
    if (h == CLUSTER_NONE)                                               /* – | 8 */
        return KITH_OK;
    t->n_moves++;
    t->lost[j] = t->n_blocks;
    t->joined[record] = t->n_blocks;
    return clusters_move(c, record, h, remaining, error); /* 6-7 | 11-12 */
}

kith_status block_pass_reserve(block_pass *t, uint32_t max_clusters, kith_error *error)
{
    size_t max_questions = t->block < t->c->slots->n_records ? t->block : t->c->slots->n_records;
    t->lost = TRY_ALLOC(arena_zalloc(t->c->memory, max_clusters, sizeof *t->lost), error);
    t->answer = TRY_ALLOC(
        arena_array(t->c->memory, max_questions * t->c->slots->stride, sizeof *t->answer), error);
    return KITH_OK;
}

void block_pass_begin_turn(block_pass *t, uint32_t site, uint32_t first, uint32_t count)
{
    const uint32_t *record = t->record + t->start[site];
    uint32_t all = block_pass_records(t, site);
    t->count = count;
    for (uint32_t i = 0; i < count; i++)
        t->queue[i] = record[first + i < all ? first + i : first + i - all];
    t->from = t->first = t->end = t->asked = 0;
}

/* Step 1 of the header, from queue[from]: visits until a block opens, then collects. */
kith_status block_pass_collect(block_pass *t, kith_error *error)
{
    t->asked = 0;
    for (t->first = t->end = t->from; t->end < t->count && t->asked < t->block; t->end++) {
        uint32_t record = t->queue[t->end];
        bool stays, needs = needs_question(t, record, &stays);
        t->state[t->end] = needs ? ASKED : stays ? STAYS : FREE;
        if (needs) {
            t->questions[t->asked++] = record;
        } else if (t->asked == 0) {
            TRY(visit(t, record, NULL, error));
            t->first = t->end + 1;
        }
    }
    t->n_blocks += t->asked > 0;
    t->n_questions += t->asked;
    return KITH_OK;
}

static void leave_out(block_pass *t, uint32_t record)
{
    count_calls(t, record, NULL);
    t->visited++;
}

/* Step 3. The turn goes on with those put off. */
kith_status block_pass_visit_collected(block_pass *t, kith_error *error)
{
    const uint32_t stride = t->c->slots->stride;
    uint32_t later = t->first, asked = 0;
    for (uint32_t at = t->first; at < t->end; at++) {
        uint32_t record = t->queue[at];
        bool stays = t->state[at] == STAYS, lost = t->lost[t->c->of[record]] == t->n_blocks;
        const uint16_t *answer = NULL;
        if (t->state[at] == ASKED && t->answer != NULL)
            answer = t->answer + (size_t)asked * stride;
        asked += t->state[at] == ASKED;
        if (!stays && lost && needs_question(t, record, &stays))
            t->queue[later++] = record;
        else if (stays)
            leave_out(t, record);
        else
            TRY(visit(t, record, lost ? NULL : answer, error));
    }
    uint32_t late = later - t->first;
    t->put_off += late;
    t->from = t->end - late;
    memmove(t->queue + t->from, t->queue + t->first, late * sizeof *t->queue);
    return KITH_OK;
}

bool block_pass_wanted(block_pass *t, uint32_t record, bool *wanted, uint32_t n_attributes,
                       uint16_t *mine)
{
    const slots *s = t->c->slots;
    const uint16_t *row = slots_row(s, record);
    uint32_t witness;
    memset(wanted, 0, n_attributes * sizeof *wanted);
    (void)may_change(t, record, &witness); /* leaves edges and L' behind: the record needs it */
    for (uint32_t i = 0; i < s->count; i++) {
        bool mates_agree = t->local[i] != SLOT_NONE && t->local[i] != row[i];
        if (t->edge[i] != 0 && (witness == CLUSTER_NONE || mates_agree))
            wanted[s->slots[i].attribute] = true;
    }
    memcpy(mine, t->local, s->stride * sizeof *mine);
    return witness != CLUSTER_NONE;
}

kith_status block_pass_lap(block_pass *t, uint32_t site, uint32_t first, uint32_t count,
                           kith_error *error)
{
    block_pass_begin_turn(t, site, first, count);
    for (uint32_t i = 0; t->block == 1 && i < t->count; i++) /* nothing to collect */
        TRY(visit(t, t->queue[i], NULL, error));
    while (t->block > 1 && block_pass_left(t)) {
        TRY(block_pass_collect(t, error));
        TRY(block_pass_visit_collected(t, error));
    }
    return KITH_OK;
}

kith_status block_pass_run(block_pass *t, kith_error *error)
{
    t->n_moves = t->visited = 0;
    for (uint32_t site = 0; site < t->n_sites; site++)
        TRY(block_pass_lap(t, site, 0, block_pass_records(t, site), error));
    return KITH_OK;
}
