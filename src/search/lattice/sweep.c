#include "search/lattice/sweep.h"

#include <string.h>

#include "core/error.h"

/* Segments of up to SHORT tuples are sorted by insertion, longer ones by digits. */
enum { SHORT = 24, DIGIT_BITS = 8 };

kith_status sweep_axes(const uint32_t **axis, const tuples *t, arena *memory, kith_error *error)
{
    uint32_t *order = TRY_ALLOC(arena_array(memory, t->n_attributes, sizeof *order), error);
    for (uint32_t j = 0; j < t->n_attributes; j++) {
        uint32_t i = j;
        for (;
             i > 0 && t->attributes[order[i - 1]].tree->n_leaves < t->attributes[j].tree->n_leaves;
             i--)
            order[i] = order[i - 1];
        order[i] = j;
    }
    *axis = order;
    return KITH_OK;
}

kith_status sweep_init(sweep *s, uint32_t room, uint32_t n_attributes, uint32_t min_class,
                       const uint32_t *axis, arena *memory, kith_error *error)
{
    *s = (sweep){.min_class = min_class, .axis = axis};
    size_t n = room;
    s->code = TRY_ALLOC(arena_array(memory, n, sizeof *s->code), error);
    s->other_code = TRY_ALLOC(arena_array(memory, n, sizeof *s->other_code), error);
    s->other = TRY_ALLOC(arena_array(memory, n, sizeof *s->other), error);
    for (uint32_t d = 0; d <= n_attributes; d++) {
        /* Depth 0 has one segment: all tuples. */
        size_t n_segments = d == 0 ? 1 : n;
        s->room[d][0] = TRY_ALLOC(arena_array(memory, n, sizeof(uint32_t)), error);
        s->room[d][1] = TRY_ALLOC(arena_array(memory, n_segments + 1, sizeof(uint32_t)), error);
        s->room[d][2] = TRY_ALLOC(arena_array(memory, n_segments, sizeof(uint32_t)), error);
    }
    for (uint32_t u = 0; u < room; u++)
        s->room[0][0][u] = u;
    return KITH_OK;
}

void sweep_attach(sweep *s, const tuples *t, const uint32_t **column, uint32_t number)
{
    if (s->tuples != NULL && s->number == number)
        return;
    uint32_t **room = s->room[0];
    s->tuples = t;
    s->column = column;
    s->number = number;
    s->valid = 0;
    room[1][0] = 0;
    room[1][1] = t->count;
    room[2][0] = t->n_own;
    s->view[0] = (sweep_view){t->count > 0, room[0], room[1], room[2]};
}

static void sort_short(uint32_t *code, uint32_t *tuple, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t c = code[i], t = tuple[i], j = i;
        for (; j > 0 && code[j - 1] > c; j--) {
            code[j] = code[j - 1];
            tuple[j] = tuple[j - 1];
        }
        code[j] = c;
        tuple[j] = t;
    }
}

/* Radix sort, the lowest digit first. */
static void sort_long(const sweep *s, uint32_t *code, uint32_t *tuple, uint32_t count,
                      uint32_t bits)
{
    for (uint32_t shift = 0; shift < bits; shift += DIGIT_BITS) {
        uint32_t width = bits - shift < DIGIT_BITS ? bits - shift : DIGIT_BITS;
        uint32_t mask = (1U << width) - 1, place[1 << DIGIT_BITS];
        memset(place, 0, (mask + (size_t)1) * sizeof *place);
        for (uint32_t i = 0; i < count; i++)
            place[code[i] >> shift & mask]++;
        for (uint32_t b = 0, sum = 0; b <= mask; b++) {
            uint32_t here = place[b];
            place[b] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t to = place[code[i] >> shift & mask]++;
            s->other_code[to] = code[i];
            s->other[to] = tuple[i];
        }
        memcpy(code, s->other_code, count * sizeof *code);
        memcpy(tuple, s->other, count * sizeof *tuple);
    }
}

/* The view that a refinement writes. */
typedef struct refinement {
    uint32_t *tuple, *start, *size;
    uint32_t n_segments, used;
} refinement;

/* Cuts one sorted segment, written at r->used, where codes change. Pieces that are too small are
 * overwritten. */
static void cut(const sweep *s, refinement *r, const uint32_t *code, uint32_t count)
{
    const uint32_t *tuple = r->tuple + r->used;
    const uint32_t *weight = s->tuples->weight;
    uint32_t used = r->used;
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        uint32_t size = 0;
        for (end = begin; end < count && code[end] == code[begin]; end++)
            size += weight[tuple[end]];
        if (size < s->min_class)
            continue;
        r->start[r->n_segments] = used;
        r->size[r->n_segments++] = size;
        for (uint32_t i = begin; i < end; i++)
            r->tuple[used++] = tuple[i];
    }
    r->used = used;
}

/* Makes view[depth + 1]: splits the segments of view[depth] by their codes in the next axis. */
static void refine(sweep *s, uint32_t depth, uint32_t level)
{
    uint32_t j = s->axis[depth];
    const tuple_attribute *a = &s->tuples->attributes[j];
    const sweep_view *from = &s->view[depth];
    if (a->bits[level] == 0) {
        s->view[depth + 1] = *from;
        return;
    }
    const uint32_t *row = a->code[level], *leaf = s->column[j];
    uint32_t **room = s->room[depth + 1];
    refinement r = {.tuple = room[0], .start = room[1], .size = room[2]};
    for (uint32_t g = 0; g < from->n_segments; g++) {
        const uint32_t *member = from->tuple + from->start[g];
        uint32_t count = from->start[g + 1] - from->start[g];
        uint32_t *tuple = r.tuple + r.used;
        for (uint32_t i = 0; i < count; i++) {
            tuple[i] = member[i];
            s->code[i] = row[leaf[member[i]]];
        }
        if (count > SHORT)
            sort_long(s, s->code, tuple, count, a->bits[level]);
        else if (count > 1)
            sort_short(s->code, tuple, count);
        cut(s, &r, s->code, count);
    }
    r.start[r.n_segments] = r.used;
    s->view[depth + 1] = (sweep_view){r.n_segments, r.tuple, r.start, r.size};
}

const sweep_view *sweep_to(sweep *s, const uint8_t *levels)
{
    uint32_t n_attributes = s->tuples->n_attributes, depth = 0;
    while (depth < s->valid && s->levels[s->axis[depth]] == levels[s->axis[depth]])
        depth++;
    for (; depth < n_attributes; depth++)
        refine(s, depth, levels[s->axis[depth]]);
    memcpy(s->levels, levels, n_attributes);
    s->valid = n_attributes;
    CHECK(sweep_check(s));
    return &s->view[n_attributes];
}

#if KITH_DEBUG
void sweep_check(const sweep *s)
{
    const tuples *t = s->tuples;
    const sweep_view *v = &s->view[t->n_attributes];
    bool refined = v->tuple != s->room[0][0];
    for (uint32_t g = 0; g < v->n_segments; g++) {
        uint32_t size = 0;
        ASSERT(v->start[g] < v->start[g + 1]);
        for (uint32_t i = v->start[g]; i < v->start[g + 1]; i++) {
            size += t->weight[v->tuple[i]];
            for (uint32_t j = 0; j < t->n_attributes; j++) {
                const uint32_t *code = t->attributes[j].code[s->levels[j]];
                ASSERT(code[tuples_leaf(t, v->tuple[i], j)] ==
                       code[tuples_leaf(t, v->tuple[v->start[g]], j)]);
            }
        }
        ASSERT(size == v->size[g] && (!refined || size >= s->min_class));
    }
}
#endif
