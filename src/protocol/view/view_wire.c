#include "protocol/view/view_wire.h"

#include <string.h>

#include "core/error.h"
#include "smc/smc.h"

static const message_type shape_type = {"view.shape", DISCLOSE_CHOICE};
static const message_type tids_type = {"view.tids", DISCLOSE_BLINDED};
static const message_type points_type = {"view.points", DISCLOSE_BLINDED};
static const message_type codes_type = {"view.codes", DISCLOSE_CHOICE};

static const uint32_t most_rows = UINT32_C(1) << 28, max_entries = UINT32_C(1) << 28;

/* Shape: rows, whether there are ids; then per column levels and the ends of all levels. */
enum { SHAPE_HEAD = 2, SHAPE_COLUMN = 1 + VIEW_LEVELS };

static size_t shape_words(uint32_t n_columns)
{
    return SHAPE_HEAD + (size_t)n_columns * SHAPE_COLUMN;
}

/* Bytes of a code below n_entries, or of n_entries itself, which stands for VIEW_NONE. */
static size_t width_of(uint32_t n_entries)
{
    return n_entries < UINT8_MAX ? 1 : n_entries < UINT16_MAX ? 2 : 4;
}

size_t view_wire_codes_bytes(size_t count, uint32_t n_entries)
{
    return count * width_of(n_entries);
}

void view_wire_codes_pack(unsigned char *out, const uint32_t *codes, size_t count,
                          uint32_t n_entries)
{
    const size_t width = width_of(n_entries);
    for (size_t i = 0; i < count; i++, out += width) {
        uint32_t code = codes[i] == VIEW_NONE ? n_entries : codes[i];
        memcpy(out, &code, width);
    }
}

bool view_wire_codes_unpack(uint32_t *codes, const unsigned char *in, size_t count,
                            uint32_t n_entries)
{
    const size_t width = width_of(n_entries);
    bool good = true;
    for (size_t i = 0; i < count; i++, in += width) {
        uint32_t code = 0;
        memcpy(&code, in, width);
        good &= code <= n_entries;
        codes[i] = code >= n_entries ? VIEW_NONE : code;
    }
    return good;
}

/* Where the parts of a "view.codes" begin, behind the codes themselves, and its length. */
typedef struct layout {
    size_t parents, marks, bytes;
} layout;

static layout layout_of(const view_column *c, uint32_t n_rows)
{
    layout l = {.parents = view_wire_codes_bytes(n_rows, c->n_entries)};
    l.marks = l.parents + view_wire_codes_bytes(c->n_levels > 1 ? c->n_entries : 0, c->n_entries);
    l.bytes = l.marks + c->n_entries;
    return l;
}

static kith_status send_shape(party *p, uint32_t to, const view_packet *packet, kith_error *error)
{
    const size_t bytes = shape_words(packet->n_columns) * sizeof(uint32_t);
    uint32_t *shape = TRY_ALLOC(
        arena_zalloc(packet->memory, shape_words(packet->n_columns), sizeof *shape), error);
    shape[0] = packet->n_rows;
    shape[1] = packet->tid != NULL;
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        uint32_t *at = shape + SHAPE_HEAD + (size_t)j * SHAPE_COLUMN;
        at[0] = packet->columns[j].n_levels;
        memcpy(at + 1, packet->columns[j].start + 1, packet->columns[j].n_levels * sizeof *at);
    }
    TRY(smc_send(p, to, &shape_type, shape, bytes, error));
    arena_release(packet->memory, shape, bytes);
    return KITH_OK;
}

static kith_status send_codes(party *p, uint32_t to, const view_packet *packet,
                              const view_column *c, kith_error *error)
{
    const layout l = layout_of(c, packet->n_rows);
    unsigned char *packed = TRY_ALLOC(arena_array(packet->memory, l.bytes, 1), error);
    view_wire_codes_pack(packed, c->codes, packet->n_rows, c->n_entries);
    if (c->n_levels > 1)
        view_wire_codes_pack(packed + l.parents, c->parent, c->n_entries, c->n_entries);
    memcpy(packed + l.marks, c->mark, c->n_entries);
    TRY(smc_send(p, to, &codes_type, packed, l.bytes, error));
    arena_release(packet->memory, packed, l.bytes);
    return KITH_OK;
}

kith_status view_wire_send(party *p, uint32_t to, const view_packet *packet, kith_error *error)
{
    TRY(send_shape(p, to, packet, error));
    if (packet->tid != NULL)
        TRY(smc_send(p, to, &tids_type, packet->tid, packet->n_rows * sizeof *packet->tid, error));
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        const view_column *c = &packet->columns[j];
        if (c->n_levels == 0)
            continue;
        TRY(smc_send(p, to, &points_type, c->entries, c->n_entries * sizeof *c->entries, error));
        TRY(send_codes(p, to, packet, c, error));
    }
    return KITH_OK;
}

static kith_status refuse(party *p, uint32_t from, const char *what, kith_error *error)
{
    return party_protocol_error(p, from, error, "sent a part of the view with %s", what);
}

/* Takes over levels and their ends of one column from a peer; false if they are inconsistent. */
static bool read_starts(uint32_t start[VIEW_LEVELS + 1], const uint32_t *at)
{
    if (at[0] > VIEW_LEVELS)
        return false;
    start[0] = 0;
    for (uint32_t level = 0; level < at[0]; level++) {
        start[level + 1] = at[1 + level];
        if (start[level + 1] < start[level] || start[level + 1] > max_entries)
            return false;
    }
    return true;
}

static kith_status recv_shape(party *p, uint32_t from, view_packet *packet, arena *memory,
                              uint32_t n_columns, uint64_t max_rows, kith_error *error)
{
    const size_t bytes = shape_words(n_columns) * sizeof(uint32_t);
    uint32_t *shape = TRY_ALLOC(arena_array(memory, shape_words(n_columns), sizeof *shape), error);
    TRY(smc_recv(p, from, &shape_type, shape, bytes, error));
    if (max_rows > 0 && shape[0] > max_rows)
        return party_protocol_error(p, from, error, "sent %u rows; the study allows %llu", shape[0],
                                    (unsigned long long)max_rows);
    if (shape[0] > most_rows || shape[1] > 1)
        return refuse(p, from, "too many rows", error);
    TRY(view_packet_init(packet, memory, n_columns, shape[0], shape[1] == 1, error));
    for (uint32_t j = 0; j < n_columns; j++) {
        uint32_t start[VIEW_LEVELS + 1];
        const uint32_t *at = shape + SHAPE_HEAD + (size_t)j * SHAPE_COLUMN;
        if (!read_starts(start, at))
            return refuse(p, from, "a dictionary of inconsistent size", error);
        if (at[0] > 0)
            TRY(view_packet_column(packet, j, at[0], start, error));
    }
    arena_release(memory, shape, bytes);
    return KITH_OK;
}

static bool entries_ascend(const view_column *c)
{
    for (uint32_t level = 0; level < c->n_levels; level++)
        for (uint32_t e = c->start[level] + 1; e < c->start[level + 1]; e++)
            if (memcmp(&c->entries[e - 1], &c->entries[e], sizeof *c->entries) >= 0)
                return false;
    return true;
}

/* Is every parent in the next level? */
static bool parents_fit(const view_column *c)
{
    for (uint32_t level = 0; level < c->n_levels; level++)
        for (uint32_t e = c->start[level]; e < c->start[level + 1]; e++) {
            uint32_t parent = c->parent[e];
            if (parent != VIEW_NONE && (level + 1 == c->n_levels || parent < c->start[level + 1] ||
                                        parent >= c->start[level + 2]))
                return false;
        }
    return true;
}

static kith_status recv_codes(party *p, uint32_t from, view_packet *packet, view_column *c,
                              kith_error *error)
{
    const layout l = layout_of(c, packet->n_rows);
    unsigned char *packed = TRY_ALLOC(arena_array(packet->memory, l.bytes, 1), error);
    TRY(smc_recv(p, from, &codes_type, packed, l.bytes, error));
    bool good = view_wire_codes_unpack(c->codes, packed, packet->n_rows, c->n_entries);
    if (c->n_levels > 1)
        good &= view_wire_codes_unpack(c->parent, packed + l.parents, c->n_entries, c->n_entries);
    memcpy(c->mark, packed + l.marks, c->n_entries);
    arena_release(packet->memory, packed, l.bytes);
    for (uint32_t i = 0; i < packet->n_rows && packet->tid == NULL;
         i++) /* only hybrid rows lack cells */
        good &= c->codes[i] != VIEW_NONE;
    return good && parents_fit(c) ? KITH_OK : refuse(p, from, "codes out of range", error);
}

static bool ids_ascend(const view_packet *packet)
{
    for (uint32_t i = 1; i < packet->n_rows; i++)
        if (memcmp(&packet->tid[i - 1], &packet->tid[i], sizeof *packet->tid) >= 0)
            return false;
    return true;
}

kith_status view_wire_recv(party *p, uint32_t from, view_packet *packet, arena *memory,
                           uint32_t n_columns, uint64_t max_rows, kith_error *error)
{
    TRY(recv_shape(p, from, packet, memory, n_columns, max_rows, error));
    if (packet->tid != NULL)
        TRY(smc_recv(p, from, &tids_type, packet->tid, packet->n_rows * sizeof *packet->tid,
                     error));
    if (packet->tid != NULL && !ids_ascend(packet))
        return refuse(p, from, "row ids out of order", error);
    for (uint32_t j = 0; j < n_columns; j++) {
        view_column *c = &packet->columns[j];
        if (c->n_levels == 0)
            continue;
        TRY(smc_recv(p, from, &points_type, c->entries, c->n_entries * sizeof *c->entries, error));
        if (!entries_ascend(c))
            return refuse(p, from, "a dictionary out of order", error);
        TRY(recv_codes(p, from, packet, c, error));
    }
    CHECK(view_packet_check_sorted(packet));
    return KITH_OK;
}
