#include "protocol/view/view_crypt.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"

enum { CHUNK = 64, TURN = 64 * CHUNK, RUN_BYTES = 32, ON_STACK = 512 };

kith_status view_crypt_keys_new(view_keys **keys, arena *memory, uint32_t n_columns,
                                kith_error *error)
{
    view_keys *made = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *made), error);
    made->n_columns = n_columns;
    const size_t bytes = ((size_t)n_columns + 1) * sizeof *made->forth;
    made->forth = TRY_ALLOC(secret_memory_locked(memory, bytes), error);
    made->back = TRY_ALLOC(secret_memory_locked(memory, bytes), error);
    for (uint32_t j = 0; j <= n_columns; j++) {
        ristretto_random_scalar(&made->forth[j]);
        ristretto_invert(&made->back[j], &made->forth[j]);
    }
    *keys = made;
    return KITH_OK;
}

/* Column and level have fixed lengths, and the hash counts the bytes: different inputs stay
 * different. */
kith_status view_crypt_hash(point *out, const unsigned char *run, uint32_t column, uint32_t level,
                            const view_label *label, kith_error *error)
{
    const uint32_t where[2] = {column, level};
    const size_t length = RUN_BYTES + sizeof where + label->length;
    unsigned char small[RUN_BYTES + sizeof where + ON_STACK], *text = small;
    if (length > sizeof small)
        text = TRY_ALLOC(malloc(length), error);
    memcpy(text, run, RUN_BYTES);
    memcpy(text + RUN_BYTES, where, sizeof where);
    if (label->length > 0)
        memcpy(text + RUN_BYTES + sizeof where, label->bytes, label->length);
    ristretto_hash(out, "kith encrypted view", text, length);
    if (text != small)
        free(text);
    return KITH_OK;
}

/* Work between two polls of the channels: points that are hashed, multiplied or validated. */
typedef struct turn {
    point *points;
    size_t count;
    const view_label *label; /* to be hashed; NULL: multiply or validate */
    const unsigned char *run;
    uint32_t column, level;
    const scalar *s; /* factor; NULL: only validate */
    atomic_bool failed;
} turn;

static void do_chunk(void *user, size_t chunk, unsigned worker)
{
    turn *t = user;
    size_t end = (chunk + 1) * CHUNK < t->count ? (chunk + 1) * CHUNK : t->count;
    (void)worker;
    for (size_t i = chunk * CHUNK; i < end; i++) {
        point *p = &t->points[i];
        bool good;
        if (t->label != NULL)
            good = view_crypt_hash(p, t->run, t->column, t->level, &t->label[i], NULL) == KITH_OK;
        else if (t->s != NULL)
            good = ristretto_parse_multiply(p, t->s, p->bytes);
        else
            good = ristretto_parse(&(point){0}, p->bytes);
        if (!good)
            atomic_store(&t->failed, true);
    }
}

/* False if one of the points is invalid, or memory for a label was lacking. */
static bool do_turn(turn *t, threads *pool)
{
    threads_run(pool, (t->count + CHUNK - 1) / CHUNK, do_chunk, t);
    return !atomic_load(&t->failed);
}

static size_t next_turn(size_t done, size_t count)
{
    return count - done < TURN ? count - done : TURN;
}

kith_status view_crypt_hash_all(point *out, party *p, uint32_t column, uint32_t level,
                                const view_label *label, size_t count, threads *pool,
                                kith_error *error)
{
    for (size_t done = 0; done < count; done += TURN) {
        turn t = {.points = out + done,
                  .count = next_turn(done, count),
                  .label = label + done,
                  .run = party_run_id(p),
                  .column = column,
                  .level = level};
        if (!do_turn(&t, pool))
            return error_nomem(error);
        TRY(party_poll(p, error));
    }
    return KITH_OK;
}

kith_status view_crypt_multiply(point *points, size_t count, const scalar *s, threads *pool,
                                party *p, uint32_t from, kith_error *error)
{
    for (size_t done = 0; done < count; done += TURN) {
        turn t = {.points = points + done, .count = next_turn(done, count), .s = s};
        if (!do_turn(&t, pool))
            return party_protocol_error(p, from, error, "sent an invalid group element");
        TRY(party_poll(p, error));
    }
    return KITH_OK;
}

/* keys[j] is for column j, the last one for row ids. */
static kith_status multiply_packet(view_packet *packet, const scalar *key, threads *pool, party *p,
                                   uint32_t from, uint64_t *operations, kith_error *error)
{
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        view_column *c = &packet->columns[j];
        if (c->n_levels == 0)
            continue;
        TRY(view_crypt_multiply(c->entries, c->n_entries, &key[j], pool, p, from, error));
        *operations += c->n_entries;
    }
    if (packet->tid != NULL) {
        TRY(view_crypt_multiply(packet->tid, packet->n_rows, &key[packet->n_columns], pool, p, from,
                                error));
        *operations += packet->n_rows;
    }
    return KITH_OK;
}

kith_status view_crypt_encrypt(view_packet *packet, const view_keys *keys, prg *coins,
                               threads *pool, party *p, uint32_t from, uint64_t *operations,
                               kith_error *error)
{
    ASSERT(keys->n_columns == packet->n_columns);
    TRY(multiply_packet(packet, keys->forth, pool, p, from, operations, error));
    TRY(view_packet_sort(packet, error));
    return view_packet_disorder(packet, coins, error);
}

kith_status view_crypt_decrypt(view_packet *packet, const view_keys *keys, prg *coins,
                               threads *pool, party *p, uint32_t from, uint64_t *operations,
                               kith_error *error)
{
    ASSERT(keys->n_columns >= packet->n_columns);
    TRY(multiply_packet(packet, keys->back, pool, p, from, operations, error));
    TRY(view_packet_sort(packet, error));
    return view_packet_shuffle(packet, coins, error);
}
