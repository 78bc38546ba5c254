#include "protocol/view/view_merge.h"

#include <string.h>

#include "core/error.h"

/* Which rows of both packets make a row of the union; VIEW_NONE: none of that packet. */
typedef struct sources {
    uint32_t n_rows;
    uint32_t *a, *b; /* [n_rows] */
} sources;

static kith_status view_merge_refuse(party *p, uint32_t from, const char *what, kith_error *error)
{
    return party_protocol_error(p, from, error,
                                "sent a part of the view that differs from others in %s", what);
}

static void add_source(sources *s, uint32_t a, uint32_t b)
{
    s->a[s->n_rows] = a;
    s->b[s->n_rows++] = b;
}

static kith_status find_sources(sources *s, const view_packet *a, const view_packet *b,
                                partition_kind kind, party *p, uint32_t from, kith_error *error)
{
    *s = (sources){0};
    if ((uint64_t)a->n_rows + b->n_rows >= UINT32_MAX)
        return view_merge_refuse(p, from, "the number of rows, which is too large", error);
    if (kind == PARTITION_VERTICAL && a->n_rows != b->n_rows)
        return view_merge_refuse(p, from, "the number of rows", error);
    const size_t room = (size_t)a->n_rows + b->n_rows;
    s->a = TRY_ALLOC(arena_array(a->memory, room, sizeof *s->a), error);
    s->b = TRY_ALLOC(arena_array(a->memory, room, sizeof *s->b), error);
    if (kind == PARTITION_HYBRID) {
        ASSERT(a->tid != NULL && b->tid != NULL);
        /* rows with the same id become one; both packets are in the order of their ids */
        uint32_t i = 0, j = 0;
        while (i < a->n_rows || j < b->n_rows) {
            int order = i == a->n_rows   ? 1
                        : j == b->n_rows ? -1
                                         : memcmp(&a->tid[i], &b->tid[j], sizeof *a->tid);
            add_source(s, order <= 0 ? i : VIEW_NONE, order >= 0 ? j : VIEW_NONE);
            i += order <= 0;
            j += order >= 0;
        }
    } else if (kind == PARTITION_VERTICAL) {
        for (uint32_t i = 0; i < a->n_rows; i++)
            add_source(s, i, i);
    } else {
        for (uint32_t i = 0; i < a->n_rows; i++)
            add_source(s, i, VIEW_NONE);
        for (uint32_t i = 0; i < b->n_rows; i++)
            add_source(s, VIEW_NONE, i);
    }
    return KITH_OK;
}

/* The union of two dictionaries: its levels, and the new numbers of the entries of both. */
typedef struct united {
    uint32_t start[VIEW_LEVELS + 1];
    uint32_t *of_a, *of_b;
} united;

/* Adds entries, parents and marks of one packet; false if the other one has a different parent. */
static bool add_entries(view_column *out, const view_column *in, const uint32_t *new_of_old)
{
    bool agree = true;
    for (uint32_t e = 0; e < in->n_entries; e++) {
        uint32_t at = new_of_old[e];
        out->entries[at] = in->entries[e];
        out->mark[at] |= in->mark[e];
        if (in->parent[e] == VIEW_NONE)
            continue;
        uint32_t parent = new_of_old[in->parent[e]];
        agree &= out->parent[at] == VIEW_NONE || out->parent[at] == parent;
        out->parent[at] = parent;
    }
    return agree;
}

static uint32_t view_merge_code_of(const view_column *c, uint32_t row, const uint32_t *new_of_old)
{
    if (row == VIEW_NONE || c->codes == NULL || c->codes[row] == VIEW_NONE)
        return VIEW_NONE;
    return new_of_old[c->codes[row]];
}

/* Returns how many rows have a cell in both packets. */
static uint64_t add_codes(view_column *out, const view_column *a, const view_column *b,
                          const sources *s, const united *u)
{
    uint64_t clashes = 0;
    for (uint32_t i = 0; i < s->n_rows; i++) {
        uint32_t one = view_merge_code_of(a, s->a[i], u->of_a),
                 other = view_merge_code_of(b, s->b[i], u->of_b);
        clashes += one != VIEW_NONE && other != VIEW_NONE;
        out->codes[i] = one != VIEW_NONE ? one : other;
    }
    return clashes;
}

/* A column that one packet lacks counts as one without entries. */
static kith_status merge_column(view_packet *out, view_packet *a, view_packet *b, uint32_t j,
                                const sources *s, uint64_t *clashes, party *p, uint32_t from,
                                kith_error *error)
{
    view_column *one = &a->columns[j], *other = &b->columns[j];
    united u;
    if (one->n_levels == 0)
        one->n_levels = other->n_levels;
    if (other->n_levels == 0)
        other->n_levels = one->n_levels;
    if (one->n_levels != other->n_levels)
        return view_merge_refuse(p, from, "the number of levels of a column", error);
    if (one->n_levels == 0)
        return KITH_OK;
    u.of_a = TRY_ALLOC(arena_array(out->memory, one->n_entries, sizeof *u.of_a), error);
    u.of_b = TRY_ALLOC(arena_array(out->memory, other->n_entries, sizeof *u.of_b), error);
    u.start[0] = 0;
    for (uint32_t level = 0; level < one->n_levels; level++) {
        uint32_t i = one->start[level], k = other->start[level], next = u.start[level];
        const uint32_t i_end = one->start[level + 1], j_end = other->start[level + 1];
        while (i < i_end || k < j_end) {
            int order = i == i_end ? 1
                        : k == j_end
                            ? -1
                            : memcmp(&one->entries[i], &other->entries[k], sizeof *one->entries);
            if (order <= 0)
                u.of_a[i++] = next;
            if (order >= 0)
                u.of_b[k++] = next;
            next++;
        }
        u.start[level + 1] = next;
    }
    TRY(view_packet_column(out, j, one->n_levels, u.start, error));
    if (!add_entries(&out->columns[j], one, u.of_a) ||
        !add_entries(&out->columns[j], other, u.of_b))
        return view_merge_refuse(p, from, "the hierarchy of a column", error);
    *clashes += add_codes(&out->columns[j], one, other, s, &u);
    arena_release(out->memory, u.of_a, one->n_entries * sizeof *u.of_a);
    arena_release(out->memory, u.of_b, other->n_entries * sizeof *u.of_b);
    view_packet_release_column(a, j);
    view_packet_release_column(b, j);
    return KITH_OK;
}

kith_status view_merge(view_packet *into, view_packet *other, partition_kind kind,
                       uint64_t *clashes, party *p, uint32_t from, kith_error *error)
{
    sources s;
    view_packet out;
    *clashes = 0;
    ASSERT(into->n_columns == other->n_columns && into->memory == other->memory);
    CHECK(view_packet_check_sorted(into));
    CHECK(view_packet_check_sorted(other));
    TRY(find_sources(&s, into, other, kind, p, from, error));
    TRY(view_packet_init(&out, into->memory, into->n_columns, s.n_rows, kind == PARTITION_HYBRID,
                         error));
    for (uint32_t i = 0; i < s.n_rows && out.tid != NULL; i++)
        out.tid[i] = s.a[i] != VIEW_NONE ? into->tid[s.a[i]] : other->tid[s.b[i]];
    for (uint32_t j = 0; j < into->n_columns; j++)
        TRY(merge_column(&out, into, other, j, &s, clashes, p, from, error));
    const size_t room = (size_t)into->n_rows + other->n_rows;
    arena_release(out.memory, s.a, room * sizeof *s.a);
    arena_release(out.memory, s.b, room * sizeof *s.b);
    view_packet_release(into);
    view_packet_release(other);
    CHECK(view_packet_check_sorted(&out));
    *into = out;
    return KITH_OK;
}
