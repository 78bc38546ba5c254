#include "search/cluster/block_pass.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/group_by_part.h"

/* What collecting found about a record: it may be visited without a question, for the closure does
 * not change or because what remains is withheld; it stays where it is; or it needs a question. */
enum { FREE, WITHHELD, STAYS, ASKED };

static kith_status sort_by_site(block_pass_sites *s, uint32_t n_records, arena *memory,
                                kith_error *error)
{
    s->count = 1;
    for (uint32_t i = 0; s->site_of != NULL && i < n_records; i++) {
        if (s->site_of[i] >= n_records)
            return error_set(error, KITH_INVALID,
                             "record %u has site %u, but there are only %u records", i,
                             s->site_of[i], n_records);
        s->count = s->site_of[i] >= s->count ? s->site_of[i] + 1 : s->count;
    }
    s->records = TRY_ARRAY(s->records, memory, n_records, error);
    s->start = TRY_ZEROS(s->start, memory, (size_t)s->count + 2, error);
    if (s->site_of != NULL) {
        group_by_part(s->records, s->start, s->site_of, s->count, NULL, n_records);
        return KITH_OK;
    }
    s->start[1] = n_records;
    for (uint32_t i = 0; i < n_records; i++)
        s->records[i] = i;
    return KITH_OK;
}

kith_status block_pass_init(block_pass *t, clusters *c, const uint32_t *site_of, uint32_t block,
                            kith_error *error)
{
    const uint32_t n = c->slots->n_records, stride = c->slots->stride;
    arena *memory = c->memory;
    *t = (block_pass){.c = c, .block = block > 0 ? block : 1, .sites.site_of = site_of};
    block_pass_block *b = &t->collected;
    t->turn.queue = TRY_ARRAY(t->turn.queue, memory, n, error);
    b->questions = TRY_ARRAY(b->questions, memory, n, error);
    b->findings = TRY_ARRAY(b->findings, memory, n, error);
    /* Ids of clusters are reused, so there are never more of them than records. */
    t->lost = TRY_ZEROS(t->lost, memory, n, error);
    t->joined = TRY_ZEROS(t->joined, memory, n, error);
    t->local = TRY_ARRAY(t->local, memory, stride, error);
    t->edge = TRY_ZEROS(t->edge, memory, stride, error);
    return sort_by_site(&t->sites, n, memory, error);
}

/* Marks the edge of the joint closure: in every attribute the highest level that it has given up.
 * Only this level decides whether the closure can narrow. If the site's records agree there, those
 * of the others disagree with them, there and below, and keep the closure wide; so it narrows only
 * where the record alone keeps its mates from agreeing. Returns false if nothing is given up. */
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

/* Widens t->local by a mate of the record; returns whether the closure could still narrow. Once
 * false, this stays false for further mates, so that the caller may stop. */
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

/* Can the joint closure change if the record leaves? t->local becomes L', the closure of its mates:
 * the other records of the same site in the cluster. *witness is one of them, or CLUSTER_NONE if
 * there is none. */
static bool may_change(block_pass *t, uint32_t record, uint32_t *witness)
{
    const clusters *c = t->c;
    uint32_t cluster = c->of[record];
    const uint32_t *member = c->member[cluster], *site_of = t->sites.site_of;
    const uint16_t *row = slots_row(c->slots, record);
    bool may = mark_edges(t, clusters_closure(c, cluster));
    *witness = CLUSTER_NONE;
    for (uint32_t m = 0; m < c->held[cluster] && may; m++) {
        if (member[m] == record || (site_of != NULL && site_of[member[m]] != site_of[record]))
            continue;
        if (*witness == CLUSTER_NONE)
            slots_start(c->slots, t->local, *witness = member[m]);
        may = widen_local(t, row, member[m]);
    }
    return may;
}

/* A lower bound of the cost of each record left behind: the cost of J with L' in the attributes
 * where it may narrow. t->local is L'; without one, or where a narrower closure may cost more, the
 * bound is 0. */
static int32_t min_remaining(block_pass *t, uint32_t record, uint32_t witness)
{
    const slots *s = t->c->slots;
    if (witness == CLUSTER_NONE || !s->monotone)
        return 0;
    const uint16_t *joint = clusters_closure(t->c, t->c->of[record]), *row = slots_row(s, record);
    for (uint32_t i = 0; i < s->count; i++) {
        bool back = t->edge[i] != 0 ? t->local[i] != row[i]
                                    : joint[i] == SLOT_NONE && t->edge[s->slots[i].above] != 0;
        t->edge[i] = back ? UINT16_MAX : 0; /* from here on: what may come back */
        t->local[i] = back ? t->local[i] : joint[i];
    }
    return slots_closure_cost(s, t->local);
}

/* Does the record need a question, by the rule of the header? If not, *stays tells whether it is
 * clear already that the record stays in its cluster. */
static bool needs_question(block_pass *t, uint32_t record, bool *stays)
{
    clusters *c = t->c;
    uint32_t cluster = c->of[record], size = c->size[cluster], witness;
    *stays = false;
    if (size == 1 || size <= c->min_known) /* or its answer would tell too much */
        return false;
    *stays = size <= t->keep || !clusters_may_leave(c, record);
    if (*stays || !may_change(t, record, &witness))
        return false;
    int64_t min_cost = min_remaining(t, record, witness);
    int64_t max_gain = (int64_t)c->cost[cluster] * size - min_cost * (size - 1);
    *stays = clusters_best(c, record, max_gain) == CLUSTER_NONE;
    return !*stays;
}

/* As clusters_gain, for a site that does not have all records: the closure that remains, in
 * c->without, is the answer, widened by the records that the cluster has gained since the question.
 * Without an answer the joint closure does not change. */
static int64_t gain_by_answer(block_pass *t, uint32_t record, const uint16_t *answer,
                              int32_t *remaining)
{
    clusters *c = t->c;
    uint32_t cluster = c->of[record], size = c->size[cluster];
    if (c->held[cluster] == size)
        return clusters_gain(c, record, remaining);
    const uint32_t *member = c->member[cluster];
    memcpy(c->without, answer != NULL ? answer : clusters_closure(c, cluster),
           c->slots->stride * sizeof *answer);
    for (uint32_t m = 0; answer != NULL && m < c->held[cluster]; m++)
        if (member[m] != record && t->joined[member[m]] == t->totals.n_blocks)
            slots_join(c->slots, c->without, member[m]);
    *remaining = slots_closure_cost(c->slots, c->without);
    return (int64_t)c->cost[cluster] * size - (int64_t)*remaining * (size - 1);
}

/* Counts what the paper would have asked about a record that may leave. */
static void count_calls(block_pass *t, uint32_t record, const uint16_t *without)
{
    const clusters *c = t->c;
    uint32_t j = c->of[record];
    if (t->paper != NULL && c->size[j] > 1 && clusters_may_leave(c, record))
        paper_calls_visit(t->paper, record, c->member[j], c->held[j], clusters_closure(c, j),
                          without == NULL ? clusters_closure(c, j) : without);
}

static uint32_t site_of(const block_pass *t, uint32_t record)
{
    return t->sites.site_of == NULL ? 0 : t->sites.site_of[record];
}

/* Are all records of a cluster of one site, and here? */
static bool is_own(const block_pass *t, uint32_t cluster, uint32_t site)
{
    const clusters *c = t->c;
    bool own = c->held[cluster] == c->size[cluster];
    for (uint32_t m = 0; m < c->held[cluster] && own; m++)
        own = site_of(t, c->member[cluster][m]) == site;
    return own;
}

/* Moves a record to the best cluster for it. Step numbers: Algorithm 1 | Algorithm 2 of SEQ. */
static kith_status visit(block_pass *t, uint32_t record, const uint16_t *answer, kith_error *error)
{
    clusters *c = t->c;
    uint32_t j = c->of[record]; /* 3 | 5 */
    if (++t->totals.n_visited % 512 == 0 && t->report != NULL &&
        !t->report(t->user, t->totals.n_visited))
        return error_set(error, KITH_CANCELLED, "stopped while clustering");
    if ((t->keep > 0 && c->size[j] <= t->keep) || !clusters_may_leave(c, record)) /* – | 6 */
        return KITH_OK;
    int32_t remaining = c->cost[j];
    int64_t gain;
    const bool unknown = c->size[j] <= c->min_known && !is_own(t, j, site_of(t, record));
    if (c->size[j] == 1 || (unknown && c->size[j] < c->min_known)) {
        gain = INT64_MAX;
    } else if (unknown) { /* what remains will be withheld: taken to be as wide */
        gain = c->cost[j];
        memcpy(c->without, clusters_closure(c, j), c->slots->stride * sizeof *c->without);
        count_calls(t, record, NULL);
    } else {
        gain = t->collected.answers == NULL ? clusters_gain(c, record, &remaining)
                                            : gain_by_answer(t, record, answer, &remaining);
        count_calls(t, record, c->without);
    }
    uint32_t h = clusters_best(c, record, gain); /* 4-5 | 7-10 */
    if (h == CLUSTER_NONE)                       /* – | 8 */
        return KITH_OK;
    ASSERT(h < c->used && h != j && c->size[h] > 0);
    t->totals.n_moves++;
    t->lost[j] = t->totals.n_blocks;
    t->joined[record] = t->totals.n_blocks;
    TRY(clusters_move(c, record, h, remaining, error)); /* 6-7 | 11-12 */
    if (unknown && c->size[j] > 0)
        clusters_withhold(c, j);
    return KITH_OK;
}

void block_pass_open(block_pass *t, uint32_t site)
{
    clusters *c = t->c;
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        if (c->size[cluster] > 0 && c->size[cluster] < c->min_known && is_own(t, cluster, site))
            clusters_open(c, cluster);
}

void block_pass_close(block_pass *t)
{
    clusters *c = t->c;
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        if (c->size[cluster] > 0 && c->size[cluster] < c->min_known)
            clusters_withhold(c, cluster);
}

kith_status block_pass_reserve(block_pass *t, uint32_t max_clusters, kith_error *error)
{
    const slots *s = t->c->slots;
    size_t max_questions = t->block < s->n_records ? t->block : s->n_records;
    uint16_t **answers = &t->collected.answers;
    t->lost = TRY_ZEROS(t->lost, t->c->memory, max_clusters, error);
    *answers = TRY_ARRAY(*answers, t->c->memory, max_questions * s->stride, error);
    return KITH_OK;
}

void block_pass_begin_turn(block_pass *t, uint32_t site, uint32_t first, uint32_t count)
{
    ASSERT(site < t->sites.count);
    const uint32_t *records = t->sites.records + t->sites.start[site];
    uint32_t all = block_pass_records(t, site);
    ASSERT(count <= all && (count == 0 || first < all));
    for (uint32_t i = 0; i < count; i++)
        t->turn.queue[i] = records[first + i < all ? first + i : first + i - all];
    t->turn.count = count;
    t->turn.next = t->collected.first = t->collected.end = t->collected.n_questions = 0;
}

kith_status block_pass_collect(block_pass *t, kith_error *error)
{
    block_pass_block *b = &t->collected;
    b->n_questions = 0;
    b->first = b->end = t->turn.next;
    for (; b->end < t->turn.count && b->n_questions < t->block; b->end++) {
        uint32_t record = t->turn.queue[b->end];
        bool stays, needs = needs_question(t, record, &stays);
        bool withheld = t->c->size[t->c->of[record]] <= t->c->min_known;
        b->findings[b->end] = needs ? ASKED : stays ? STAYS : withheld ? WITHHELD : FREE;
        if (needs) {
            b->questions[b->n_questions++] = record;
        } else if (b->n_questions == 0) { /* no block is open: visit it at once */
            TRY(visit(t, record, NULL, error));
            b->first = b->end + 1;
        }
    }
    t->totals.n_blocks += b->n_questions > 0;
    t->totals.n_questions += b->n_questions;
    return KITH_OK;
}

kith_status block_pass_visit_collected(block_pass *t, kith_error *error)
{
    const block_pass_block *b = &t->collected;
    ASSERT(t->turn.next <= b->first && b->first <= b->end && b->end <= t->turn.count);
    uint32_t *queue = t->turn.queue, later = b->first, asked = 0;
    for (uint32_t at = b->first; at < b->end; at++) {
        uint32_t record = queue[at];
        bool stays = b->findings[at] == STAYS;
        const uint32_t cluster = t->c->of[record];
        bool changed = t->lost[cluster] == t->totals.n_blocks ||
                       (b->findings[at] == WITHHELD && t->c->size[cluster] > t->c->min_known);
        const uint16_t *answer = NULL;
        if (b->findings[at] == ASKED && b->answers != NULL)
            answer = b->answers + (size_t)asked * t->c->slots->stride;
        asked += b->findings[at] == ASKED;
        if (!stays && changed && needs_question(t, record, &stays)) {
            queue[later++] = record; /* put off */
        } else if (stays) {
            count_calls(t, record, NULL);
            t->totals.n_visited++;
        } else {
            TRY(visit(t, record, changed ? NULL : answer, error));
        }
    }
    ASSERT(asked == b->n_questions);
    uint32_t n_put_off = later - b->first;
    ASSERT(n_put_off == 0 || n_put_off < b->end - b->first); /* the first never is */
    t->totals.n_put_off += n_put_off;
    t->turn.next = b->end - n_put_off;
    memmove(queue + t->turn.next, queue + b->first, n_put_off * sizeof *queue);
    return KITH_OK;
}

bool block_pass_needs(block_pass *t, uint32_t record)
{
    bool stays;
    return needs_question(t, record, &stays);
}

bool block_pass_wanted(block_pass *t, uint32_t record, bool *wanted, uint32_t n_attributes,
                       uint16_t *mine)
{
    const slots *s = t->c->slots;
    const uint16_t *row = slots_row(s, record);
    uint32_t witness;
    memset(wanted, 0, n_attributes * sizeof *wanted);
    ASSERT(t->c->size[t->c->of[record]] > 1); /* it needs a question */
    (void)may_change(t, record, &witness);    /* leaves the edge and L' in the scratch arrays */
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
    for (uint32_t i = 0; t->block == 1 && i < count; i++) /* a block of one: nothing to collect */
        TRY(visit(t, t->turn.queue[i], NULL, error));
    while (t->block > 1 && block_pass_left(t)) {
        TRY(block_pass_collect(t, error));
        TRY(block_pass_visit_collected(t, error));
    }
    return KITH_OK;
}

kith_status block_pass_run(block_pass *t, kith_error *error)
{
    CHECK(clusters_check(t->c));
    t->totals.n_moves = t->totals.n_visited = 0;
    for (uint32_t site = 0; site < t->sites.count; site++)
        TRY(block_pass_lap(t, site, 0, block_pass_records(t, site), error));
    return KITH_OK;
}
