#include "protocol/joint_tree/joint_tree_numbers.h"

#include <string.h>

#include "core/error.h"

uint32_t joint_tree_numbers_width(uint64_t max)
{
    uint32_t width = 1;
    while (width < 64 && max >> width != 0)
        width++;
    return width;
}

/* Wires of few layers first; they mostly are in that order already. */
static void sort_by_depth(const circuit *c, circuit_wire *wires, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const circuit_wire wire = wires[i];
        const uint32_t depth = circuit_depth(c, wire);
        size_t to = i;
        for (; to > 0 && circuit_depth(c, wires[to - 1]) > depth; to--)
            wires[to] = wires[to - 1];
        wires[to] = wire;
    }
}

/* Adds wires of equal weight: returns the lowest bit of their number, and writes the carries. The
 * bit costs no layer, so that all carries of wires that are ready together are. */
static circuit_wire add_column(circuit *c, const circuit_wire *wires, size_t n,
                               circuit_wire *carries, size_t *n_carries)
{
    circuit_wire sum = n == 0 ? CIRCUIT_ZERO : wires[0];
    *n_carries = 0;
    for (size_t i = 1; i < n; i += 2) {
        const circuit_wire x = wires[i], y = i + 1 < n ? wires[i + 1] : CIRCUIT_ZERO;
        const circuit_wire sx = circuit_xor(c, sum, x);
        if (carries != NULL)
            carries[(*n_carries)++] =
                circuit_xor(c, circuit_and(c, sx, circuit_xor(c, sum, y)), sum);
        sum = circuit_xor(c, sx, y);
    }
    return sum;
}

kith_status joint_tree_numbers_sum(circuit *c, circuit_wire *out, uint32_t out_width,
                                   const circuit_wire *bits, size_t n, uint32_t width,
                                   arena *memory, kith_error *error)
{
    circuit_wire *column = TRY_ALLOC(arena_array(memory, 2 * n + 2, sizeof *column), error);
    circuit_wire *carries = TRY_ALLOC(arena_array(memory, 2 * n + 2, sizeof *carries), error);
    size_t n_carries = 0;
    for (uint32_t b = 0; b < out_width; b++) {
        size_t count = 0;
        for (size_t i = 0; b < width && i < n; i++)
            if (bits[i * width + b] != CIRCUIT_ZERO)
                column[count++] = bits[i * width + b];
        memcpy(column + count, carries, n_carries * sizeof *column);
        count += n_carries;
        sort_by_depth(c, column, count);
        out[b] = add_column(c, column, count, b + 1 < out_width ? carries : NULL, &n_carries);
    }
    return KITH_OK;
}

circuit_wire joint_tree_numbers_at_least(circuit *c, const circuit_wire *bits, uint32_t width,
                                         uint64_t min)
{
    circuit_wire reaches = CIRCUIT_ONE; /* the bits so far, their part of `min` */
    if (joint_tree_numbers_width(min) > width)
        return CIRCUIT_ZERO;
    for (uint32_t b = 0; b < width; b++)
        reaches = min >> b & 1 ? circuit_and(c, bits[b], reaches) : circuit_or(c, bits[b], reaches);
    return reaches;
}

circuit_wire joint_tree_numbers_greater(circuit *c, const circuit_wire *x, const circuit_wire *y,
                                        uint32_t width)
{
    circuit_wire greater[32] = {CIRCUIT_ZERO}, equal[32];
    ASSERT(width > 0 && width <= 32);
    for (uint32_t b = 0; b < width; b++) {
        const circuit_wire differ = circuit_xor(c, x[b], y[b]);
        greater[b] = circuit_and(c, x[b], differ);
        equal[b] = circuit_not(c, differ);
    }
    for (; width > 1; width -= width / 2) {
        for (uint32_t i = 0; i < width / 2; i++) {
            const uint32_t low = 2 * i, high = low + 1;
            greater[i] = circuit_xor(c, greater[high], circuit_and(c, equal[high], greater[low]));
            if (i > 0) /* the lowest span need not be equal */
                equal[i] = circuit_and(c, equal[high], equal[low]);
        }
        if (width % 2 == 1) {
            greater[width / 2] = greater[width - 1];
            equal[width / 2] = equal[width - 1];
        }
    }
    return greater[0];
}

void joint_tree_numbers_decode(circuit *c, circuit_wire *out, const circuit_wire *bits,
                               uint32_t width, uint32_t max)
{
    out[0] = CIRCUIT_ONE;
    for (uint32_t b = 0; b < width; b++) {
        const uint32_t step = UINT32_C(1) << b;
        for (uint32_t i = 0; i < step && i <= max; i++) {
            if (i + step > max)
                continue; /* the bit is 0 if the lower ones are i */
            out[i + step] = circuit_and(c, out[i], bits[b]);
            out[i] = circuit_xor(c, out[i], out[i + step]);
        }
    }
}
