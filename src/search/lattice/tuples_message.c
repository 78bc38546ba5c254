/* Tuples that move between ranks.
 *
 * A message begins with numbers of 4 bytes: how many tuples, the bytes of a weight, and for each
 * list its entries, the bytes of a length and of a count. Then come the leaves, attribute by
 * attribute; the weights; and for each list the lengths, the values and how often each occurs. */
#include "core/error.h"
#include "search/group_by_part.h"
#include "search/lattice/tuples_internal.h"

enum { NUMBER_BYTES = 4, TUPLE_NUMBERS = 2, LIST_NUMBERS = 3 };

/* What a message says of its tuples, or of one list. */
typedef struct message_part {
    uint32_t count, width, times_width;
} message_part;

typedef struct message {
    const tuples *tuples;
    const problem *problem;
    const uint32_t *member; /* [count] tuples that are sent */
    uint32_t count;
} message;

static uint32_t width_of(uint32_t max)
{
    return packed_width((uint64_t)max + 1);
}

static message_part describe_tuples(const message *m)
{
    uint32_t max = 0;
    for (uint32_t i = 0; i < m->count; i++)
        max = m->tuples->weight[m->member[i]] > max ? m->tuples->weight[m->member[i]] : max;
    return (message_part){.count = m->count, .width = width_of(max)};
}

static message_part describe_list(const message *m, uint32_t s)
{
    const uint32_t *first = m->tuples->first[s], *times = m->tuples->times[s];
    uint32_t n_entries = 0, longest = 0, max = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const uint32_t begin = first[m->member[i]], end = first[m->member[i] + 1];
        n_entries += end - begin;
        longest = end - begin > longest ? end - begin : longest;
        for (uint32_t e = begin; e < end; e++)
            max = times[e] > max ? times[e] : max;
    }
    return (message_part){n_entries, width_of(longest), width_of(max)};
}

static size_t tuple_bytes(const problem *p, const message_part *about)
{
    size_t bytes = about->width;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        bytes += tuples_leaf_width(p, j);
    return bytes * about->count + (size_t)TUPLE_NUMBERS * NUMBER_BYTES;
}

static size_t list_bytes(const problem *p, uint32_t s, const message_part *about, uint32_t count)
{
    return (size_t)LIST_NUMBERS * NUMBER_BYTES + (size_t)count * about->width +
           (size_t)about->count * (packed_width(tuples_list_bound(p, s)) + about->times_width);
}

static size_t message_bytes(const message *m)
{
    const message_part head = describe_tuples(m);
    size_t bytes = tuple_bytes(m->problem, &head);
    for (uint32_t s = 0; s < m->tuples->n_lists; s++)
        if (m->tuples->first[s] != NULL) {
            const message_part list = describe_list(m, s);
            bytes += list_bytes(m->problem, s, &list, m->count);
        }
    return bytes;
}

static uint8_t *put(uint8_t *at, uint32_t width, uint32_t value)
{
    packed_put(at, width, 0, value);
    return at + width;
}

static uint8_t *put_lists(uint8_t *at, const message *m, uint32_t s)
{
    const uint32_t *first = m->tuples->first[s];
    const message_part list = describe_list(m, s);
    const uint32_t value_width = packed_width(tuples_list_bound(m->problem, s));
    for (uint32_t i = 0; i < m->count; i++)
        at = put(at, list.width, first[m->member[i] + 1] - first[m->member[i]]);
    for (uint32_t i = 0; i < m->count; i++)
        for (uint32_t e = first[m->member[i]]; e < first[m->member[i] + 1]; e++)
            at = put(at, value_width, m->tuples->value[s][e]);
    for (uint32_t i = 0; i < m->count; i++)
        for (uint32_t e = first[m->member[i]]; e < first[m->member[i] + 1]; e++)
            at = put(at, list.times_width, m->tuples->times[s][e]);
    return at;
}

static void put_message(uint8_t *at, const message *m)
{
    const tuples *t = m->tuples;
    const message_part head = describe_tuples(m);
    at = put(put(at, NUMBER_BYTES, head.count), NUMBER_BYTES, head.width);
    for (uint32_t s = 0; s < t->n_lists; s++)
        if (t->first[s] != NULL) {
            const message_part list = describe_list(m, s);
            at = put(put(at, NUMBER_BYTES, list.count), NUMBER_BYTES, list.width);
            at = put(at, NUMBER_BYTES, list.times_width);
        }
    for (uint32_t j = 0; j < t->n_attributes; j++)
        for (uint32_t i = 0, width = tuples_leaf_width(m->problem, j); i < m->count; i++)
            at = put(at, width, tuples_leaf(t, m->member[i], j));
    for (uint32_t i = 0; i < m->count; i++)
        at = put(at, head.width, t->weight[m->member[i]]);
    for (uint32_t s = 0; s < t->n_lists; s++)
        if (t->first[s] != NULL)
            at = put_lists(at, m, s);
}

static const uint8_t *get(const uint8_t *at, uint32_t width, uint32_t *to, size_t n, size_t step)
{
    for (size_t i = 0; i < n; i++)
        to[i * step] = packed_get(at, width, i);
    return at + n * width;
}

/* The number `i` of a message's beginning. */
static uint32_t number(const crew_bytes *from, uint32_t i)
{
    return packed_get(from->bytes, NUMBER_BYTES, i);
}

/* Appends the tuples of one message. */
static void take_message(tuples *all, const crew_bytes *from, const problem *p)
{
    const uint32_t n = number(from, 0), before = all->count;
    uint32_t about = TUPLE_NUMBERS;
    const uint8_t *at = from->bytes;
    for (uint32_t s = 0; s < all->n_lists; s++)
        about += all->first[s] != NULL ? LIST_NUMBERS : 0;
    at += (size_t)about * NUMBER_BYTES;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        at = get(at, tuples_leaf_width(p, j), all->leaf + (size_t)before * p->n_attributes + j, n,
                 p->n_attributes);
    at = get(at, number(from, 1), all->weight + before, n, 1);
    about = TUPLE_NUMBERS;
    for (uint32_t s = 0; s < all->n_lists; s++) {
        if (all->first[s] == NULL)
            continue;
        const uint32_t n_entries = number(from, about);
        uint32_t *ends = all->first[s] + before + 1;
        const uint32_t offset = all->first[s][before];
        at = get(at, number(from, about + 1), ends, n, 1);
        for (uint32_t i = 0; i < n; i++)
            ends[i] += i == 0 ? offset : ends[i - 1];
        at = get(at, packed_width(tuples_list_bound(p, s)), all->value[s] + offset, n_entries, 1);
        at = get(at, number(from, about + 2), all->times[s] + offset, n_entries, 1);
        about += LIST_NUMBERS;
    }
    all->count += n;
}

/* Takes the messages of all ranks. `like` has the same lists. */
static kith_status take_messages(tuples *all, uint32_t *before, const crew_bytes *from,
                                 const tuples *like, const problem *p, crew *ranks, arena *memory,
                                 kith_error *error)
{
    const uint32_t n_ranks = crew_size(ranks);
    size_t n = 0;
    for (uint32_t r = 0; r < n_ranks; r++)
        n += number(&from[r], 0);
    *all = *like;
    all->count = 0;
    all->leaf = TRY_ALLOC(arena_array(memory, n * p->n_attributes, sizeof *all->leaf), error);
    all->weight = TRY_ALLOC(arena_array(memory, n, sizeof *all->weight), error);
    TRY(tuples_make_lists(all, memory, error));
    for (uint32_t s = 0, about = TUPLE_NUMBERS; s < all->n_lists; s++) {
        if (like->first[s] == NULL)
            continue;
        size_t n_entries = 0;
        for (uint32_t r = 0; r < n_ranks; r++)
            n_entries += number(&from[r], about);
        TRY(tuples_make_list(all, s, n, n_entries, memory, error));
        about += LIST_NUMBERS;
    }
    for (uint32_t r = 0; r < n_ranks; r++) {
        if (r == crew_rank(ranks))
            *before = all->count;
        take_message(all, &from[r], p);
    }
    return KITH_OK;
}

/* Writes the message of some tuples. */
static kith_status make_message(crew_bytes *bytes, const tuples *t, const problem *p,
                                const uint32_t *member, uint32_t count, arena *memory,
                                kith_error *error)
{
    const message m = {t, p, member, count};
    bytes->n_bytes = message_bytes(&m);
    bytes->bytes = TRY_ALLOC(arena_alloc(memory, bytes->n_bytes), error);
    put_message(bytes->bytes, &m);
    return KITH_OK;
}

kith_status tuples_send(tuples *all, uint32_t *before, const tuples *own, const uint32_t *to,
                        const problem *p, crew *ranks, arena *memory, kith_error *error)
{
    const uint32_t n_ranks = crew_size(ranks);
    crew_bytes *out = TRY_ALLOC(arena_zalloc(memory, n_ranks, sizeof *out), error);
    crew_bytes *in = TRY_ALLOC(arena_zalloc(memory, n_ranks, sizeof *in), error);
    uint32_t *member = TRY_ALLOC(arena_array(memory, own->count, sizeof *member), error);
    if (to == NULL) {
        for (uint32_t u = 0; u < own->count; u++)
            member[u] = u;
        TRY(make_message(out, own, p, member, own->count, memory, error));
        TRY(crew_gather(ranks, out->bytes, out->n_bytes, in, memory, error));
    } else {
        uint32_t *start = TRY_ALLOC(arena_array(memory, (size_t)n_ranks + 2, sizeof *start), error);
        group_by_part(member, start, to, n_ranks, NULL, own->count);
        for (uint32_t r = 0; r < n_ranks; r++)
            TRY(make_message(&out[r], own, p, member + start[r], start[r + 1] - start[r], memory,
                             error));
        TRY(crew_exchange(ranks, out, in, memory, error));
    }
    return take_messages(all, before, in, own, p, ranks, memory, error);
}
