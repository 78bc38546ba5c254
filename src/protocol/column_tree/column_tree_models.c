/* B and C where models look at sensitive values. The pivot, who holds these, learns alone who has
 * the best offer, and asks that party for its split. It answers one bit, whether all parts keep the
 * models; if not, that party gives more to the rest and shows the split again. So it goes on until
 * no open offer is above the best split that the pivot accepted. The others learn the result. */
#include <string.h>

#include "core/error.h"
#include "protocol/column_tree/column_tree_bid.h"
#include "smc/smc.h"

static const message_type asked_type = {"column.asked", DISCLOSE_CHOICE};   /* message 8 */
static const message_type reply_type = {"column.reply", DISCLOSE_CHOICE};   /* message 9 */
static const message_type split_type = {"column.split", DISCLOSE_CHOICE};   /* message 10 */
static const message_type answer_type = {"column.answer", DISCLOSE_CHOICE}; /* message 11 */
static const message_type owners_type = {"column.owners", DISCLOSE_CHOICE}; /* message 12 */

enum { REST = COLUMN_TREE_IN_REST };

/* The sets that are being discussed with one party: at the pivot those of every party, elsewhere
 * one's own. */
typedef struct talk {
    size_t *sets; /* [count] numbers of open sets, ascending */
    size_t count;
    uint8_t *replies; /* [count] 1: a split follows; 0: the accepted one stands, or no loan */
    uint8_t *parts;   /* of all splits that follow, one after the other */
    size_t n_parts;
    uint8_t *answers; /* [count] 1: all parts keep the models */
} talk;

typedef struct talks {
    column_tree *w;
    uint32_t m, self, pivot;
    column_tree_bid *bids; /* [open sets] this party's */
    uint32_t *owner;       /* [open sets] at the pivot: the winner of this round */
    bool *final;           /* [open sets] at the pivot */
    talk *talk;            /* [m] */
    arena *step, *round;
} talks;

static const column_tree_set *set_at(const talks *t, size_t i)
{
    return &t->w->open.items[i];
}

/* --- the pivot's judgement --- */

/* A split from another party: every part has k records, and those but the largest enough of them.
 */
static kith_status check_parts(const talks *t, uint32_t from, const column_tree_set *n,
                               const uint8_t *parts, kith_error *error)
{
    uint32_t count[REST + 1] = {0}, largest = 0;
    bool good = true;
    for (uint32_t i = 0; good && i < n->size; i++) {
        good = parts[i] <= REST;
        if (good)
            count[parts[i]]++;
    }
    for (uint32_t p = 0; good && p <= REST; p++) {
        good = count[p] == 0 || count[p] >= t->w->k;
        largest = count[p] > largest ? count[p] : largest;
    }
    if (!good)
        return party_protocol_error(t->w->party, from, error,
                                    "proposed parts that cannot be classes");
    if (!column_tree_score_may_ask(largest, n->size, t->w->k))
        return party_protocol_error(t->w->party, from, error, "asks about too few records");
    return KITH_OK;
}

/* The answer: one bit for the whole split, so that no part is named. */
static bool all_fit(const talks *t, const column_tree_set *n, const uint8_t *parts)
{
    uint32_t *sorted = t->w->spare, start[REST + 2];
    /* The records sorted by part: start[p] … start[p + 1] - 1 are those of part p. */
    uint32_t to[REST + 1];
    memset(start, 0, (REST + 2) * sizeof *start);
    for (uint32_t i = 0; i < n->size; i++)
        start[parts[i] + 1]++;
    for (uint32_t p = 0; p <= REST; p++)
        start[p + 1] += start[p];
    memcpy(to, start, sizeof to);
    for (uint32_t i = 0; i < n->size; i++)
        sorted[to[parts[i]]++] = t->w->members[n->first + i];
    for (uint32_t p = 0; p <= REST; p++)
        if (start[p + 1] > start[p] &&
            !class_rules_allow(&t->w->rules, sorted + start[p], start[p + 1] - start[p]))
            return false;
    return true;
}

/* --- this party's splits --- */

static kith_status column_tree_models_show(const talks *t, talk *k, kith_error *error)
{
    k->n_parts = 0;
    for (size_t i = 0; i < k->count; i++)
        k->n_parts += k->replies[i] ? set_at(t, k->sets[i])->size : 0;
    k->parts = TRY_ALLOC(arena_array(t->round, k->n_parts + 1, 1), error);
    uint8_t *to = k->parts;
    for (size_t i = 0; i < k->count; i++)
        if (k->replies[i]) {
            column_tree_bid_show(&t->bids[k->sets[i]], to, set_at(t, k->sets[i]));
            to += set_at(t, k->sets[i])->size;
        }
    return KITH_OK;
}

static kith_status propose(const talks *t, talk *k, kith_error *error)
{
    for (size_t i = 0; i < k->count; i++) {
        bool is_new;
        TRY(party_poll(t->w->party, error));
        TRY(column_tree_bid_propose(t->w, &t->bids[k->sets[i]], set_at(t, k->sets[i]), &is_new,
                                    t->round, error));
        k->replies[i] = is_new;
    }
    return column_tree_models_show(t, k, error);
}

static kith_status lend(const talks *t, talk *k, kith_error *error)
{
    for (size_t i = 0; i < k->count; i++) {
        bool lends;
        TRY(party_poll(t->w->party, error));
        TRY(column_tree_bid_lend(t->w, &t->bids[k->sets[i]], set_at(t, k->sets[i]), &lends,
                                 t->round, error));
        k->replies[i] = lends;
    }
    return column_tree_models_show(t, k, error);
}

/* --- messages --- */

/* What party j says, to the pivot. */
static kith_status hear(const talks *t, uint32_t j, talk *k, kith_error *error)
{
    party *p = t->w->party;
    if (t->self == j && j == t->pivot)
        return KITH_OK;
    if (t->self == j) {
        TRY(smc_send(p, t->pivot, &reply_type, k->replies, k->count, error));
        return k->n_parts == 0 ? KITH_OK
                               : smc_send(p, t->pivot, &split_type, k->parts, k->n_parts, error);
    }
    TRY(smc_recv(p, j, &reply_type, k->replies, k->count, error));
    k->n_parts = 0;
    for (size_t i = 0; i < k->count; i++)
        k->n_parts += k->replies[i] ? set_at(t, k->sets[i])->size : 0;
    k->parts = TRY_ALLOC(arena_array(t->round, k->n_parts + 1, 1), error);
    if (k->n_parts == 0)
        return KITH_OK;
    TRY(smc_recv(p, j, &split_type, k->parts, k->n_parts, error));
    party_learns(p, DISCLOSE_CHOICE, "proposed parts", k->n_parts);
    const uint8_t *at = k->parts;
    for (size_t i = 0; i < k->count; i++)
        if (k->replies[i]) {
            TRY(check_parts(t, j, set_at(t, k->sets[i]), at, error));
            at += set_at(t, k->sets[i])->size;
        }
    return KITH_OK;
}

/* What the pivot answers to party j. */
static kith_status column_tree_models_answer(const talks *t, uint32_t j, talk *k, kith_error *error)
{
    party *p = t->w->party;
    if (t->self == t->pivot) {
        const uint8_t *at = k->parts;
        for (size_t i = 0; i < k->count; i++) {
            const column_tree_set *n = set_at(t, k->sets[i]);
            k->answers[i] = 0;
            if (!k->replies[i])
                continue;
            TRY(party_poll(p, error));
            k->answers[i] = all_fit(t, n, at);
            at += n->size;
        }
        return j == t->pivot ? KITH_OK : smc_send(p, j, &answer_type, k->answers, k->count, error);
    }
    TRY(smc_recv(p, t->pivot, &answer_type, k->answers, k->count, error));
    party_learns(p, DISCLOSE_CHOICE, "answers of the pivot", k->count);
    return KITH_OK;
}

/* One exchange with all parties that are asked: at the pivot all of them, elsewhere oneself. */
static kith_status column_tree_models_exchange(talks *t, bool loans, kith_error *error)
{
    const uint32_t first = t->self == t->pivot ? 0 : t->self;
    const uint32_t end = t->self == t->pivot ? t->m : t->self + 1;
    if (t->talk[t->self].count > 0)
        TRY(loans ? lend(t, &t->talk[t->self], error) : propose(t, &t->talk[t->self], error));
    for (uint32_t j = first; j < end; j++)
        if (t->talk[j].count > 0)
            TRY(hear(t, j, &t->talk[j], error));
    for (uint32_t j = first; j < end; j++) {
        talk *k = &t->talk[j];
        if (k->count == 0)
            continue;
        TRY(column_tree_models_answer(t, j, k, error));
        for (size_t i = 0; j == t->self && i < k->count; i++)
            if (k->replies[i] && k->answers[i]) /* the split may be made */
                TRY(column_tree_bid_granted(t->w, &t->bids[k->sets[i]], set_at(t, k->sets[i]),
                                            t->step, error));
        for (size_t i = 0; !loans && t->self == t->pivot && i < k->count; i++)
            t->final[k->sets[i]] = !k->replies[i];
        /* The sets whose split was refused go on. Both sides come to the same. */
        size_t count = 0;
        for (size_t i = 0; i < k->count; i++)
            if (k->replies[i] && !k->answers[i])
                k->sets[count++] = k->sets[i];
        k->count = count;
    }
    return KITH_OK;
}

static bool talks_go_on(const talks *t)
{
    bool any = false;
    for (uint32_t j = 0; j < t->m; j++)
        any |= (t->self == t->pivot || j == t->self) && t->talk[j].count > 0;
    return any;
}

/* The pivot asks the winners of this round. *over: no party is left to ask, and the owners follow.
 */
static kith_status column_tree_models_ask(talks *t, bool *over, kith_error *error)
{
    party *p = t->w->party;
    const size_t n_sets = t->w->open.count, words = smc_words(n_sets) + 1;
    uint64_t *asked = TRY_ZEROS(asked, t->round, words, error);
    *over = true;
    if (t->self == t->pivot)
        for (size_t i = 0; i < n_sets; i++) {
            t->final[i] |= t->owner[i] == COLUMN_TREE_NOBODY;
            *over &= t->final[i];
        }
    for (uint32_t j = 0; j < t->m; j++) {
        talk *k = &t->talk[j];
        if (t->self != t->pivot && j != t->self)
            continue;
        memset(asked, 0, words * sizeof *asked);
        for (size_t i = 0; t->self == t->pivot && i < n_sets; i++)
            smc_set_bit(asked, i, !t->final[i] && t->owner[i] == j);
        asked[words - 1] = *over;
        if (t->self == t->pivot && j != t->pivot)
            TRY(smc_send(p, j, &asked_type, asked, words * sizeof *asked, error));
        if (t->self != t->pivot) {
            TRY(smc_recv(p, t->pivot, &asked_type, asked, words * sizeof *asked, error));
            party_learns(p, DISCLOSE_CHOICE, "asked for a split", n_sets);
        }
        *over = asked[words - 1] != 0;
        *k = (talk){0};
        k->sets = TRY_ARRAY(k->sets, t->round, n_sets, error);
        for (size_t i = 0; i < n_sets; i++)
            if (smc_bit(asked, i))
                k->sets[k->count++] = i;
        k->replies = TRY_ALLOC(arena_zalloc(t->round, k->count + 1, 1), error);
        k->answers = TRY_ALLOC(arena_zalloc(t->round, k->count + 1, 1), error);
    }
    return KITH_OK;
}

/* A round of offers, proposals and loans. A set whose winner says that its accepted split stands is
 * final; it takes part in further rounds all the same, so that no party sees which sets wait. */
static kith_status play_round(talks *t, bool *over, kith_error *error)
{
    const size_t n_sets = t->w->open.count;
    uint32_t *winner = TRY_ARRAY(winner, t->round, n_sets, error);
    column_tree_offer *mine = TRY_ARRAY(mine, t->round, n_sets, error);
    for (size_t i = 0; i < n_sets; i++)
        mine[i] = column_tree_bid_best(t->w, &t->bids[i]);
    TRY(column_tree_choose(t->w, winner, mine, t->pivot, error));
    for (size_t i = 0; t->self == t->pivot && i < n_sets; i++)
        if (!t->final[i])
            t->owner[i] = winner[i];
    TRY(column_tree_models_ask(t, over, error));
    TRY(column_tree_models_exchange(t, false, error));
    /* Every new form of a split has k records more in the rest. So the parties whose splits are
     * still discussed after that many loans do not lend. */
    const uint32_t max = t->w->problem->n_records / t->w->k + 1;
    for (uint32_t n_loans = 0; talks_go_on(t); n_loans++) {
        for (uint32_t j = 0; n_loans > max && j < t->m; j++)
            if (t->talk[j].count > 0)
                return party_protocol_error(t->w->party, j, error, "lends without end");
        TRY(column_tree_models_exchange(t, true, error));
    }
    return KITH_OK;
}

/* Every round takes one attribute at least from the offers for each set that is not final, so that
 * all sets are final after n_all + 1 rounds, and the next one says so. The pivot sees first that a
 * party goes on. */
static kith_status check_rounds(const talks *t, uint64_t n_rounds, kith_error *error)
{
    if (n_rounds <= (uint64_t)t->w->task->n_all + 2 + (t->self != t->pivot))
        return KITH_OK;
    if (t->self == t->pivot)
        return error_set(error, KITH_PEER, "a party proposes more splits than it has attributes");
    return party_protocol_error(t->w->party, t->pivot, error,
                                "asks for more splits than there are attributes");
}

/* The pivot tells all parties the owners. */
static kith_status tell_owners(const talks *t, kith_error *error)
{
    party *p = t->w->party;
    const size_t n_sets = t->w->open.count, length = n_sets * sizeof *t->owner;
    if (t->self == t->pivot) {
        for (uint32_t j = 0; j < t->m; j++)
            if (j != t->pivot)
                TRY(smc_send(p, j, &owners_type, t->owner, length, error));
        return KITH_OK;
    }
    TRY(smc_recv(p, t->pivot, &owners_type, t->owner, length, error));
    party_learns(p, DISCLOSE_CHOICE, "owners of sets", n_sets);
    for (size_t i = 0; i < n_sets; i++)
        if (t->owner[i] != COLUMN_TREE_NOBODY &&
            (t->owner[i] >= t->m || (t->owner[i] == t->self && t->bids[i].value == 0)))
            return party_protocol_error(p, t->pivot, error, "named an impossible owner");
    return KITH_OK;
}

kith_status column_tree_models(column_tree *w, uint32_t *owner, uint8_t **mine, uint32_t *side,
                               arena *scratch, kith_error *error)
{
    const size_t n_sets = w->open.count;
    talks t = {.w = w,
               .m = party_count(w->party),
               .self = party_self(w->party),
               .pivot = w->task->pivot,
               .owner = owner,
               .step = scratch};
    bool over = false;
    t.bids = TRY_ZEROS(t.bids, scratch, n_sets, error);
    t.final = TRY_ZEROS(t.final, scratch, n_sets, error);
    t.talk = TRY_ZEROS(t.talk, scratch, t.m, error);
    for (size_t i = 0; i < n_sets; i++) {
        column_tree_slot slot;
        t.bids[i].scores = TRY_ALLOC(arena_zalloc(scratch, w->n_sides + (size_t)1, 1), error);
        TRY(party_poll(w->party, error));
        for (uint32_t s = 0; s < w->n_sides; s++) {
            slot.side = s;
            column_tree_offer_slot(w, &slot, &w->open.items[i]);
            t.bids[i].scores[s] = (uint8_t)slot.score;
        }
    }
    for (uint64_t n_rounds = 1; !over; n_rounds++) {
        TRY(check_rounds(&t, n_rounds, error));
        arena *round ARENA_SCOPED = TRY_ALLOC(arena_new_like(w->memory), error);
        t.round = round;
        TRY(play_round(&t, &over, error));
    }
    TRY(tell_owners(&t, error));
    for (size_t i = 0; i < n_sets; i++) {
        mine[i] = t.bids[i].branch;
        side[i] = t.bids[i].side;
    }
    return KITH_OK;
}
