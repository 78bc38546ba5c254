#include "job/joint/release_seal.h"

#include <sodium.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "crypto/digest.h"
#include "crypto/secret_memory.h"

static const message_type seal_type = {"release.seal", DISCLOSE_RELEASE};
static const message_type ready_type = {"release.ready", DISCLOSE_CONTROL};

static const unsigned char ready = 1;

/* The digest under the key of a pair, as `sender` sends it: the number of the sender keeps a peer
 * from sending back what it has received. */
static void seal_for(unsigned char seal[DIGEST_BYTES], party *p, uint32_t peer, uint32_t sender,
                     const unsigned char release[DIGEST_BYTES])
{
    unsigned char key[PARTY_KEY_BYTES];
    crypto_generichash_state state;
    party_key(p, peer, "release seal", key);
    crypto_generichash_init(&state, key, sizeof key, DIGEST_BYTES);
    crypto_generichash_update(&state, (const unsigned char *)&sender, sizeof sender);
    crypto_generichash_update(&state, release, DIGEST_BYTES);
    crypto_generichash_final(&state, seal, DIGEST_BYTES);
    secret_memory_wipe(key, sizeof key);
}

static kith_status send_seals(party *p, const unsigned char release[DIGEST_BYTES],
                              uint32_t n_holders, kith_error *error)
{
    const uint32_t self = party_self(p);
    for (uint32_t i = 0; i < party_count(p); i++) {
        unsigned char seal[DIGEST_BYTES];
        if (i == self)
            continue;
        if (self < n_holders && i < n_holders) {
            seal_for(seal, p, i, self, release);
            TRY(party_send(p, i, &seal_type, seal, sizeof seal, error));
        } else {
            TRY(party_send(p, i, &ready_type, &ready, sizeof ready, error));
        }
    }
    return KITH_OK;
}

kith_status release_seal_agree(party *p, const kith_table *texts, uint32_t n_holders,
                               kith_error *error)
{
    const uint32_t self = party_self(p);
    unsigned char release[DIGEST_BYTES] = {0};
    ASSERT(self >= n_holders || texts != NULL);
    if (self < n_holders) {
        /* Rows are sorted, so equal releases have equal digests. A file does not tell a missing
         * cell from an empty one. */
        digest d;
        digest_init(&d, "kith release", DIGEST_BYTES);
        for (uint32_t row = 0; row < texts->n_rows; row++) {
            TRY(party_poll(p, error));
            for (uint32_t i = 0; i < texts->n_columns; i++) {
                const char *cell = kith_table_cell(texts, row, i);
                digest_part(&d, cell == NULL ? "" : cell, cell == NULL ? 0 : strlen(cell));
            }
        }
        digest_final(&d, release);
    }
    const char *before = party_step(p, "agree");
    TRY(send_seals(p, release, n_holders, error));
    for (uint32_t i = 0; i < party_count(p); i++) {
        unsigned char expected[DIGEST_BYTES], theirs[DIGEST_BYTES], word;
        if (i == self)
            continue;
        if (self >= n_holders || i >= n_holders) {
            TRY(party_recv(p, i, &ready_type, &word, sizeof word, error));
            continue;
        }
        TRY(party_recv(p, i, &seal_type, theirs, sizeof theirs, error));
        seal_for(expected, p, i, i, release);
        if (sodium_memcmp(theirs, expected, sizeof theirs) != 0)
            return party_protocol_error(p, i, error, "has another release than this party");
    }
    party_step(p, before);
    return KITH_OK;
}
