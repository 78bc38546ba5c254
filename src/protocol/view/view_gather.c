/* The encrypted view, phases one and two: encryption in a parallel ring to the right (R-PRR),
 * integration in a sequential one to the left (L-SRR). */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "crypto/secret_memory.h"
#include "protocol/view/view_internal.h"
#include "protocol/view/view_merge.h"
#include "protocol/view/view_wire.h"
#include "smc/smc.h"

static const message_type coins_type = {"view.coins", DISCLOSE_MASKED}; /* message 7 */

static bool has_ids(const view *v)
{
    return v->task->options->partition != PARTITION_HORIZONTAL;
}

/* --- encryption --- */

static kith_status hash_own_column(view *v, view_packet *packet, uint32_t j, kith_error *error)
{
    const view_source *s = &v->task->columns[j];
    if (s->n_levels == 0)
        return KITH_OK;
    TRY(view_packet_column(packet, j, s->n_levels, s->start, error));
    view_column *c = &packet->columns[j];
    for (uint32_t level = 0; level < s->n_levels; level++)
        TRY(view_crypt_hash_all(c->entries + s->start[level], v->p, j, level,
                                s->labels + s->start[level], s->start[level + 1] - s->start[level],
                                v->task->context->pool, error));
    if (s->parent != NULL)
        memcpy(c->parent, s->parent, c->n_entries * sizeof *c->parent);
    if (s->mark != NULL)
        memcpy(c->mark, s->mark, c->n_entries);
    if (packet->n_rows > 0)
        memcpy(c->codes, s->codes, packet->n_rows * sizeof *c->codes);
    return KITH_OK;
}

static bool has_persons(const view *v)
{
    return v->task->n_columns > v->task->n_released;
}

/* Of a packet that says whose each row is. */
static uint32_t view_gather_count_persons(const view_packet *packet)
{
    return packet->columns[packet->n_columns - 1].n_entries;
}

/* A packet of other parties shows its receiver which of their cells are equal, and which rows are
 * of one person. */
static kith_status receive_packet(view *v, view_packet *packet, uint32_t from,
                                  const view_terms *terms, kith_error *error)
{
    TRY(view_wire_recv(v->p, from, packet, v->memory, terms, error));
    if (view_holds(v))
        party_learns(v->p, DISCLOSE_CHOICE, "view.patterns", packet->n_rows);
    if (view_holds(v) && has_persons(v))
        party_learns(v->p, DISCLOSE_CHOICE, "view.persons", view_gather_count_persons(packet));
    return KITH_OK;
}

/* EGV 4.2, R-PRR: h steps. In step s a party encrypts the table of the party s places to its left.
 * It ends with the table of its right neighbour, encrypted by all parties. */
static kith_status encrypt_around(view *v, view_packet *packet, kith_error *error)
{
    const view_terms terms = {.n_columns = v->task->n_columns,
                              .max_levels = VIEW_LEVELS,
                              .max_rows = VIEW_MAX_ROWS,
                              .allowed_rows = v->task->options->max_rows,
                              .has_ids = has_ids(v),
                              .has_columns = v->task->options->partition == PARTITION_HORIZONTAL,
                              .has_persons = has_persons(v)};
    uint64_t n_rows = v->task->n_rows;
    /* This party's table: hashed, encrypted with its own keys and shuffled. */
    const view_task *t = v->task;
    TRY(view_packet_init(packet, v->memory, t->n_columns, t->n_rows, has_ids(v), error));
    for (uint32_t j = 0; j < t->n_columns; j++)
        TRY(hash_own_column(v, packet, j, error));
    if (packet->tid != NULL)
        TRY(view_crypt_hash_all(packet->tid, v->p, VIEW_TID, 0, t->tid, t->n_rows, t->context->pool,
                                error));
    TRY(view_crypt_encrypt(packet, v->keys, v->coins, t->context->pool, v->p, v->self,
                           &v->n_operations, error));
    for (uint32_t step = 1; step < v->n_holders; step++) {
        TRY(view_wire_send(v->p, view_right(v), packet, error));
        view_packet_release(packet);
        TRY(receive_packet(v, packet, view_left(v), &terms, error));
        n_rows += packet->n_rows;
        if (n_rows > VIEW_MAX_ROWS)
            return party_protocol_error(v->p, view_left(v), error, "sent too many rows");
        TRY(view_crypt_encrypt(packet, v->keys, v->coins, v->task->context->pool, v->p,
                               view_left(v), &v->n_operations, error));
    }
    v->n_joint = (uint32_t)n_rows;
    return KITH_OK;
}

/* --- integration --- */

static kith_status check_points(view *v, const view_packet *packet, uint32_t from,
                                kith_error *error)
{
    threads *pool = v->task->context->pool;
    if (packet->tid != NULL)
        TRY(view_crypt_multiply(packet->tid, packet->n_rows, NULL, pool, v->p, from, error));
    for (uint32_t j = 0; j < packet->n_columns; j++)
        TRY(view_crypt_multiply(packet->columns[j].entries, packet->columns[j].n_entries, NULL,
                                pool, v->p, from, error));
    return KITH_OK;
}

/* Of packets that are on their way to the master, with rows of at most `n_sites`. An external one
 * has seen no other before. */
static view_terms integration_terms(const view *v, uint32_t n_sites)
{
    const partition_kind kind = v->task->options->partition;
    view_terms terms = {.n_columns = v->task->n_columns,
                        .max_levels = VIEW_LEVELS,
                        .max_rows = view_holds(v) ? v->n_joint : VIEW_MAX_ROWS,
                        .allowed_rows = (uint64_t)v->task->options->max_rows * n_sites,
                        .has_ids = kind == PARTITION_HYBRID,
                        .has_columns = kind == PARTITION_HORIZONTAL,
                        .has_gaps = kind == PARTITION_HYBRID,
                        .has_persons = has_persons(v)};
    if (kind == PARTITION_VERTICAL && view_holds(v))
        terms.min_rows = v->n_joint;
    return terms;
}

/* A holder has seen an id of every row, or the rows themselves, and other packets have a cell of
 * each; but an external master is told numbers of rows by sites that may have sent nothing else. It
 * makes no room for them. */
static kith_status refuse_bare_rows(view *v, const view_packet *a, const view_packet *b,
                                    kith_error *error)
{
    bool bare = !view_holds(v) && v->task->options->partition == PARTITION_VERTICAL;
    for (uint32_t j = 0; j < a->n_columns; j++)
        bare &= a->columns[j].n_levels == 0 && b->columns[j].n_levels == 0;
    if (!bare || a->n_rows == 0)
        return KITH_OK;
    const kith_status status = error_set(error, KITH_PEER, "no site sent column 1 of the view");
    view_abandon(v, status, 0);
    return status;
}

/* Unites `packet` with a packet from a peer. Rows that are joined by position (vertical) or by id
 * (hybrid) are in the order of the encrypted ids. */
static kith_status merge_from(view *v, view_packet *packet, uint32_t from, kith_error *error)
{
    const view_terms terms = integration_terms(v, v->n_holders);
    view_packet other;
    uint64_t clashes;
    TRY(receive_packet(v, &other, from, &terms, error));
    TRY(check_points(v, &other, from, error));
    TRY(refuse_bare_rows(v, packet, &other, error));
    TRY(view_merge(packet, &other, v->task->options->partition, &clashes, v->p, from, error));
    if (clashes > 0)
        return error_set(error, KITH_DATA,
                         "%llu cells are at two sites: row ids must be at one site per column",
                         (unsigned long long)clashes);
    return KITH_OK;
}

static kith_status send_masters(view *v, const view_packet *packet, kith_error *error)
{
    for (uint32_t i = 0; i < v->n_masters; i++)
        TRY(view_wire_send(v->p, v->master + i, packet, error));
    return KITH_OK;
}

/* EGV 4.2, L-SRR: the left neighbour of the master begins, because it holds the master's own data.
 * An external master has no data: party 0 takes its place in the ring, and the party that holds the
 * data of party 0 sends them to the masters directly. */
static kith_status integrate_leftwards(view *v, view_packet *packet, kith_error *error)
{
    const bool external = view_external(v);
    const uint32_t master = external ? 0 : v->master;
    const uint32_t beside = (master + v->n_holders - 1) % v->n_holders;
    const uint32_t first = external ? v->n_holders - 2 : beside;
    if (external && v->self == beside)
        return send_masters(v, packet, error);
    if (v->self != first) {
        TRY(merge_from(v, packet, view_right(v), error));
        if (!has_ids(v)) /* or the next party could tell the sites apart by position */
            TRY(view_packet_shuffle(packet, v->coins, error));
    }
    if (external && v->self == 0)
        return send_masters(v, packet, error);
    return v->self == v->master ? KITH_OK : view_wire_send(v->p, view_left(v), packet, error);
}

/* --- at the master --- */

/* Randomness of the first master, shared with its replicas so that all work on the same table. */
typedef struct shared_coins {
    unsigned char key[PRG_KEY_BYTES];
    uint64_t seed;
} shared_coins;

/* Other parties know the order of the ids, or of the packets, so the master draws a new one.
 * Replicas have the same rows in the same order before that. */
static kith_status draw_final_order(view *v, view_packet *packet, uint64_t *seed, kith_error *error)
{
    shared_coins coins;
    prg *order;
    if (v->self == v->master) {
        secret_memory_random(coins.key, sizeof coins.key);
        coins.seed = v->task->context->seed;
        for (uint32_t i = 1; i < v->n_masters; i++)
            TRY(smc_send(v->p, v->master + i, &coins_type, &coins, sizeof coins, error));
    } else {
        TRY(smc_recv(v->p, v->master, &coins_type, &coins, sizeof coins, error));
    }
    *seed = coins.seed;
    kith_status status = prg_new(&order, v->memory, coins.key, 0, 0, error);
    secret_memory_wipe(&coins, sizeof coins);
    TRY(status);
    return view_packet_shuffle(packet, order, error);
}

/* Hybrid: keeps the rows that have a cell in every column. */
static kith_status drop_incomplete(view *v, view_packet *packet, uint64_t *dropped,
                                   kith_error *error)
{
    const size_t room = packet->n_rows;
    uint32_t *whole = TRY_ALLOC(arena_array(v->memory, room, sizeof *whole), error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < packet->n_rows; i++) {
        bool complete = true;
        for (uint32_t j = 0; j < packet->n_columns; j++) {
            const view_column *c = &packet->columns[j];
            complete &=
                c->n_levels > 0 && c->codes[i] != VIEW_NONE; /* no site may have rows of it */
        }
        if (complete)
            whole[count++] = i;
    }
    *dropped = packet->n_rows - count;
    TRY(view_packet_rows(packet, whole, count, error));
    arena_release(v->memory, whole, room * sizeof *whole);
    view_packet_release_tids(packet);
    return KITH_OK;
}

/* A ciphertext at two levels of a column would make two entries of the result the same. */
static kith_status check_distinct(const view_packet *packet, uint32_t j, kith_error *error)
{
    const view_column *c = &packet->columns[j];
    const size_t bytes = c->n_entries * sizeof *c->entries;
    bool distinct = true;
    point *sorted = TRY_ALLOC(arena_alloc(packet->memory, bytes), error);
    memcpy(sorted, c->entries, bytes);
    qsort(sorted, c->n_entries, sizeof *sorted, sort_32_bytes);
    for (uint32_t e = 1; e < c->n_entries; e++)
        distinct &= sort_32_bytes(&sorted[e - 1], &sorted[e]) != 0;
    arena_release(packet->memory, sorted, bytes);
    return distinct ? KITH_OK
                    : error_set(error, KITH_PEER, "a value of column %u of the view has two levels",
                                j + 1);
}

/* Errors of the united table: no single party can be blamed, because each may rely on the others
 * for a column, a parent or the root. */
static kith_status check_complete(const view_packet *packet, kith_error *error)
{
    if (packet->n_rows == 0)
        return error_set(error, KITH_INFEASIBLE, "no site has any rows");
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        const view_column *c = &packet->columns[j];
        if (c->n_levels == 0)
            return error_set(error, KITH_PEER, "no site sent column %u of the view", j + 1);
        for (uint32_t e = 0; c->n_levels > 1 && e < c->start[c->n_levels - 1]; e++)
            if (c->parent[e] == VIEW_NONE)
                return error_set(error, KITH_PEER,
                                 "a value of column %u of the view is outside its hierarchy",
                                 j + 1);
        if (c->n_levels > 1 && c->start[c->n_levels] - c->start[c->n_levels - 1] != 1)
            return error_set(error, KITH_PEER, "column %u of the view has several roots", j + 1);
        if (c->n_levels > 1)
            TRY(check_distinct(packet, j, error));
    }
    return KITH_OK;
}

static kith_status integrate(view *v, view_packet *packet, uint64_t *seed, kith_error *error)
{
    if (view_holds(v)) {
        TRY(integrate_leftwards(v, packet, error));
    } else { /* the part of an external master */
        const view_terms terms = integration_terms(v, 1);
        TRY(receive_packet(v, packet, v->n_holders - 1, &terms, error));
        TRY(check_points(v, packet, v->n_holders - 1, error));
        TRY(merge_from(v, packet, 0, error));
    }
    if (v->task->options->partition == PARTITION_HYBRID) {
        uint64_t dropped = 0;
        if (view_masters(v))
            TRY(drop_incomplete(v, packet, &dropped, error));
        uint64_t kept = packet->n_rows;
        TRY(view_tell_unmatched(v, dropped, &kept, error));
        if (view_holds(v) && kept > v->n_joint)
            return party_protocol_error(v->p, v->master, error, "told more rows than there are");
        v->n_joint = (uint32_t)kept;
    }
    if (!view_masters(v))
        return KITH_OK;
    kith_status status = check_complete(packet, error);
    if (status != KITH_OK)
        view_abandon(v, status, 0);
    TRY(status);
    party_learns(v->p, DISCLOSE_CHOICE, "view.table", packet->n_rows);
    if (has_persons(v))
        party_learns(v->p, DISCLOSE_CHOICE, "view.table.persons",
                     view_gather_count_persons(packet));
    return draw_final_order(v, packet, seed, error);
}

kith_status view_gather(view *v, view_joint *joint, kith_error *error)
{
    CHECK(view_check(v));
    *joint = (view_joint){0};
    view_begin(v, PHASE_ENCRYPTION, "encryption");
    if (view_holds(v))
        TRY(encrypt_around(v, &v->packet, error));
    if (v->task->options->partition == PARTITION_VERTICAL) {
        TRY(view_match(v, &v->packet, error));
        v->n_joint = v->packet.n_rows;
    }
    view_end(v, PHASE_ENCRYPTION);
    view_begin(v, PHASE_INTEGRATION, "integration");
    TRY(integrate(v, &v->packet, &joint->seed, error));
    TRY(party_flush(v->p, error));
    if (view_masters(v))
        joint->packet = &v->packet;
    else
        view_packet_release(&v->packet);
    view_end(v, PHASE_INTEGRATION);
    return KITH_OK;
}
