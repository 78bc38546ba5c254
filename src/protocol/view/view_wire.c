#include "protocol/view/view_wire.h"

#include "core/error.h"
#include "smc/smc.h"

static const message_type shape_type = {"view.shape", DISCLOSE_CHOICE};    /* messages 1, 6, 9 */
static const message_type tids_type = {"view.tids", DISCLOSE_BLINDED};     /* messages 1, 6 */
static const message_type points_type = {"view.points", DISCLOSE_BLINDED}; /* messages 1, 6, 9 */
static const message_type codes_type = {"view.codes", DISCLOSE_CHOICE};    /* messages 1, 6, 9 */

/* --- sending --- */

kith_status view_wire_send(party *p, uint32_t to, const view_packet *packet, kith_error *error)
{
    const size_t n_words = view_parse_shape_words(packet->n_columns);
    uint32_t *shape = TRY_ALLOC(arena_array(packet->memory, n_words, sizeof *shape), error);
    view_parse_write_shape(shape, packet);
    TRY(smc_send(p, to, &shape_type, shape, n_words * sizeof *shape, error));
    arena_release(packet->memory, shape, n_words * sizeof *shape);
    if (packet->tid != NULL)
        TRY(smc_send(p, to, &tids_type, packet->tid, packet->n_rows * sizeof *packet->tid, error));
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        const view_column *c = &packet->columns[j];
        if (c->n_levels == 0)
            continue;
        TRY(smc_send(p, to, &points_type, c->entries, c->n_entries * sizeof *c->entries, error));
        const size_t bytes = view_parse_column_bytes(c, packet->n_rows);
        unsigned char *packed = TRY_ALLOC(arena_array(packet->memory, bytes, 1), error);
        view_parse_write_column(packed, c, packet->n_rows);
        TRY(smc_send(p, to, &codes_type, packed, bytes, error));
        arena_release(packet->memory, packed, bytes);
    }
    return KITH_OK;
}

/* --- receiving --- */

/* Blames the sender if something is wrong. */
static kith_status accept(party *p, uint32_t from, const char *wrong, kith_error *error)
{
    if (wrong == NULL)
        return KITH_OK;
    return party_protocol_error(p, from, error, "sent a part of the view with %s", wrong);
}

/* Entries first: room for parents and codes is made when as many bytes have come. */
static kith_status recv_column(party *p, uint32_t from, view_packet *packet, uint32_t j,
                               const uint32_t *shape, const view_terms *terms, kith_error *error)
{
    view_column c = {0};
    unsigned char *entries = NULL, *packed = NULL;
    c.n_levels = view_parse_levels(c.start, shape, j);
    if (c.n_levels == 0)
        return KITH_OK;
    c.n_entries = c.start[c.n_levels];
    const size_t bytes = view_parse_column_bytes(&c, packet->n_rows);
    TRY(smc_recv_append(p, from, &points_type, packet->memory, &entries, 0,
                        c.n_entries * sizeof *c.entries, error));
    TRY(smc_recv_append(p, from, &codes_type, packet->memory, &packed, 0, bytes, error));
    c.entries = (point *)entries;
    TRY(view_packet_adopt(packet, j, &c, error));
    TRY(accept(p, from, view_parse_column(&packet->columns[j], packet->n_rows, packed, terms),
               error));
    arena_release(packet->memory, packed, bytes);
    if (terms->has_persons && j + 1 == terms->n_columns)
        TRY(accept(p, from, view_parse_persons(&packet->columns[j], packet->n_rows), error));
    return KITH_OK;
}

kith_status view_wire_recv(party *p, uint32_t from, view_packet *packet, arena *memory,
                           const view_terms *terms, kith_error *error)
{
    const size_t n_words = view_parse_shape_words(terms->n_columns);
    uint32_t *shape = TRY_ALLOC(arena_array(memory, n_words, sizeof *shape), error);
    TRY(smc_recv(p, from, &shape_type, shape, n_words * sizeof *shape, error));
    if (terms->allowed_rows > 0 && *shape > terms->allowed_rows)
        return party_protocol_error(p, from, error, "sent %u rows; the study allows %llu", *shape,
                                    (unsigned long long)terms->allowed_rows);
    TRY(accept(p, from, view_parse_shape(shape, terms), error));
    TRY(view_packet_init(packet, memory, terms->n_columns, shape[0], false, error));
    if (terms->has_ids) {
        unsigned char *ids = NULL;
        TRY(smc_recv_append(p, from, &tids_type, memory, &ids, 0,
                            packet->n_rows * sizeof *packet->tid, error));
        packet->tid = (point *)ids;
        TRY(accept(p, from, view_parse_ids(packet->tid, packet->n_rows), error));
    }
    for (uint32_t j = 0; j < terms->n_columns; j++)
        TRY(recv_column(p, from, packet, j, shape, terms, error));
    arena_release(memory, shape, n_words * sizeof *shape);
    CHECK(view_packet_check_sorted(packet));
    return KITH_OK;
}
