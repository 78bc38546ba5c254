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
    group_random_scalar(&s);
    group_invert(&inverse, &s);
    if (!group_multiply(&there, &s, p) || !group_parse(&there, there.bytes) ||
        !group_multiply(&back, &inverse, &there) || memcmp(&back, p, sizeof back) != 0)
        abort();
    if (!group_add(&sum, p, &there) || !group_subtract(&sum, &sum, &there) ||
        memcmp(&sum, p, sizeof sum) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char identity[GROUP_BYTES];
    point p, offered;
    if (sodium_init() < 0 || size < GROUP_BYTES)
        return 0;
    if (group_parse(&p, data)) {
        if (memcmp(p.bytes, identity, sizeof identity) == 0 || memcmp(p.bytes, data, 32) != 0)
            abort();
        use(&p);
    }
    /* What the fuzzer can hardly find: a point that is valid. */
    group_hash(&p, "fuzz", data, size);
    if (!group_parse(&p, p.bytes))
        abort();
    use(&p);
    /* A whole set of base transfers is slow: only where the input asks for it. */
    if (size == 2 * GROUP_BYTES) {
        point answer[BASE_OTS];
        base_ot_keys keys;
        const uint64_t choices[2] = {data[40], data[41]};
        memcpy(offered.bytes, data + GROUP_BYTES, GROUP_BYTES);
        if (base_ot_choose(answer, &keys, &offered, choices) != group_parse(&p, offered.bytes))
            abort();
    }
    return 0;
}
