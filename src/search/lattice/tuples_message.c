/* Tuples that move between ranks.
 *
 * A message begins with numbers of 4 bytes: how many tuples, the bytes of a weight, and for each
 * list its entries, the bytes of a length and of a count. Then come the leaves, attribute by
 * attribute; the weights; and for each list the lengths, the values and how often each occurs. */
#include "core/bytes.h"
#include "core/error.h"
#include "core/group_by_part.h"
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
    return (message_part){n_entries, bytes_width(longest), bytes_width(max)};
}

static void put_part(bytes_writer *w, const message_part *part, uint32_t n_numbers)
{
    const uint32_t numbers[LIST_NUMBERS] = {part->count, part->width, part->times_width};
    for (uint32_t i = 0; i < n_numbers; i++)
        bytes_write_number(w, numbers[i], NUMBER_BYTES);
}

/* `lists` has room for what is said of each list. */
static void put_message(bytes_writer *w, const message *m, message_part *lists)
{
    const tuples *t = m->tuples;
    uint32_t max = 0;
    for (uint32_t i = 0; i < m->count; i++)
        max = t->weight[m->member[i]] > max ? t->weight[m->member[i]] : max;
    const message_part head = {.count = m->count, .width = bytes_width(max)};
    put_part(w, &head, TUPLE_NUMBERS);
    for (uint32_t s = 0; s < t->n_lists; s++)
        if (t->first[s] != NULL) {
            lists[s] = describe_list(m, s);
            put_part(w, &lists[s], LIST_NUMBERS);
        }
    for (uint32_t j = 0; j < t->n_attributes; j++)
        for (uint32_t i = 0, width = tuples_leaf_width(m->problem, j); i < m->count; i++)
            bytes_write_number(w, tuples_leaf(t, m->member[i], j), width);
    for (uint32_t i = 0; i < m->count; i++)
        bytes_write_number(w, t->weight[m->member[i]], head.width);
    for (uint32_t s = 0; s < t->n_lists; s++)
        if (t->first[s] != NULL) {
            const uint32_t *first = m->tuples->first[s];
            const uint32_t value_width = bytes_width(tuples_list_bound(m->problem, s) - 1);
            for (uint32_t i = 0; i < m->count; i++)
                bytes_write_number(w, first[m->member[i] + 1] - first[m->member[i]],
                                   lists[s].width);
            for (uint32_t i = 0; i < m->count; i++)
                for (uint32_t e = first[m->member[i]]; e < first[m->member[i] + 1]; e++)
                    bytes_write_number(w, m->tuples->value[s][e], value_width);
            for (uint32_t i = 0; i < m->count; i++)
                for (uint32_t e = first[m->member[i]]; e < first[m->member[i] + 1]; e++)
                    bytes_write_number(w, m->tuples->times[s][e], lists[s].times_width);
        }
}

/* What has come from one rank. */
typedef struct incoming {
    bytes_reader in;
    message_part head, *lists; /* [n_lists]; all 0 where `like` has no list */
} incoming;

static message_part get_part(bytes_reader *in, uint32_t n_numbers)
{
    uint32_t numbers[LIST_NUMBERS] = {0};
    for (uint32_t i = 0; i < n_numbers; i++)
        numbers[i] = (uint32_t)bytes_read(in, NUMBER_BYTES);
    return (message_part){numbers[0], numbers[1], numbers[2]};
}

static void get(bytes_reader *in, uint32_t width, uint32_t *to, size_t n, size_t step)
{
    for (size_t i = 0; i < n; i++)
        to[i * step] = (uint32_t)bytes_read(in, width);
}

/* Appends the tuples of one message. */
static void take_message(tuples *all, incoming *from, const problem *p)
{
    const uint32_t n = from->head.count, before = all->count;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        get(&from->in, tuples_leaf_width(p, j), all->leaf + (size_t)before * p->n_attributes + j, n,
            p->n_attributes);
    get(&from->in, from->head.width, all->weight + before, n, 1);
    for (uint32_t s = 0; s < all->n_lists; s++) {
        if (all->first[s] == NULL)
            continue;
        const message_part *list = &from->lists[s];
        uint32_t *ends = all->first[s] + before + 1;
        const uint32_t offset = all->first[s][before];
        get(&from->in, list->width, ends, n, 1);
        for (uint32_t i = 0; i < n; i++)
            ends[i] += i == 0 ? offset : ends[i - 1];
        get(&from->in, bytes_width(tuples_list_bound(p, s) - 1), all->value[s] + offset,
            list->count, 1);
        get(&from->in, list->times_width, all->times[s] + offset, list->count, 1);
    }
    all->count += n;
    ASSERT(bytes_read_all(&from->in));
}

/* Takes the messages of all ranks. `like` has the same lists. */
static kith_status take_messages(tuples *all, uint32_t *before, const ranks_bytes *bytes,
                                 const tuples *like, const problem *p, kith_ranks *ranks,
                                 arena *memory, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(ranks);
    incoming *from = TRY_ALLOC(arena_array(memory, n_ranks, sizeof *from), error);
    size_t n = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        incoming *one = &from[r];
        *one = (incoming){.in = {.at = bytes[r].bytes, .left = bytes[r].n_bytes}};
        one->head = get_part(&one->in, TUPLE_NUMBERS);
        one->lists = TRY_ALLOC(arena_zalloc(memory, like->n_lists, sizeof *one->lists), error);
        for (uint32_t s = 0; s < like->n_lists; s++)
            if (like->first[s] != NULL)
                one->lists[s] = get_part(&one->in, LIST_NUMBERS);
        n += from[r].head.count;
    }
    *all = *like;
    all->count = 0;
    all->leaf = TRY_ALLOC(arena_array(memory, n * p->n_attributes, sizeof *all->leaf), error);
    all->weight = TRY_ALLOC(arena_array(memory, n, sizeof *all->weight), error);
    TRY(tuples_make_lists(all, memory, error));
    for (uint32_t s = 0; s < all->n_lists; s++) {
        if (like->first[s] == NULL)
            continue;
        size_t n_entries = 0;
        for (uint32_t r = 0; r < n_ranks; r++)
            n_entries += from[r].lists[s].count;
        TRY(tuples_make_list(all, s, n, n_entries, memory, error));
    }
    for (uint32_t r = 0; r < n_ranks; r++) {
        if (r == ranks_self(ranks))
            *before = all->count;
        take_message(all, &from[r], p);
    }
    return KITH_OK;
}

/* Writes the message of some tuples. */
static kith_status make_message(ranks_bytes *bytes, const tuples *t, const problem *p,
                                const uint32_t *member, uint32_t count, arena *memory,
                                kith_error *error)
{
    const message m = {t, p, member, count};
    bytes_writer w = {.memory = memory};
    message_part *lists = TRY_ALLOC(arena_array(memory, t->n_lists, sizeof *lists), error);
    put_message(&w, &m, lists);
    *bytes = (ranks_bytes){w.bytes, w.length};
    return bytes_written(&w, error);
}

kith_status tuples_send(tuples *all, uint32_t *before, const tuples *own, const uint32_t *to,
                        const problem *p, kith_ranks *ranks, arena *memory, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(ranks);
    ranks_bytes *out = TRY_ALLOC(arena_zalloc(memory, n_ranks, sizeof *out), error);
    ranks_bytes *in = TRY_ALLOC(arena_zalloc(memory, n_ranks, sizeof *in), error);
    uint32_t *member = TRY_ALLOC(arena_array(memory, own->count, sizeof *member), error);
    if (to == NULL) {
        for (uint32_t u = 0; u < own->count; u++)
            member[u] = u;
        TRY(make_message(out, own, p, member, own->count, memory, error));
        TRY(ranks_gather(ranks, out->bytes, out->n_bytes, in, memory, error));
    } else {
        uint32_t *start = TRY_ALLOC(arena_array(memory, (size_t)n_ranks + 2, sizeof *start), error);
        group_by_part(member, start, to, n_ranks, NULL, own->count);
        for (uint32_t r = 0; r < n_ranks; r++)
            TRY(make_message(&out[r], own, p, member + start[r], start[r + 1] - start[r], memory,
                             error));
        TRY(ranks_exchange(ranks, out, in, memory, error));
    }
    return take_messages(all, before, in, own, p, ranks, memory, error);
}
