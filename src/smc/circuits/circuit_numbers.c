#include "smc/circuits/circuit_numbers.h"

#include <string.h>

#include "core/error.h"

uint32_t circuit_numbers_width(uint64_t max)
{
    uint32_t width = 1;
    while (width < 64 && max >> width != 0)
        width++;
    return width;
}

void circuit_numbers_write(uint64_t *bits, size_t first, uint64_t number, uint32_t width)
{
    for (uint32_t b = 0; b < width; b++)
        smc_set_bit(bits, first + b, number >> b & 1);
}

/* Adds wires of equal weight: returns the lowest bit of their number, and writes the carries. The
 * bit costs no layer, so that all carries of wires that are ready together are. */
static circuit_wire circuit_numbers_add_column(circuit *c, const circuit_wire *wires, size_t n,
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

kith_status circuit_numbers_sum(circuit *c, circuit_wire *out, uint32_t out_width,
                                const circuit_wire *bits, size_t n, uint32_t width, arena *memory,
                                kith_error *error)
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
        /* wires of few layers first; they mostly are in that order already */
        for (size_t i = 1; i < count; i++) {
            const circuit_wire wire = column[i];
            const uint32_t depth = circuit_depth(c, wire);
            size_t to = i;
            for (; to > 0 && circuit_depth(c, column[to - 1]) > depth; to--)
                column[to] = column[to - 1];
            column[to] = wire;
        }
        out[b] = circuit_numbers_add_column(c, column, count, b + 1 < out_width ? carries : NULL,
                                            &n_carries);
    }
    return KITH_OK;
}

/* Three numbers become two with the same sum: one gate per bit, one layer. */
static void add_three(circuit *c, circuit_wire *numbers, uint32_t width)
{
    circuit_wire *x = numbers, *y = x + width, *z = y + width, carry = CIRCUIT_ZERO;
    for (uint32_t b = 0; b < width; b++) {
        const circuit_wire xy = circuit_xor(c, x[b], y[b]);
        const circuit_wire next =
            circuit_xor(c, circuit_and(c, xy, circuit_xor(c, x[b], z[b])), x[b]);
        x[b] = circuit_xor(c, xy, z[b]);
        y[b] = carry;
        carry = next;
    }
}

/* Joins neighbouring spans of bits until one is left: a span decides if its upper half does, or
 * leaves it to the lower half, which does. Whether the lowest span leaves it is of no matter. */
static circuit_wire join_spans(circuit *c, circuit_wire *decides, circuit_wire *leaves,
                               uint32_t width)
{
    for (; width > 1; width -= width / 2) {
        for (uint32_t i = 0; i < width / 2; i++) {
            const uint32_t low = 2 * i, high = low + 1;
            decides[i] = circuit_xor(c, decides[high], circuit_and(c, leaves[high], decides[low]));
            if (i > 0)
                leaves[i] = circuit_and(c, leaves[high], leaves[low]);
        }
        if (width % 2 == 1) {
            decides[width / 2] = decides[width - 1];
            leaves[width / 2] = leaves[width - 1];
        }
    }
    return decides[0];
}

/* Does the sum of two numbers of `width` bits carry? Spans of bits generate or propagate a carry.
 */
static circuit_wire carries(circuit *c, const circuit_wire *x, const circuit_wire *y,
                            uint32_t width)
{
    circuit_wire generates[64] = {CIRCUIT_ZERO}, propagates[64];
    for (uint32_t b = 0; b < width; b++) {
        generates[b] = circuit_and(c, x[b], y[b]);
        propagates[b] = circuit_xor(c, x[b], y[b]);
    }
    return join_spans(c, generates, propagates, width);
}

/* Threes side by side, one layer at a time. */
size_t circuit_numbers_reduce(circuit *c, circuit_wire *numbers, size_t n, uint32_t width)
{
    while (n > 2) {
        size_t kept = 0;
        for (size_t i = 0; i < n; i += 3) {
            circuit_wire *three = numbers + i * width;
            const size_t left = n - i < 3 ? n - i : 2;
            if (n - i >= 3)
                add_three(c, three, width);
            memmove(numbers + kept * width, three, left * width * sizeof *three);
            kept += left;
        }
        n = kept;
    }
    return n;
}

kith_status circuit_numbers_negative(circuit *c, circuit_wire *negative, const circuit_wire *bits,
                                     size_t n, uint32_t width, arena *memory, kith_error *error)
{
    ASSERT(n > 0 && width > 0 && width <= 64);
    const uint32_t top = width - 1;
    circuit_wire *numbers = TRY_ALLOC(arena_array(memory, n * width, sizeof *numbers), error);
    memcpy(numbers, bits, n * width * sizeof *numbers);
    n = circuit_numbers_reduce(c, numbers, n, width);
    *negative = numbers[top];
    if (n == 2)
        *negative = circuit_xor(c, circuit_xor(c, numbers[top], numbers[width + top]),
                                carries(c, numbers, numbers + width, top));
    return KITH_OK;
}

circuit_wire circuit_numbers_at_least(circuit *c, const circuit_wire *bits, uint32_t width,
                                      uint64_t min)
{
    circuit_wire reaches = CIRCUIT_ONE; /* the bits so far, their part of `min` */
    if (circuit_numbers_width(min) > width)
        return CIRCUIT_ZERO;
    for (uint32_t b = 0; b < width; b++)
        reaches = min >> b & 1 ? circuit_and(c, bits[b], reaches) : circuit_or(c, bits[b], reaches);
    return reaches;
}

circuit_wire circuit_numbers_greater(circuit *c, const circuit_wire *x, const circuit_wire *y,
                                     uint32_t width)
{
    circuit_wire greater[64] = {CIRCUIT_ZERO}, equal[64];
    ASSERT(width > 0 && width <= 64);
    for (uint32_t b = 0; b < width; b++) {
        const circuit_wire differ = circuit_xor(c, x[b], y[b]);
        greater[b] = circuit_and(c, x[b], differ);
        equal[b] = circuit_not(c, differ);
    }
    return join_spans(c, greater, equal, width);
}

void circuit_numbers_decode(circuit *c, circuit_wire *out, const circuit_wire *bits, uint32_t width,
                            uint32_t max)
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
