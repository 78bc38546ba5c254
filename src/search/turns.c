#include "search/turns.h"

#include <string.h>

#include "core/error.h"

static kith_status sort_by_site(turns *t, uint32_t records, kith_error *error)
{
    uint32_t sites = 1;
    for (uint32_t i = 0; t->site != NULL && i < records; i++) {
        if (t->site[i] >= records)
            return error_set(error, KITH_INVALID,
                             "record %u has site %u, but there are only %u "
                             "records",
                             i, t->site[i], records);
        sites = t->site[i] >= sites ? t->site[i] + 1 : sites;
    }
    t->sites = sites;
    t->start = arena_zalloc(t->c->memory, (size_t)sites + 2, sizeof *t->start);
    TRY_ALLOC(t->start, error);
    for (uint32_t i = 0; i < records; i++)
        t->start[(t->site == NULL ? 0 : t->site[i]) + 2]++;
    for (uint32_t s = 0; s < sites; s++)
        t->start[s + 2] += t->start[s + 1];
    for (uint32_t i = 0; i < records; i++)
        t->record[t->start[(t->site == NULL ? 0 : t->site[i]) + 1]++] = i;
    return KITH_OK;
}

kith_status turns_init(turns *t, clusters *c, const uint32_t *site, uint32_t block,
                       kith_error *error)
{
    size_t records = c->slots->records;
    *t = (turns){.c = c, .site = site, .block = block > 0 ? block : 1};
    t->record = arena_array(c->memory, records + 1, sizeof *t->record);
    t->queue = arena_array(c->memory, records + 1, sizeof *t->queue);
    t->stays = arena_array(c->memory, records + 1, sizeof *t->stays);
    t->lost = arena_zalloc(c->memory, records + 2, sizeof *t->lost); /* ids are reused */
    t->local = arena_array(c->memory, c->slots->stride, sizeof *t->local);
    TRY_ALLOC(t->record, error);
    TRY_ALLOC(t->queue, error);
    TRY_ALLOC(t->stays, error);
    TRY_ALLOC(t->lost, error);
    t->edge = arena_zalloc(c->memory, c->slots->stride, sizeof *t->edge);
    TRY_ALLOC(t->local, error);
    TRY_ALLOC(t->edge, error);
    return sort_by_site(t, (uint32_t)records, error);
}

static const uint16_t *joint_closure(const turns *t, uint32_t cluster)
{
    return t->c->closure + (uint64_t)cluster * t->c->slots->stride;
}

/* Another record of the same site in the same cluster? */
static bool is_mate(const turns *t, uint32_t other, uint32_t record)
{
    return other != record && (t->site == NULL || t->site[other] == t->site[record]);
}

/* In every attribute one level decides: the highest that the joint closure has given up. If the
 * site's records agree there, others do not agree with them, there or below; so something can come
 * back only where the record alone keeps them from agreeing. Returns false if nothing has been
 * given up. */
static bool mark_edges(turns *t, const uint16_t *joint)
{
    const slots *s = t->c->slots;
    bool any = false;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t above = s->slot[i].above;
        bool edge = joint[i] == SLOT_NONE && (above == SLOT_TOP || joint[above] != SLOT_NONE);
        t->edge[i] = edge ? UINT16_MAX : 0;
        any |= edge;
    }
    return any;
}

/* Widens t->local by a mate of the record; tells whether something could come back. Widening never
 * makes that true again, so the search may end. */
static bool widen_local(turns *t, const uint16_t *row, uint32_t mate)
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
static bool may_change(turns *t, uint32_t record, uint32_t *witness)
{
    const clusters *c = t->c;
    uint32_t cluster = c->of[record];
    const uint32_t *member = c->member[cluster];
    const uint16_t *row = slots_row(c->slots, record);
    bool may = mark_edges(t, joint_closure(t, cluster));
    *witness = CLUSTER_NONE;
    for (uint32_t m = 0; m < c->size[cluster] && may; m++) {
        if (!is_mate(t, member[m], record))
            continue;
        if (*witness == CLUSTER_NONE)
            slots_start(c->slots, t->local, *witness = member[m]);
        may = widen_local(t, row, member[m]);
    }
    return may;
}

/* The least that each record left behind could cost; t->local is L'. */
static int32_t least_remaining(turns *t, uint32_t record, uint32_t witness)
{
    const slots *s = t->c->slots;
    if (witness == CLUSTER_NONE || !s->monotone)
        return 0;
    const uint16_t *joint = joint_closure(t, t->c->of[record]), *row = slots_row(s, record);
    for (uint32_t i = 0; i < s->count; i++) {
        bool back = t->edge[i] != 0 ? t->local[i] != row[i]
                                    : joint[i] == SLOT_NONE && t->edge[s->slot[i].above] != 0;
        t->edge[i] = back ? UINT16_MAX : 0; /* from here on: what may come back */
        t->local[i] = back ? t->local[i] : joint[i];
    }
    return slots_cost(s, t->local, witness);
}

/* As the header says; *stays tells whether that settles where the record belongs. */
static bool needs_question(turns *t, uint32_t record, bool *stays)
{
    clusters *c = t->c;
    uint32_t cluster = c->of[record], size = c->size[cluster], witness;
    *stays = false;
    if (size == 1)
        return false;
    *stays = c->admit->conditions > 0 && !admit_leave(c->admit, c->member[cluster], size, record);
    if (*stays || !may_change(t, record, &witness))
        return false;
    int64_t least = least_remaining(t, record, witness);
    int64_t most = (int64_t)c->cost[cluster] * size - least * (size - 1);
    *stays = clusters_best(c, record, most) == CLUSTER_NONE;
    return !*stays;
}

/* Step numbers: Algorithm 1 | Algorithm 2 of SEQ. */
static kith_status visit(turns *t, uint32_t record, kith_error *error)
{
    clusters *c = t->c;
    uint32_t j = c->of[record]; /* 3 | 5 */
    if (++t->visited % 512 == 0 && t->report != NULL && !t->report(t->user, t->visited))
        return error_set(error, KITH_CANCELLED, "stopped while clustering");
    if (c->admit->conditions > 0 && /* – | 6 */
        !admit_leave(c->admit, c->member[j], c->size[j], record))
        return KITH_OK;
    int32_t remaining;
    bool singleton = c->size[j] == 1;
    int64_t gain = clusters_gain(c, record, &remaining);
    uint32_t h = clusters_best(c, record, singleton ? INT64_MAX : gain); /* 4-5 | 7-10 */
    if (h == CLUSTER_NONE)                                               /* – | 8 */
        return KITH_OK;
    t->moves++;
    t->lost[j] = t->blocks;
    return clusters_move(c, record, h, remaining, error); /* 6-7 | 11-12 */
}

/* Steps 1 and 2 of the header, from queue[from]: visits until a block opens, then collects.
 * queue[*first … *end-1] are the block. */
static kith_status collect(turns *t, uint32_t from, uint32_t count, uint32_t *first, uint32_t *end,
                           kith_error *error)
{
    uint32_t asked = 0;
    for (*first = *end = from; *end < count && asked < t->block; ++*end) {
        if (needs_question(t, t->queue[*end], &t->stays[*end]))
            asked++;
        else if (asked == 0) {
            TRY(visit(t, t->queue[*end], error));
            *first = *end + 1;
        }
    }
    t->blocks += asked > 0;
    t->questions += asked;
    return KITH_OK;
}

/* Step 3. *from becomes the place from which the turn goes on, with those put off in front. */
static kith_status settle(turns *t, uint32_t first, uint32_t end, uint32_t *from, kith_error *error)
{
    uint32_t later = first;
    for (uint32_t at = first; at < end; at++) {
        uint32_t record = t->queue[at];
        bool stays = false;
        if (t->stays[at])
            t->visited++;
        else if (t->lost[t->c->of[record]] == t->blocks && needs_question(t, record, &stays))
            t->queue[later++] = record;
        else
            TRY(visit(t, record, error));
    }
    t->put_off += later - first;
    *from = end - (later - first);
    memmove(t->queue + *from, t->queue + first, (later - first) * sizeof *t->queue);
    return KITH_OK;
}

static kith_status turn(turns *t, uint32_t count, kith_error *error)
{
    uint32_t from = 0, first, end;
    while (from < count) {
        TRY(collect(t, from, count, &first, &end, error));
        TRY(settle(t, first, end, &from, error));
    }
    return KITH_OK;
}

kith_status turns_pass(turns *t, kith_error *error)
{
    t->moves = t->visited = 0;
    for (uint32_t s = 0; s < t->sites; s++) {
        uint32_t from = t->start[s], count = t->start[s + 1] - from;
        if (t->block > 1) {
            memcpy(t->queue, t->record + from, count * sizeof *t->queue);
            TRY(turn(t, count, error));
        }
        for (uint32_t i = 0; t->block == 1 && i < count; i++) /* nothing to collect */
            TRY(visit(t, t->record[from + i], error));
    }
    return KITH_OK;
}
