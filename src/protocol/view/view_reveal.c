/* The encrypted view, phase three: the values of the result lose their layers one after the other
 * (SRR), rows shuffled and dictionaries recoded at every party. */
#include <string.h>

#include "core/error.h"
#include "crypto/digest.h"
#include "protocol/view/view_internal.h"
#include "protocol/view/view_wire.h"
#include "smc/smc.h"

static const message_type verdict_type = {"view.verdict", DISCLOSE_CHOICE}; /* message 8 */

/* What a master tells before anything of its result is seen. */
typedef struct verdict {
    uint32_t status; /* a kith_status */
    uint32_t zero;
    view_notes notes;
    unsigned char result[DIGEST_BYTES];
} verdict;

_Static_assert(sizeof(verdict) == 8 + sizeof(view_notes) + DIGEST_BYTES, "sent without padding");
enum { NOTES = sizeof(view_notes) / 8 }; /* values in the ledger */

/* Only entries that occur stay, in one level and in the order of their bytes. */
static kith_status view_reveal_compact(view_packet *packet, view_column *c, kith_error *error)
{
    const size_t room = c->n_entries;
    uint32_t *seen = TRY_ALLOC(arena_zalloc(packet->memory, room, sizeof *seen), error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < packet->n_rows; i++)
        seen[c->codes[i]] = 1;
    for (uint32_t e = 0; e < c->n_entries; e++) {
        if (seen[e] == 0)
            continue;
        c->entries[count] = c->entries[e];
        c->mark[count] = 0; /* used only by the search */
        seen[e] = count++;
    }
    for (uint32_t i = 0; i < packet->n_rows; i++)
        c->codes[i] = seen[c->codes[i]];
    memset(c->parent, 0xff, c->n_entries * sizeof *c->parent);
    c->n_levels = 1;
    c->n_entries = c->start[1] = count;
    arena_release(packet->memory, seen, room * sizeof *seen);
    return KITH_OK;
}

static void digest_answer(unsigned char out[DIGEST_BYTES], const view_packet *packet)
{
    digest d;
    digest_init(&d, "kith view result", DIGEST_BYTES);
    digest_part(&d, &packet->n_rows, sizeof packet->n_rows);
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        const view_column *c = &packet->columns[j];
        digest_part(&d, c->entries, c->n_entries * sizeof *c->entries);
        digest_part(&d, c->codes, packet->n_rows * sizeof *c->codes);
    }
    digest_final(&d, out);
}

/* Flushed, because a master with data decrypts next, which takes long. */
static kith_status send_verdict(view *v, const verdict *mine, kith_error *error)
{
    for (uint32_t i = 0; i < v->n_holders; i++)
        if (i != v->self)
            TRY(smc_send(v->p, i, &verdict_type, mine, sizeof *mine, error));
    return party_flush(v->p, error);
}

/* The master reports its own failure, which does not break the protocol. A status about the study
 * or the data holds for all parties; any other, such as KITH_NOMEM, concerns the master alone. */
static kith_status master_failed(const view *v, uint32_t who, const verdict *said,
                                 kith_error *error)
{
    bool known = said->status == KITH_INFEASIBLE || said->status == KITH_DATA ||
                 said->status == KITH_INVALID || said->status == KITH_CANCELLED;
    if (said->status == KITH_INFEASIBLE && v->n_joint == 0)
        return error_set(error, KITH_INFEASIBLE, "no site has any rows");
    if (said->status == KITH_INFEASIBLE)
        return error_set(error, KITH_INFEASIBLE,
                         "the privacy models cannot be met on the joint table, says %s",
                         party_name(v->p, who));
    return error_set(error, known ? (kith_status)said->status : KITH_PEER,
                     "%s could not anonymize the joint table", party_name(v->p, who));
}

/* All masters must have the same result: one that cheats or errs is noticed before its result is
 * decrypted. */
static kith_status receive_verdicts(view *v, verdict *first, kith_error *error)
{
    verdict said[PARTY_MAX] = {{0}};
    for (uint32_t i = 0; i < v->n_masters; i++)
        TRY(smc_recv(v->p, v->master + i, &verdict_type, &said[i], sizeof said[i], error));
    for (uint32_t i = 0; i < v->n_masters; i++)
        if (said[i].status != KITH_OK) {
            first->notes.reason = said[i].notes.reason;
            view_leave_together(v);
            return master_failed(v, v->master + i, &said[i], error);
        }
    for (uint32_t i = 1; i < v->n_masters; i++)
        if (memcmp(said[0].result, said[i].result, sizeof said[0].result) != 0)
            return party_protocol_error(v->p, v->master + i, error, "has another result than %s",
                                        party_name(v->p, v->master));
    *first = said[0];
    return KITH_OK;
}

/* What an external master sends must be the result whose hash all masters told. */
static kith_status receive_answer(view *v, uint32_t from, const verdict *said, kith_error *error)
{
    unsigned char result[DIGEST_BYTES];
    view_packet *packet = &v->packet;
    const view_terms terms = {.n_columns = v->task->n_released,
                              .max_levels = 1,
                              .min_rows = v->n_joint,
                              .max_rows = v->n_joint,
                              .has_columns = true};
    TRY(view_wire_recv(v->p, from, packet, v->memory, &terms, error));
    if (from < v->n_holders) /* it has been decrypted since, at least by the master itself */
        return KITH_OK;
    digest_answer(result, packet);
    if (memcmp(result, said->result, sizeof result) != 0)
        return party_protocol_error(v->p, from, error, "sent another result than it announced");
    return KITH_OK;
}

/* EGV 4.2, SRR: from the master to its right, until its left neighbour, `last`, has removed the
 * last encryption. An external master has no keys: party 0 is the first that decrypts. */
static kith_status decrypt_around(view *v, const verdict *said, uint32_t last, kith_error *error)
{
    const uint32_t first = (last + 1) % v->n_holders;
    if (v->self == v->master && !view_holds(v)) {
        TRY(view_wire_send(v->p, first, &v->packet, error));
        TRY(party_flush(v->p, error));
        view_packet_release(&v->packet);
        return KITH_OK;
    }
    if (!view_holds(v)) { /* a replica */
        view_packet_release(&v->packet);
        return KITH_OK;
    }
    const uint32_t from = v->self == first ? v->master : view_left(v);
    if (v->self != v->master)
        TRY(receive_answer(v, from, said, error));
    TRY(view_crypt_decrypt(&v->packet, v->keys, v->coins, v->task->context->pool, v->p, from,
                           &v->n_operations, error));
    for (uint32_t j = 0; j < v->packet.n_columns; j++)
        v->n_values[j] = v->packet.columns[j].n_entries;
    if (v->self == last)
        return KITH_OK;
    TRY(view_wire_send(v->p, view_right(v), &v->packet, error));
    TRY(party_flush(v->p, error));
    view_packet_release(&v->packet);
    return KITH_OK;
}

static bool is_number(double x, double limit)
{
    return x >= -limit && x <= limit; /* false if x is not a number */
}

/* Masters prepare their result and tell a hash of it; the others learn whether there is one. */
static kith_status agree_on_result(view *v, verdict *said, view_notes *notes, kith_error *error)
{
    if (!view_masters(v)) {
        const kith_status status = receive_verdicts(v, said, error);
        notes->reason = said->notes.reason;
        if (notes->reason > 0)
            party_learns(v->p, DISCLOSE_AGGREGATE, "view.refused", 1);
        TRY(status);
        /* Can this be what a search found? Users and other programs read it. */
        const uint64_t max_exact = UINT64_C(1) << 53;
        const bool loss_is_number =
            is_number(said->notes.lm, 1.000001) && is_number(said->notes.objective, 1e18);
        if (!(is_number(said->notes.seconds, 1e9) && said->notes.seconds >= 0 &&
              said->notes.loss_is_known <= 1 &&
              (said->notes.loss_is_known == 0 || loss_is_number) &&
              said->notes.n_passes <= UINT32_MAX && said->notes.n_transformations <= max_exact &&
              said->notes.n_checked <= max_exact && said->notes.reason == 0))
            return party_protocol_error(v->p, v->master, error, "told an impossible loss or time");
        *notes = said->notes;
        if (notes->loss_is_known == 0)
            notes->lm = notes->objective = 0;
        party_learns(v->p, DISCLOSE_AGGREGATE, "view.notes", NOTES);
        return KITH_OK;
    }
    *said = (verdict){.status = KITH_OK, .notes = *notes};
    /* The columns that name persons are told to no party. */
    while (v->packet.n_columns > v->task->n_released)
        view_packet_release_column(&v->packet, --v->packet.n_columns);
    for (uint32_t j = 0; j < v->packet.n_columns; j++)
        TRY(view_reveal_compact(&v->packet, &v->packet.columns[j], error));
    TRY(view_packet_sort(&v->packet, error)); /* levels are gone */
    digest_answer(said->result, &v->packet);
    return send_verdict(v, said, error);
}

kith_status view_reveal(view *v, view_release *out, view_notes *notes, kith_error *error)
{
    const uint32_t last =
        view_external(v) ? v->n_holders - 1 : (v->master + v->n_holders - 1) % v->n_holders;
    verdict said = {0};
    CHECK(view_check(v));
    *out = (view_release){0};
    view_begin(v, PHASE_DECRYPTION, "decryption");
    const double begun = context_seconds();
    TRY(agree_on_result(v, &said, notes, error));
    if (!view_masters(v)) /* the time until then belongs to the anonymization */
        v->phase[PHASE_DECRYPTION].seconds -= context_seconds() - begun;
    TRY(decrypt_around(v, &said, last, error));
    view_end(v, PHASE_DECRYPTION);
    view_begin(v, PHASE_DECODING, "decoding");
    if (view_holds(v))
        TRY(view_decode(v, out, &v->packet, last, error));
    view_end(v, PHASE_DECODING);
    return KITH_OK;
}

void view_abandon(view *v, kith_status status, uint64_t reason)
{
    const verdict said = {.status = (uint32_t)status, .notes = {.reason = reason}};
    CHECK(view_check(v));
    ASSERT(view_masters(v) && status != KITH_OK);
    view_begin(v, PHASE_DECRYPTION, "decryption");
    /* If this fails the other parties notice that the master is gone. */
    if (send_verdict(v, &said, NULL) == KITH_OK)
        view_leave_together(v);
}
