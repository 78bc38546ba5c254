#include "crypto/base_ot.h"

#include "crypto/digest.h"
#include "crypto/secret_memory.h"

bool base_ot_offer(scalar *secret, point *offer)
{
    ristretto_random_scalar(secret);
    return ristretto_multiply_base(offer, secret);
}

/* The number and both messages enter the hash, so that no key is good for another transfer. */
static void derive(unsigned char key[BASE_OT_KEY_BYTES], unsigned index, const point *offer,
                   const point *answer, const point *shared)
{
    unsigned char number = (unsigned char)index;
    digest d;
    digest_init(&d, "kith base ot", BASE_OT_KEY_BYTES);
    digest_part(&d, &number, 1);
    digest_part(&d, offer->bytes, RISTRETTO_BYTES);
    digest_part(&d, answer->bytes, RISTRETTO_BYTES);
    digest_part(&d, shared->bytes, RISTRETTO_BYTES);
    digest_final(&d, key);
}

bool base_ot_choose(point answers[BASE_OTS], base_ot_keys *keys, const point *offer,
                    const uint64_t choices[BASE_OTS / 64])
{
    point checked;
    if (!ristretto_parse(&checked, offer->bytes))
        return false;
    for (unsigned i = 0; i < BASE_OTS; i++) {
        /* The answer is bG, or A + bG; the key comes from bA in both cases. */
        struct {
            scalar b;
            point no, yes, shared;
        } s;
        ristretto_random_scalar(&s.b);
        bool ok = ristretto_multiply_base(&s.no, &s.b) && ristretto_add(&s.yes, offer, &s.no) &&
                  ristretto_multiply(&s.shared, &s.b, offer);
        if (ok) {
            ristretto_select(&answers[i], &s.no, &s.yes, choices[i / 64] >> i % 64 & 1);
            derive(keys->keys[i], i, offer, &answers[i], &s.shared);
        }
        secret_memory_wipe(&s, sizeof s);
        if (!ok)
            return false;
    }
    return true;
}

bool base_ot_accept(base_ot_keys *zero, base_ot_keys *one, scalar *secret, const point *offer,
                    const point answers[BASE_OTS])
{
    bool ok = true;
    for (unsigned i = 0; i < BASE_OTS && ok; i++) {
        /* For the answer B the keys come from aB and a(B - A), of which the chooser knows one. */
        struct {
            point checked, shifted, shared_zero, shared_one;
        } s;
        ok = ristretto_parse(&s.checked, answers[i].bytes) &&
             ristretto_multiply(&s.shared_zero, secret, &answers[i]) &&
             ristretto_subtract(&s.shifted, &answers[i], offer) &&
             ristretto_multiply(&s.shared_one, secret, &s.shifted);
        if (ok) {
            derive(zero->keys[i], i, offer, &answers[i], &s.shared_zero);
            derive(one->keys[i], i, offer, &answers[i], &s.shared_one);
        }
        secret_memory_wipe(&s, sizeof s);
    }
    secret_memory_wipe(secret, sizeof *secret);
    return ok;
}
