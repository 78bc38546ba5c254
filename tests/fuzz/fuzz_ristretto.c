/* Any bytes as points from a peer: refused, or usable in every operation and never the identity. */
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "crypto/base_ot.h"
#include "crypto/ristretto.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const point *p)
{
    scalar s, inverse;
    point there, back, sum;
    ristretto_random_scalar(&s);
    ristretto_invert(&inverse, &s);
    if (!ristretto_multiply(&there, &s, p) || !ristretto_parse(&there, there.bytes) ||
        !ristretto_multiply(&back, &inverse, &there) || memcmp(&back, p, sizeof back) != 0)
        abort();
    if (!ristretto_add(&sum, p, &there) || !ristretto_subtract(&sum, &sum, &there) ||
        memcmp(&sum, p, sizeof sum) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char identity[RISTRETTO_BYTES];
    point p, offered;
    if (sodium_init() < 0 || size < RISTRETTO_BYTES)
        return 0;
    if (ristretto_parse(&p, data)) {
        if (memcmp(p.bytes, identity, sizeof identity) == 0 || memcmp(p.bytes, data, 32) != 0)
            abort();
        use(&p);
    }
    /* What the fuzzer can hardly find: a point that is valid. */
    ristretto_hash(&p, "fuzz", data, size);
    if (!ristretto_parse(&p, p.bytes))
        abort();
    use(&p);
    /* A whole set of base transfers is slow: only where the input asks for it. */
    if (size == 2 * RISTRETTO_BYTES) {
        point answer[BASE_OTS];
        base_ot_keys keys;
        const uint64_t choices[2] = {data[40], data[41]};
        memcpy(offered.bytes, data + RISTRETTO_BYTES, RISTRETTO_BYTES);
        if (base_ot_choose(answer, &keys, &offered, choices) != ristretto_parse(&p, offered.bytes))
            abort();
    }
    return 0;
}
