/* Records: for each piece of the receiver the number of records (4 bytes), then attribute by
 * attribute, and one sensitive attribute after the other, the values of all records, packed.
 * Classes: for each piece of the sender the number of classes (4 bytes) that have records of the
 * receiver, their closures, and the class of each record, packed. */
#include "search/weave/weave_ranks_move.h"

#include <string.h>

#include "search/group_by_part.h"
#include "search/packed.h"

enum { COUNT_BYTES = 4 };

static uint32_t n_columns(const problem *p)
{
    return p->n_attributes + p->n_sensitive;
}

static uint32_t column_width(const problem *p, uint32_t column)
{
    return column < p->n_attributes ? packed_width(p->attributes[column].tree->n_nodes)
                                    : packed_width(p->sensitive[column - p->n_attributes].count);
}

static const uint32_t *column_values(const problem *p, uint32_t column)
{
    return column < p->n_attributes ? p->attributes[column].cells
                                    : p->sensitive[column - p->n_attributes].values;
}

static size_t record_bytes(const problem *p)
{
    size_t bytes = 0;
    for (uint32_t j = 0; j < n_columns(p); j++)
        bytes += column_width(p, j);
    return bytes;
}

/* What goes to one rank: the pieces at the places first … end-1. */
static kith_status pack_records(crew_bytes *to, const weave_ranks_move *m, uint32_t first,
                                uint32_t end, kith_error *error)
{
    const problem *p = m->p;
    const uint32_t *record = m->order + m->start[first];
    const size_t n = m->start[end] - m->start[first];
    to->n_bytes = (size_t)(end - first) * COUNT_BYTES + n * record_bytes(p);
    uint8_t *at = TRY_ALLOC(arena_array(m->memory, to->n_bytes, 1), error);
    to->bytes = at;
    for (uint32_t i = first; i < end; i++)
        packed_put(at, COUNT_BYTES, i - first, m->start[i + 1] - m->start[i]);
    at += (size_t)(end - first) * COUNT_BYTES;
    for (uint32_t j = 0; j < n_columns(p); j++) {
        const uint32_t *values = column_values(p, j), width = column_width(p, j);
        for (size_t i = 0; i < n; i++)
            packed_put(at, width, i, values[record[i]]);
        at += n * width;
    }
    return KITH_OK;
}

kith_status weave_ranks_move_records(weave_ranks_move *m, uint32_t *piece_of, kith_error *error)
{
    const uint32_t n = m->p->n_records, n_pieces = m->deal->n_pieces;
    crew_bytes *out = TRY_ALLOC(arena_zalloc(m->memory, m->n_ranks, sizeof *out), error);
    m->in = TRY_ALLOC(arena_zalloc(m->memory, m->n_ranks, sizeof *m->in), error);
    m->out = TRY_ALLOC(arena_zalloc(m->memory, m->n_ranks, sizeof *m->out), error);
    m->room = TRY_ALLOC(arena_zalloc(m->memory, m->n_ranks, sizeof *m->room), error);
    m->taken = TRY_ALLOC(arena_zalloc(m->memory, m->n_ranks, sizeof *m->taken), error);
    m->order = TRY_ALLOC(arena_array(m->memory, n, sizeof *m->order), error);
    m->start = TRY_ALLOC(arena_array(m->memory, n_pieces + (size_t)2, sizeof *m->start), error);
    for (uint32_t i = 0; i < n; i++)
        piece_of[i] = m->deal->place_of[piece_of[i]];
    group_by_part(m->order, m->start, piece_of, n_pieces, NULL, n);
    for (uint32_t r = 0; r < m->n_ranks; r++)
        TRY(pack_records(&out[r], m, m->deal->start[r], m->deal->start[r + 1], error));
    TRY(crew_exchange(m->ranks, out, m->in, m->records, error));
    for (uint32_t r = 0; r < m->n_ranks; r++)
        if (r != m->self)
            arena_release(m->memory, out[r].bytes, out[r].n_bytes);
    return KITH_OK;
}

/* How many records of its own a rank has sent for one of the own pieces. */
static uint32_t count_from(const weave_ranks_move *m, uint32_t rank, uint32_t index)
{
    return packed_get(m->in[rank].bytes, COUNT_BYTES, index);
}

static void unpack_column(uint32_t *values, const weave_ranks_move *m, uint32_t index,
                          uint32_t column)
{
    const size_t counts = (size_t)(m->deal->start[m->self + 1] - m->deal->start[m->self]);
    const uint32_t width = column_width(m->p, column);
    for (uint32_t r = 0; r < m->n_ranks; r++) {
        const uint32_t n = count_from(m, r, index);
        const size_t n_sent = (m->in[r].n_bytes - counts * COUNT_BYTES) / record_bytes(m->p);
        const uint8_t *from = m->in[r].bytes;
        from += counts * COUNT_BYTES + m->taken[r] * width;
        for (uint32_t j = 0; j < column; j++)
            from += n_sent * column_width(m->p, j);
        for (uint32_t i = 0; i < n; i++)
            values[i] = packed_get(from, width, i);
        values += n;
    }
}

kith_status weave_ranks_move_take(const weave_ranks_move *m, uint32_t index, problem *piece,
                                  arena *memory, kith_error *error)
{
    const problem *p = m->p;
    attribute *attributes =
        TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *attributes), error);
    sensitive_attribute *sensitive =
        TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *sensitive), error);
    *piece = *p;
    piece->n_records = 0;
    piece->whole_records = 0; /* it is searched alone */
    for (uint32_t r = 0; r < m->n_ranks; r++)
        piece->n_records += count_from(m, r, index);
    for (uint32_t j = 0; j < n_columns(p); j++) {
        uint32_t *values = TRY_ALLOC(arena_array(memory, piece->n_records, sizeof *values), error);
        unpack_column(values, m, index, j);
        if (j < p->n_attributes) {
            attributes[j] = p->attributes[j];
            attributes[j].cells = values;
        } else {
            sensitive[j - p->n_attributes] = p->sensitive[j - p->n_attributes];
            sensitive[j - p->n_attributes].values = values;
        }
    }
    piece->attributes = attributes;
    piece->sensitive = sensitive;
    return KITH_OK;
}

static size_t closure_bytes(const problem *p)
{
    size_t bytes = 0;
    for (uint32_t a = 0; a < p->n_attributes; a++)
        bytes += column_width(p, a);
    return bytes;
}

/* Appends the classes of some records, in the order in which they occur first; number[class] must
 * be UINT32_MAX for all classes, and is again afterwards. */
static kith_status append_classes(weave_ranks_move *m, uint32_t rank, const uint32_t *class_of,
                                  uint32_t n, const partition *classes, uint32_t *number,
                                  uint32_t *seen, kith_error *error)
{
    const uint32_t n_attributes = m->p->n_attributes;
    uint32_t n_seen = 0;
    for (uint32_t i = 0; i < n; i++)
        if (number[class_of[i]] == UINT32_MAX) {
            number[class_of[i]] = n_seen;
            seen[n_seen++] = class_of[i];
        }
    crew_bytes *out = &m->out[rank];
    const uint32_t width = packed_width(n_seen);
    const size_t more = COUNT_BYTES + n_seen * closure_bytes(m->p) + (size_t)n * width;
    uint8_t *bytes = out->bytes;
    TRY_GROW(bytes, m->room[rank], out->n_bytes + more, m->memory, error);
    out->bytes = bytes;
    uint8_t *at = bytes + out->n_bytes;
    packed_put(at, COUNT_BYTES, 0, n_seen);
    at += COUNT_BYTES;
    for (uint32_t a = 0; a < n_attributes; a++) {
        const uint32_t node_width = column_width(m->p, a);
        for (uint32_t i = 0; i < n_seen; i++)
            packed_put(at, node_width, i, classes->closure[(size_t)seen[i] * n_attributes + a]);
        at += (size_t)n_seen * node_width;
    }
    for (uint32_t i = 0; i < n; i++)
        packed_put(at, width, i, number[class_of[i]]);
    for (uint32_t i = 0; i < n_seen; i++)
        number[seen[i]] = UINT32_MAX;
    out->n_bytes += more;
    return KITH_OK;
}

kith_status weave_ranks_move_answer(weave_ranks_move *m, uint32_t index, const partition *classes,
                                    arena *memory, kith_error *error)
{
    const uint32_t *class_of = classes->class_of;
    uint32_t *number = TRY_ALLOC(arena_array(memory, classes->n_classes, sizeof *number), error);
    uint32_t *seen = TRY_ALLOC(arena_array(memory, classes->n_classes, sizeof *seen), error);
    memset(number, 0xff, classes->n_classes * sizeof *number);
    for (uint32_t r = 0; r < m->n_ranks; r++) {
        const uint32_t n = count_from(m, r, index);
        TRY(append_classes(m, r, class_of, n, classes, number, seen, error));
        m->taken[r] += n;
        class_of += n;
    }
    return KITH_OK;
}

/* Classes as they come, before they are numbered in the order of the own records. */
typedef struct class_list {
    uint32_t count, capacity;
    uint32_t *closures; /* [capacity * n_attributes] */
} class_list;

/* Reads the classes of the own records of one piece; returns where the next ones begin. */
static kith_status read_classes(const uint8_t **from, const weave_ranks_move *m, uint32_t place,
                                uint32_t *class_of, class_list *list, kith_error *error)
{
    const uint32_t n_attributes = m->p->n_attributes, first = list->count;
    const uint32_t *record = m->order + m->start[place];
    const uint32_t n = m->start[place + 1] - m->start[place];
    const uint32_t n_seen = packed_get(*from, COUNT_BYTES, 0), width = packed_width(n_seen);
    const uint8_t *at = *from + COUNT_BYTES;
    if (first + n_seen > list->capacity) {
        const size_t room = arena_capacity(list->capacity, (size_t)first + n_seen);
        TRY_RESIZE(list->closures, m->memory, (size_t)list->capacity * n_attributes,
                   room * n_attributes, error);
        list->capacity = (uint32_t)room;
    }
    list->count += n_seen;
    for (uint32_t a = 0; a < n_attributes; a++) {
        const uint32_t node_width = column_width(m->p, a);
        for (uint32_t i = 0; i < n_seen; i++)
            list->closures[(size_t)(first + i) * n_attributes + a] = packed_get(at, node_width, i);
        at += (size_t)n_seen * node_width;
    }
    for (uint32_t i = 0; i < n; i++)
        class_of[record[i]] = first + packed_get(at, width, i);
    *from = at + (size_t)n * width;
    return KITH_OK;
}

/* Numbers the classes in the order of their first own records. */
static kith_status number_classes(partition *out, const weave_ranks_move *m, const class_list *list,
                                  arena *memory, kith_error *error)
{
    const size_t row = m->p->n_attributes;
    uint32_t *number = TRY_ALLOC(arena_array(m->memory, list->count, sizeof *number), error);
    memset(number, 0xff, list->count * sizeof *number);
    out->closure = TRY_ALLOC(arena_array(memory, list->count * row, sizeof *out->closure), error);
    out->n_classes = 0;
    for (uint32_t i = 0; i < m->p->n_records; i++) {
        const uint32_t class = out->class_of[i];
        if (number[class] == UINT32_MAX) {
            ASSERT(list->closures != NULL);
            number[class] = out->n_classes++;
            memcpy(out->closure + number[class] * row, list->closures + class * row,
                   row * sizeof *out->closure);
        }
        out->class_of[i] = number[class];
    }
    return KITH_OK;
}

kith_status weave_ranks_move_classes(weave_ranks_move *m, partition *out, arena *memory,
                                     kith_error *error)
{
    class_list list = {0};
    crew_bytes *in = TRY_ALLOC(arena_zalloc(m->memory, m->n_ranks, sizeof *in), error);
    out->class_of = TRY_ALLOC(arena_array(memory, m->p->n_records, sizeof *out->class_of), error);
    TRY(crew_exchange(m->ranks, m->out, in, m->memory, error));
    for (uint32_t r = 0; r < m->n_ranks; r++) {
        const uint8_t *from = in[r].bytes;
        for (uint32_t place = m->deal->start[r]; place < m->deal->start[r + 1]; place++)
            TRY(read_classes(&from, m, place, out->class_of, &list, error));
    }
    return number_classes(out, m, &list, memory, error);
}
