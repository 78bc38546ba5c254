/* No mask is used twice: in whole runs of every protocol no party makes a stream of the same key,
 * call and lane again, and transfers of the extension are numbered without repetition. Streams and
 * the cipher that hashes transfers go through wrappers. */
/* wrap: prg_new EVP_EncryptUpdate */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "crypto/prg.h"
#include "support/joint_scenes.h"
#include "support/session.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- streams --- */

/* What names a stream, at one party: every party is a thread, and both ends of a pair make the same
 * stream. */
typedef struct stream {
    pthread_t thread;
    unsigned char key[PRG_KEY_BYTES];
    uint64_t call;
    uint64_t lane;
} stream;

static stream *streams;
static size_t n_streams, room;

kith_status __real_prg_new(prg **out, arena *memory, const unsigned char key[PRG_KEY_BYTES],
                           uint64_t call, uint32_t lane, kith_error *error);
kith_status __wrap_prg_new(prg **out, arena *memory, const unsigned char key[PRG_KEY_BYTES],
                           uint64_t call, uint32_t lane, kith_error *error);

kith_status __wrap_prg_new(prg **out, arena *memory, const unsigned char key[PRG_KEY_BYTES],
                           uint64_t call, uint32_t lane, kith_error *error)
{
    stream made = {.thread = pthread_self(), .call = call, .lane = lane};
    memcpy(made.key, key, PRG_KEY_BYTES);
    pthread_mutex_lock(&lock);
    if (n_streams == room) {
        room = 2 * room + 1024;
        streams = realloc(streams, room * sizeof *streams);
        if (streams == NULL)
            abort();
    }
    streams[n_streams++] = made;
    pthread_mutex_unlock(&lock);
    return __real_prg_new(out, memory, key, call, lane, error);
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(stream));
}

static size_t count_repeated(void)
{
    size_t repeated = 0;
    qsort(streams, n_streams, sizeof *streams, by_bytes);
    for (size_t i = 1; i < n_streams; i++)
        repeated += by_bytes(&streams[i - 1], &streams[i]) == 0;
    return repeated;
}

/* --- transfers --- */

enum { ROWS = 64, HASHERS = 256 };

/* 64 rows of 128 bits, which one call of the cipher takes. */
typedef struct rows {
    uint64_t halves[ROWS][2];
} rows;

/* One end of an extension. Its hash of row x with number i is pi(pi(x) ^ i) ^ pi(x): the cipher's
 * last output and its next input tell the number. */
typedef struct hasher {
    const EVP_CIPHER_CTX *cipher;
    rows last;     /* output of the first call of a pair */
    bool second;   /* the next call is the second of its pair */
    uint64_t next; /* number of the next transfer */
    unsigned same; /* times that the last number came: the sender hashes two rows per transfer */
} hasher;

static hasher hashers[HASHERS];
static size_t n_hashers, n_transfers, n_misnumbered;

static hasher *find_hasher(const EVP_CIPHER_CTX *cipher)
{
    for (size_t i = 0; i < n_hashers; i++)
        if (hashers[i].cipher == cipher)
            return &hashers[i];
    if (n_hashers == HASHERS)
        abort();
    hashers[n_hashers] = (hasher){.cipher = cipher};
    return &hashers[n_hashers++];
}

/* Numbers go on from 0 without gaps, each in one call, or in two calls that follow each other. */
static void note_numbers(hasher *h, const rows *in)
{
    const uint64_t first = in->halves[0][0] ^ h->last.halves[0][0];
    for (uint64_t i = 0; i < ROWS; i++)
        n_misnumbered += (in->halves[i][0] ^ h->last.halves[i][0]) != first + i ||
                         in->halves[i][1] != h->last.halves[i][1];
    if (first == h->next) {
        h->next += ROWS;
        h->same = 1;
        n_transfers += ROWS;
    } else {
        n_misnumbered += first + ROWS != h->next || ++h->same > 2;
    }
}

int __real_EVP_EncryptUpdate(EVP_CIPHER_CTX *cipher, unsigned char *out, int *written,
                             const unsigned char *in, int length);
int __wrap_EVP_EncryptUpdate(EVP_CIPHER_CTX *cipher, unsigned char *out, int *written,
                             const unsigned char *in, int length);

int __wrap_EVP_EncryptUpdate(EVP_CIPHER_CTX *cipher, unsigned char *out, int *written,
                             const unsigned char *in, int length)
{
    if (EVP_CIPHER_CTX_mode(cipher) != EVP_CIPH_ECB_MODE)
        return __real_EVP_EncryptUpdate(cipher, out, written, in, length);
    rows given;
    assert_int_equal(length, (int)sizeof given);
    memcpy(&given, in, sizeof given);
    const int good = __real_EVP_EncryptUpdate(cipher, out, written, in, length);
    pthread_mutex_lock(&lock);
    hasher *h = find_hasher(cipher);
    if (h->second)
        note_numbers(h, &given);
    memcpy(&h->last, out, sizeof h->last);
    h->second = !h->second;
    pthread_mutex_unlock(&lock);
    return good;
}

/* --- runs --- */

static void forget(void)
{
    n_streams = n_hashers = n_transfers = n_misnumbered = 0;
}

static void nothing_is_used_twice(void **state)
{
    size_t all_streams = 0, all_transfers = 0;
    (void)state;
    for (size_t i = 0; i < joint_scenes_count; i++) {
        joint_scene s;
        forget();
        joint_scene_open(&s, &joint_scenes[i]);
        assert_int_equal(session_run(s.n_parties, joint_scene_take_part, &s), KITH_OK);
        joint_scene_close(&s);
        if (count_repeated() != 0 || n_misnumbered != 0)
            fail_msg("%s: %zu streams made again, %zu transfers with a wrong number",
                     joint_scenes[i].name, count_repeated(), n_misnumbered);
        assert_true(n_streams > 0);
        all_streams += n_streams;
        all_transfers += n_transfers;
    }
    assert_true(all_transfers > 0);
    print_message("%zu runs: %zu streams, %zu transfers\n", joint_scenes_count, all_streams,
                  all_transfers);
}

static kith_status make_twice(party *p, void *user, kith_error *error)
{
    unsigned char key[PRG_KEY_BYTES] = {1};
    prg *g;
    (void)user;
    TRY(prg_new(&g, party_memory(p), key, 5, party_self(p), error));
    return prg_new(&g, party_memory(p), key, 5, 0, error);
}

/* The witness sees: party 0 makes its stream twice, party 1 makes another one in between. */
static void a_repeated_stream_is_noticed(void **state)
{
    (void)state;
    forget();
    assert_int_equal(session_run(2, make_twice, NULL), KITH_OK);
    assert_int_equal(n_streams, 4);
    assert_int_equal(count_repeated(), 1);
}

static void hash(EVP_CIPHER_CTX *cipher, uint64_t first)
{
    rows r = {{{0}}};
    int written;
    assert_int_equal(
        EVP_EncryptUpdate(cipher, (unsigned char *)&r, &written, (unsigned char *)&r, sizeof r), 1);
    for (uint64_t i = 0; i < ROWS; i++)
        r.halves[i][0] ^= first + i;
    assert_int_equal(
        EVP_EncryptUpdate(cipher, (unsigned char *)&r, &written, (unsigned char *)&r, sizeof r), 1);
}

static void a_repeated_transfer_is_noticed(void **state)
{
    static const uint64_t good[] = {0, 0, 64, 128, 128}, again[] = {0, 64, 0};
    const unsigned char key[16] = {3};
    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
        forget();
        assert_int_equal(EVP_EncryptInit_ex(cipher, EVP_aes_128_ecb(), NULL, key, NULL), 1);
        EVP_CIPHER_CTX_set_padding(cipher, 0);
        for (int i = 0; i < (wrong ? 3 : 5); i++)
            hash(cipher, wrong ? again[i] : good[i]);
        assert_int_equal(n_misnumbered, wrong);
        EVP_CIPHER_CTX_free(cipher);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_used_twice),
        cmocka_unit_test(a_repeated_stream_is_noticed),
        cmocka_unit_test(a_repeated_transfer_is_noticed),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(streams);
    return failed;
}
