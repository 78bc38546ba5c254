/* The encrypted view of a vertically split table: do all sites have the same rows?
 *
 * EGV sorts by encrypted row ids and drops them, which joins wrong rows if the sites have different
 * ids. So the sites compare hashes of the sorted lists first. If they differ, the master finds the
 * ids that all sites have, under encryption. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "crypto/digest.h"
#include "protocol/view/view_internal.h"
#include "protocol/view/view_parse.h"
#include "smc/smc.h"

static const message_type list_type = {"view.list", DISCLOSE_BLINDED};             /* message 2 */
static const message_type ids_type = {"view.ids", DISCLOSE_BLINDED};               /* message 3 */
static const message_type kept_type = {"view.kept", DISCLOSE_CHOICE};              /* message 4 */
static const message_type unmatched_type = {"view.unmatched", DISCLOSE_AGGREGATE}; /* message 5 */

kith_status view_tell_unmatched(view *v, uint64_t unmatched, uint64_t *kept, kith_error *error)
{
    uint64_t told[2] = {unmatched, *kept};
    if (v->self == v->master)
        TRY(party_broadcast(v->p, &unmatched_type, told, sizeof told, error));
    else
        TRY(smc_recv(v->p, v->master, &unmatched_type, told, sizeof told, error));
    v->unmatched = told[0];
    *kept = told[1];
    party_learns(v->p, DISCLOSE_AGGREGATE, "view.matched", 2);
    if (told[0] == 0 || (told[1] > 0 && v->task->options->drop_unmatched))
        return KITH_OK;
    view_leave_together(v);
    if (told[1] == 0)
        return error_set(error, KITH_DATA, "no row is complete: %llu row ids lack a partner",
                         (unsigned long long)told[0]);
    kith_status status =
        error_set(error, KITH_DATA, "%llu row ids have no partner at some other site (%llu have)",
                  (unsigned long long)told[0], (unsigned long long)told[1]);
    return error_hint(error, status, "unmatched: drop leaves such rows out");
}

/* Tells all parties a hash of the list of ids that this party holds. Are all lists the same? */
static kith_status compare_lists(view *v, const view_packet *packet, bool *same, kith_error *error)
{
    unsigned char mine[DIGEST_BYTES] = {0}, theirs[DIGEST_BYTES], first[DIGEST_BYTES] = {0};
    bool have = view_holds(v);
    if (have) {
        digest d;
        digest_init(&d, "kith view row ids", sizeof mine);
        digest_part(&d, packet->tid, packet->n_rows * sizeof *packet->tid);
        digest_final(&d, mine);
        memcpy(first, mine, sizeof mine);
        TRY(party_broadcast(v->p, &list_type, mine, sizeof mine, error));
    }
    *same = true;
    for (uint32_t i = 0; i < v->n_holders; i++) {
        if (i == v->self)
            continue;
        TRY(smc_recv(v->p, i, &list_type, theirs, sizeof theirs, error));
        if (!have)
            memcpy(first, theirs, sizeof first);
        have = true;
        *same &= memcmp(first, theirs, sizeof first) == 0;
    }
    return KITH_OK;
}

/* The encrypted ids of all parties with data, at the master. */
typedef struct lists {
    point *id[PARTY_MAX];
    uint64_t count[PARTY_MAX];
    uint64_t total;
} lists;

static kith_status receive_lists(view *v, const view_packet *packet, lists *l, kith_error *error)
{
    *l = (lists){0};
    for (uint32_t i = 0; i < v->n_holders; i++) {
        if (i == v->self) {
            l->id[i] = packet->tid;
            l->count[i] = packet->n_rows;
        } else {
            TRY(smc_recv(v->p, i, &ids_type, &l->count[i], sizeof l->count[i], error));
            if (l->count[i] > VIEW_MAX_ROWS)
                return party_protocol_error(v->p, i, error, "announced %llu row ids",
                                            (unsigned long long)l->count[i]);
            unsigned char *ids = NULL;
            TRY(smc_recv_append(v->p, i, &ids_type, v->memory, &ids, 0,
                                l->count[i] * sizeof *l->id[i], error));
            l->id[i] = (point *)ids;
            if (view_parse_ids(l->id[i], l->count[i]) !=
                NULL) /* a repeated one would count twice */
                return party_protocol_error(v->p, i, error, "sent row ids out of order");
            TRY(view_crypt_multiply(l->id[i], l->count[i], NULL, v->task->context->pool, v->p, i,
                                    error));
        }
        l->total += l->count[i];
    }
    return KITH_OK;
}

/* all[]: the ids that every list has, ascending. Returns how many; *union_size: ids that any
 * has. */
static uint64_t intersect(point *all, uint64_t total, uint32_t n_holders, uint64_t *union_size)
{
    uint64_t kept = 0;
    qsort(all, total, sizeof *all, sort_32_bytes);
    *union_size = 0;
    for (uint64_t i = 0, end; i < total; i = end) {
        for (end = i + 1; end < total && sort_32_bytes(&all[i], &all[end]) == 0; end++)
            ;
        *union_size += 1;
        if (end - i == n_holders)
            all[kept++] = all[i];
    }
    return kept;
}

/* The master's part: tells every party with data which of the rows that it holds are kept. */
static kith_status find_common(view *v, view_packet *packet, unsigned char *mine, uint64_t *kept,
                               uint64_t *unmatched, kith_error *error)
{
    lists l;
    TRY(receive_lists(v, packet, &l, error));
    point *all = TRY_ALLOC(arena_array(v->memory, l.total, sizeof *all), error);
    point *end = all;
    for (uint32_t i = 0; i < v->n_holders; i++) {
        if (l.count[i] > 0)
            memcpy(end, l.id[i], l.count[i] * sizeof *end);
        end += l.count[i];
    }
    uint64_t any;
    *kept = intersect(all, l.total, v->n_holders, &any);
    *unmatched = any - *kept;
    for (uint32_t i = 0; i < v->n_holders; i++) {
        unsigned char *bits = mine;
        if (i != v->self)
            bits = arena_array(v->memory, l.count[i] / 8 + 1, 1);
        TRY_ALLOC(bits, error);
        memset(bits, 0, l.count[i] / 8 + 1);
        for (uint64_t row = 0; row < l.count[i]; row++)
            if (bsearch(&l.id[i][row], all, *kept, sizeof *all, sort_32_bytes) != NULL)
                bits[row / 8] |= (unsigned char)(1u << row % 8);
        if (i != v->self)
            TRY(smc_send(v->p, i, &kept_type, bits, l.count[i] / 8 + 1, error));
    }
    arena_release(v->memory, all, l.total * sizeof *all);
    return KITH_OK;
}

/* Keeps the rows that the master marked, which it said are `expected`. */
static kith_status keep_marked(const view *v, view_packet *packet, const unsigned char *bits,
                               uint64_t expected, kith_error *error)
{
    uint32_t *order = TRY_ALLOC(arena_array(packet->memory, packet->n_rows, sizeof *order), error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < packet->n_rows; i++)
        if ((bits[i / 8] >> i % 8 & 1) != 0)
            order[count++] = i;
    if (count != expected)
        return party_protocol_error(v->p, v->master, error,
                                    "marked another number of rows than it told");
    return view_packet_rows(packet, order, count, error);
}

kith_status view_match(view *v, view_packet *packet, kith_error *error)
{
    bool same;
    TRY(compare_lists(v, packet, &same, error));
    if (!same) {
        const size_t bytes = (size_t)packet->n_rows / 8 + 1;
        uint64_t kept = 0, unmatched = 0;
        unsigned char *bits = TRY_ALLOC(arena_array(v->memory, bytes, 1), error);
        if (v->self == v->master) {
            TRY(find_common(v, packet, bits, &kept, &unmatched, error));
        } else if (view_holds(v)) {
            const uint64_t count = packet->n_rows;
            TRY(smc_send(v->p, v->master, &ids_type, &count, sizeof count, error));
            TRY(smc_send(v->p, v->master, &ids_type, packet->tid, count * sizeof *packet->tid,
                         error));
            TRY(smc_recv(v->p, v->master, &kept_type, bits, bytes, error));
        }
        TRY(view_tell_unmatched(v, unmatched, &kept, error));
        TRY(view_holds(v) ? keep_marked(v, packet, bits, kept, error) : KITH_OK);
    }
    view_packet_release_tids(packet);
    return KITH_OK;
}
