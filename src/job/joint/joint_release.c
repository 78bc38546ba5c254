#include "job/joint/joint_release.h"

#include <sodium.h>

#include "core/check.h"
#include "core/error.h"
#include "crypto/prg.h"

static const message_type order_type = {"publish.order", DISCLOSE_CONTROL};

kith_status joint_release_order(uint32_t *order, uint64_t count, party *p, arena *memory,
                                kith_error *error)
{
    unsigned char seed[PRG_KEY_BYTES];
    prg *stream;
    ASSERT(count <= UINT32_MAX);
    if (party_self(p) == 0) {
        randombytes_buf(seed, sizeof seed);
        TRY(party_broadcast(p, &order_type, seed, sizeof seed, error));
    } else {
        TRY(party_recv(p, 0, &order_type, seed, sizeof seed, error));
    }
    /* The same seed gives the same permutation at all parties. */
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    TRY(prg_new(&stream, memory, seed, 0, 0, error));
    return prg_shuffle(stream, order, count, sizeof *order, error);
}

joint_release_loss joint_release_sum_loss(const problem *mine, uint32_t n_classes,
                                          const uint32_t *closure, const uint64_t *size)
{
    joint_release_loss sum = {0, 0};
    for (uint32_t c = 0; c < n_classes; c++)
        for (uint32_t a = 0; a < mine->n_attributes; a++) {
            const attribute *at = &mine->attributes[a];
            const uint32_t node = closure[(uint64_t)c * mine->n_attributes + a];
            ASSERT(size[c] > 0 && node < at->tree->n_nodes);
            if (at->tree->n_leaves > 1) /* with one leaf nothing can be lost */
                sum.lm += (double)size[c] * (tree_size(at->tree, node) - 1.0) /
                          (at->tree->n_leaves - 1.0);
            sum.weighted += (double)size[c] * at->cost[node];
        }
    return sum;
}

bool joint_release_loss_known(measure_id measure)
{
    return measure != MEASURE_ENTROPY && measure != MEASURE_MI;
}
