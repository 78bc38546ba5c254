/* The encrypted view, phase four: from decrypted hashes to labels.
 *
 * The last party of the decryption looks them up among the labels of public hierarchies and its
 * own. It sends those that it does not find around the ring, where each party looks them up in its
 * own secret dictionary. Then all parties with data get the texts and the rows. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "core/text.h"
#include "protocol/view/view_internal.h"
#include "protocol/view/view_wire.h"
#include "smc/smc.h"

static const message_type missing_type = {"view.missing", DISCLOSE_AGGREGATE}; /* message 10 */
static const message_type seek_type = {"view.seek", DISCLOSE_BLINDED};         /* message 11 */
static const message_type found_type = {"view.found", DISCLOSE_RELEASE};       /* message 11 */
static const message_type texts_type = {"view.texts", DISCLOSE_RELEASE};       /* message 12 */
static const message_type text_bytes_type = {"view.bytes", DISCLOSE_RELEASE};  /* message 12 */
static const message_type rows_type = {"view.rows", DISCLOSE_RELEASE};         /* message 12 */

/* --- lists of labels on the wire, some of which may be unknown --- */

static const uint64_t max_texts = UINT64_C(1) << 32;

/* Lengths + 1 (0: unknown, its bytes are NULL), then the bytes of all labels. */
typedef struct view_texts {
    uint32_t *length; /* [count] */
    char *bytes;
    uint64_t total;
} view_texts;

static kith_status write_texts(view_texts *w, const view_label *label, uint32_t count,
                               arena *memory, kith_error *error)
{
    *w = (view_texts){.length = arena_array(memory, count, sizeof *w->length)};
    TRY_ALLOC(w->length, error);
    for (uint32_t i = 0; i < count; i++) {
        w->length[i] = label[i].bytes == NULL ? 0 : (uint32_t)label[i].length + 1;
        w->total += label[i].bytes == NULL ? 0 : label[i].length;
    }
    w->bytes = TRY_ALLOC(arena_array(memory, w->total, 1), error);
    char *at = w->bytes;
    for (uint32_t i = 0; i < count; i++) {
        if (label[i].bytes != NULL && w->length[i] > 1)
            memcpy(at, label[i].bytes, label[i].length);
        at += w->length[i] > 1 ? label[i].length : 0;
    }
    return KITH_OK;
}

static kith_status send_texts(party *p, uint32_t to, const message_type *type, const view_texts *w,
                              uint32_t count, kith_error *error)
{
    TRY(smc_send(p, to, type, &w->total, sizeof w->total, error));
    TRY(smc_send(p, to, type, w->length, count * sizeof *w->length, error));
    return smc_send(p, to, type, w->bytes, w->total, error);
}

/* Fills label[]; their bytes live in `memory`. Blames `from` for what is not UTF-8, or has a NUL
 * that is not all of it. */
static kith_status recv_texts(party *p, uint32_t from, const message_type *type, view_label *label,
                              uint32_t count, arena *memory, kith_error *error)
{
    view_texts w;
    uint64_t sum = 0;
    TRY(smc_recv(p, from, type, &w.total, sizeof w.total, error));
    if (w.total > max_texts)
        return party_protocol_error(p, from, error, "announced %llu bytes of text",
                                    (unsigned long long)w.total);
    w.length = TRY_ALLOC(arena_array(memory, count, sizeof *w.length), error);
    TRY(smc_recv(p, from, type, w.length, count * sizeof *w.length, error));
    for (uint32_t i = 0; i < count; i++)
        sum += w.length[i] > 1 ? w.length[i] - 1 : 0;
    if (sum != w.total)
        return party_protocol_error(p, from, error, "sent texts of wrong lengths");
    unsigned char *bytes = NULL;
    TRY(smc_recv_append(p, from, type, memory, &bytes, 0, w.total, error));
    const char *at = (const char *)bytes;
    for (uint32_t i = 0; i < count; i++) {
        size_t length = w.length[i] > 1 ? w.length[i] - 1 : 0;
        label[i] = (view_label){w.length[i] == 0 ? NULL : at, length};
        /* UTF-8 without NUL, or the single NUL of a missing cell. Everyone's tables have no other
         * texts, so that nothing else can be in a release. */
        if (text_utf8_error(at, length) != length ||
            (length != 1 && memchr(at, '\0', length) != NULL))
            return party_protocol_error(p, from, error, "sent a text that no table can have");
        at += length;
    }
    return KITH_OK;
}

/* --- looking up --- */

typedef struct candidate {
    point point;
    const view_label *label;
} candidate;

/* Fills label[i] for every point that the list has; labels that are known already stay. */
static kith_status view_decode_look_up(const view *v, uint32_t column, const view_known *list,
                                       const point *sought, view_label *label, uint32_t count,
                                       kith_error *error)
{
    const size_t room = list->n_levels == 0 ? 0 : list->start[list->n_levels];
    if (room == 0)
        return KITH_OK;
    candidate *all = TRY_ALLOC(arena_array(v->memory, room, sizeof *all), error);
    point *hash = TRY_ALLOC(arena_array(v->memory, room, sizeof *hash), error);
    for (uint32_t level = 0; level < list->n_levels; level++)
        TRY(view_crypt_hash_all(
            hash + list->start[level], v->p, column, level, list->labels + list->start[level],
            list->start[level + 1] - list->start[level], v->task->context->pool, error));
    for (size_t i = 0; i < room; i++)
        all[i] = (candidate){hash[i], &list->labels[i]};
    arena_release(v->memory, hash, room * sizeof *hash);
    qsort(all, room, sizeof *all, sort_32_bytes);
    for (uint32_t i = 0; i < count; i++) {
        const candidate *found = label[i].bytes != NULL
                                     ? NULL
                                     : bsearch(&sought[i], all, room, sizeof *all, sort_32_bytes);
        if (found != NULL)
            label[i] = (view_label){found->label->length == 0 ? "" : found->label->bytes,
                                    found->label->length};
    }
    arena_release(v->memory, all, room * sizeof *all);
    return KITH_OK;
}

/* The labels of a column that this party added to the dictionary. */
static view_known own_labels(const view_source *s)
{
    return (view_known){s->n_levels, s->start, s->labels};
}

/* --- the ring of secret dictionaries: EGV 4.4 --- */

/* Values of all columns that the last party did not know, in the order of columns. */
typedef struct lookup {
    uint32_t *missing; /* [n_released] */
    uint32_t count;
    point *points;      /* [count] */
    view_label *labels; /* [count] */
} lookup;

/* The last party tells the others how many values of each column it could not decode; all make room
 * for them. */
static kith_status tell_missing(lookup *q, const view *v, uint32_t last, kith_error *error)
{
    const size_t bytes = v->task->n_released * sizeof *q->missing;
    if (v->self != last)
        TRY(smc_recv(v->p, last, &missing_type, q->missing, bytes, error));
    for (uint32_t i = 0; i < v->n_holders && v->self == last; i++)
        if (i != last)
            TRY(smc_send(v->p, i, &missing_type, q->missing, bytes, error));
    uint64_t count = 0;
    for (uint32_t j = 0; j < v->task->n_released; j++) {
        if (q->missing[j] > v->n_values[j])
            return party_protocol_error(v->p, last, error,
                                        "asked for more values than the result has");
        count += q->missing[j];
    }
    if (count >= UINT32_MAX)
        return party_protocol_error(v->p, last, error, "asked for too many values");
    q->count = (uint32_t)count;
    q->points = TRY_ALLOC(arena_array(v->memory, count, sizeof *q->points), error);
    q->labels = TRY_ALLOC(arena_zalloc(v->memory, count, sizeof *q->labels), error);
    return KITH_OK;
}

static kith_status send_lookup(const lookup *q, const view *v, uint32_t to, kith_error *error)
{
    view_texts w;
    TRY(write_texts(&w, q->labels, q->count, v->memory, error));
    TRY(smc_send(v->p, to, &seek_type, q->points, q->count * sizeof *q->points, error));
    TRY(send_texts(v->p, to, &found_type, &w, q->count, error));
    return party_flush(v->p, error);
}

static kith_status receive_lookup(lookup *q, const view *v, uint32_t from, kith_error *error)
{
    TRY(smc_recv(v->p, from, &seek_type, q->points, q->count * sizeof *q->points, error));
    TRY(view_crypt_multiply(q->points, q->count, NULL, v->task->context->pool, v->p, from, error));
    TRY(recv_texts(v->p, from, &found_type, q->labels, q->count, v->memory, error));
    party_learns(v->p, DISCLOSE_CHOICE, "view.values", q->count);
    return KITH_OK;
}

/* Once around the ring, from the last party back to it; every other party adds the labels that it
 * knows. */
static kith_status run_lookup(lookup *q, const view *v, uint32_t last, kith_error *error)
{
    const uint32_t right = view_right(v), left = view_left(v);
    if (v->self == last) {
        TRY(send_lookup(q, v, right, error));
        return receive_lookup(q, v, left, error);
    }
    TRY(receive_lookup(q, v, left, error));
    for (uint32_t j = 0, at = 0; j < v->task->n_released; at += q->missing[j], j++) {
        const view_known own = own_labels(&v->task->columns[j]);
        TRY(view_decode_look_up(v, j, &own, q->points + at, q->labels + at, q->missing[j], error));
    }
    return send_lookup(q, v, right, error);
}

/* Takes over what the ring found. A value that no site knows cannot be blamed on a single one. */
static kith_status use_answers(const lookup *q, const view_packet *packet, view_label **label,
                               kith_error *error)
{
    uint32_t at = 0;
    for (uint32_t j = 0; j < packet->n_columns; j++)
        for (uint32_t e = 0; e < packet->columns[j].n_entries; e++) {
            if (label[j][e].bytes != NULL)
                continue;
            if (q->labels[at].bytes == NULL)
                return error_set(error, KITH_PEER, "no site knows a value of column %u", j + 1);
            label[j][e] = q->labels[at++];
        }
    return KITH_OK;
}

static kith_status decode_all(const view *v, const view_packet *packet, view_label **label,
                              uint32_t last, kith_error *error)
{
    lookup q = {0};
    q.missing = TRY_ALLOC(arena_zalloc(v->memory, v->task->n_released, sizeof *q.missing), error);
    if (v->self == last) {
        for (uint32_t j = 0; j < packet->n_columns; j++) {
            const view_column *c = &packet->columns[j];
            const view_known own = own_labels(&v->task->columns[j]);
            label[j] = TRY_ALLOC(arena_zalloc(v->memory, c->n_entries, sizeof *label[j]), error);
            TRY(view_decode_look_up(v, j, &v->task->columns[j].known, c->entries, label[j],
                                    c->n_entries, error));
            TRY(view_decode_look_up(v, j, &own, c->entries, label[j], c->n_entries, error));
        }
        for (uint32_t j = 0; j < packet->n_columns; j++)
            for (uint32_t e = 0; e < packet->columns[j].n_entries; e++)
                q.missing[j] += label[j][e].bytes == NULL;
    }
    TRY(tell_missing(&q, v, last, error));
    if (q.count == 0)
        return KITH_OK;
    if (v->self == last) {
        uint32_t at = 0; /* the values that it could not decode */
        for (uint32_t j = 0; j < packet->n_columns; j++)
            for (uint32_t e = 0; e < packet->columns[j].n_entries; e++)
                if (label[j][e].bytes == NULL)
                    q.points[at++] = packet->columns[j].entries[e];
        ASSERT(at == q.count);
    }
    TRY(run_lookup(&q, v, last, error));
    return v->self == last ? use_answers(&q, packet, label, error) : KITH_OK;
}

/* --- the release --- */

static kith_status view_decode_make_room(view_release *out, const view *v, uint32_t n_rows,
                                         kith_error *error)
{
    const size_t n_columns = v->task->n_released;
    out->n_rows = n_rows;
    out->values = arena_zalloc(v->memory, n_columns, sizeof *out->values);
    out->labels = arena_zalloc(v->memory, n_columns, sizeof *out->labels);
    out->codes = arena_zalloc(v->memory, n_columns, sizeof *out->codes);
    return out->values == NULL || out->labels == NULL || out->codes == NULL ? error_nomem(error)
                                                                            : KITH_OK;
}

static kith_status share_release(const view *v, const view_release *r, kith_error *error)
{
    const size_t bytes = v->task->n_released * sizeof *r->values;
    for (uint32_t i = 0; i < v->n_holders; i++) {
        if (i == v->self)
            continue;
        TRY(smc_send(v->p, i, &texts_type, &r->n_rows, sizeof r->n_rows, error));
        TRY(smc_send(v->p, i, &texts_type, r->values, bytes, error));
    }
    for (uint32_t j = 0; j < v->task->n_released; j++) {
        const size_t n_packed = view_parse_codes_bytes(r->n_rows, r->values[j]);
        unsigned char *packed = TRY_ALLOC(arena_array(v->memory, n_packed, 1), error);
        view_texts w;
        view_parse_write_codes(packed, r->codes[j], r->n_rows, r->values[j]);
        TRY(write_texts(&w, r->labels[j], r->values[j], v->memory, error));
        for (uint32_t i = 0; i < v->n_holders; i++) {
            if (i == v->self)
                continue;
            TRY(send_texts(v->p, i, &text_bytes_type, &w, r->values[j], error));
            TRY(smc_send(v->p, i, &rows_type, packed, n_packed, error));
        }
        arena_release(v->memory, packed, n_packed);
    }
    return party_flush(v->p, error);
}

static kith_status recv_release(const view *v, view_release *r, uint32_t last, kith_error *error)
{
    uint32_t n_rows;
    TRY(smc_recv(v->p, last, &texts_type, &n_rows, sizeof n_rows, error));
    if (n_rows != v->n_joint)
        return party_protocol_error(v->p, last, error, "sent a release of %u rows, not %u", n_rows,
                                    v->n_joint);
    TRY(view_decode_make_room(r, v, n_rows, error));
    TRY(smc_recv(v->p, last, &texts_type, r->values, v->task->n_released * sizeof *r->values,
                 error));
    for (uint32_t j = 0; j < v->task->n_released; j++)
        if (r->values[j] != v->n_values[j])
            return party_protocol_error(v->p, last, error,
                                        "sent a column with other values than it decrypted");
    for (uint32_t j = 0; j < v->task->n_released; j++) {
        r->labels[j] = TRY_ALLOC(arena_zalloc(v->memory, r->values[j], sizeof **r->labels), error);
        r->codes[j] = TRY_ALLOC(arena_array(v->memory, r->n_rows, sizeof **r->codes), error);
        TRY(recv_texts(v->p, last, &text_bytes_type, r->labels[j], r->values[j], v->memory, error));
        const size_t bytes = view_parse_codes_bytes(r->n_rows, r->values[j]);
        unsigned char *packed = TRY_ALLOC(arena_array(v->memory, bytes, 1), error);
        TRY(smc_recv(v->p, last, &rows_type, packed, bytes, error));
        bool good = view_parse_codes(r->codes[j], packed, r->n_rows, r->values[j]);
        arena_release(v->memory, packed, bytes);
        for (uint32_t i = 0; i < r->values[j]; i++)
            good &= r->labels[j][i].bytes != NULL;
        for (uint32_t i = 0; i < r->n_rows; i++)
            good &= r->codes[j][i] < r->values[j];
        if (!good)
            return party_protocol_error(v->p, last, error,
                                        "sent a release with values out of range");
    }
    return KITH_OK;
}

kith_status view_decode(view *v, view_release *out, view_packet *packet, uint32_t last,
                        kith_error *error)
{
    if (v->self != last) {
        TRY(decode_all(v, NULL, NULL, last, error));
        TRY(recv_release(v, out, last, error));
    } else {
        TRY(view_decode_make_room(out, v, packet->n_rows, error));
        TRY(decode_all(v, packet, out->labels, last, error));
        for (uint32_t j = 0; j < packet->n_columns; j++) {
            out->values[j] = packet->columns[j].n_entries;
            out->codes[j] = packet->columns[j].codes;
        }
        TRY(share_release(v, out, error));
    }
    party_learns(v->p, DISCLOSE_RELEASE, "view.release", out->n_rows);
    return KITH_OK;
}
