#include "job/history/run_identity.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/digest.h"
#include "search/search.h"

/* Keys that say what the study is called, who takes part, with which keys, and how long to wait,
 * but not what comes out. */
static bool has_no_influence(const char *path)
{
    static const char *const keys[] = {"study", "again", "timeout", "limit", "pkg", "period"};
    if (strncmp(path, "parties", strlen("parties")) == 0) /* hash_parties has what matters */
        return true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(path, keys[i]) == 0)
            return true;
    return false;
}

/* Models have always counted from 1 here, and from 0 in messages: hashes of earlier runs are in
 * files, and must not change. */
static void hash_path(crypto_generichash_state *state, const char *path)
{
    static const char models[] = "privacy.";
    const size_t length = strlen(models);
    char number[16];
    if (strncmp(path, models, length) == 0) {
        char *rest;
        const unsigned long from_0 = strtoul(path + length, &rest, 10);
        snprintf(number, sizeof number, "%lu", from_0 + 1);
        crypto_generichash_update(state, (const unsigned char *)models, length);
        crypto_generichash_update(state, (const unsigned char *)number, strlen(number));
        path = rest;
    }
    crypto_generichash_update(state, (const unsigned char *)path, strlen(path) + 1);
}

static void hash_study(unsigned char out[RUN_IDENTITY_BYTES], const kith_study *study,
                       const kith_run *run)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, RUN_IDENTITY_BYTES);
    for (size_t i = 0; i < study->n_entries; i++) {
        const study_entry *e = &study->entries[i];
        if (has_no_influence(e->path))
            continue;
        hash_path(&state, e->path);
        crypto_generichash_update(&state, e->hash, sizeof e->hash);
    }
    if (run != NULL && run->seeded) {
        static const char path[] = "seed";
        crypto_generichash_update(&state, (const unsigned char *)path, sizeof path);
        crypto_generichash_update(&state, (const unsigned char *)&run->seed, sizeof run->seed);
    }
    crypto_generichash_final(&state, out, RUN_IDENTITY_BYTES);
}

/* Addresses and keys are left out: a party may move, and must renew its certificate. */
static void hash_parties(unsigned char out[RUN_IDENTITY_BYTES], const kith_study *study)
{
    digest d;
    digest_init(&d, "kith parties of a run", RUN_IDENTITY_BYTES);
    for (uint32_t i = 0; i < study->n_parties; i++) {
        const study_party *p = &study->parties[i];
        digest_part(&d, p->name, strlen(p->name));
        for (uint32_t j = 0; j < p->n_columns; j++) {
            const char *held = study->columns[p->columns[j]].name;
            digest_part(&d, held, strlen(held) + 1); /* the NUL tells it from a party */
        }
    }
    digest_final(&d, out);
}

static bool repeats(const kith_study *study)
{
    if (!study->joint.protocol->by_master)
        return true;
    const algorithm *a = search_find(study->algorithm);
    return a != NULL && a->global;
}

void run_identity_make(run_identity *id, const kith_study *study, const row_order *data,
                       const kith_run *run)
{
    *id = (run_identity){.has_data = data != NULL, .repeats = repeats(study)};
    crypto_generichash(id->name, sizeof id->name, (const unsigned char *)study->name,
                       strlen(study->name), NULL, 0);
    hash_study(id->study, study, run);
    hash_parties(id->parties, study);
    if (data != NULL) {
        memcpy(id->data, data->rows, sizeof id->data);
        memcpy(id->ordered, data->ordered, sizeof id->ordered);
    }
}

void run_identity_choices(unsigned char key[RUN_IDENTITY_BYTES], const run_identity *id,
                          bool by_position, const unsigned char *secret)
{
    static const char domain[] = "kith private choices of a run";
    crypto_generichash_state state;
    crypto_generichash_init(&state, secret, RUN_IDENTITY_BYTES, RUN_IDENTITY_BYTES);
    crypto_generichash_update(&state, (const unsigned char *)domain, sizeof domain);
    crypto_generichash_update(&state, id->study, sizeof id->study);
    crypto_generichash_update(&state, id->parties, sizeof id->parties);
    crypto_generichash_update(&state, by_position ? id->ordered : id->data, sizeof id->data);
    crypto_generichash_final(&state, key, RUN_IDENTITY_BYTES);
    sodium_memzero(&state, sizeof state);
}

uint64_t run_identity_coins(const kith_study *study)
{
    unsigned char of_study[RUN_IDENTITY_BYTES], of_parties[RUN_IDENTITY_BYTES];
    unsigned char out[RUN_IDENTITY_BYTES];
    uint64_t coins;
    digest d;
    hash_study(of_study, study, NULL);
    hash_parties(of_parties, study);
    digest_init(&d, "kith public coins", sizeof out);
    digest_part(&d, of_study, sizeof of_study);
    digest_part(&d, of_parties, sizeof of_parties);
    digest_final(&d, out);
    memcpy(&coins, out, sizeof coins);
    return coins;
}
