/* Small numbers as parts of a circuit (smc/circuits/circuit.h): arrays of wires, the lowest bit first. XOR
 * gates are free, so sums are laid out for few layers of AND gates: one per bit of the result. */
#ifndef SMC_CIRCUITS_CIRCUIT_NUMBERS_H
#define SMC_CIRCUITS_CIRCUIT_NUMBERS_H

#include "smc/circuits/circuit.h"

/* Bits of the numbers 0 … max; at least 1. */
uint32_t circuit_numbers_width(uint64_t max);

/* out [out_width]: the sum of n numbers, bits[i * width + b], modulo 2^out_width. One gate for
 * every three wires of equal weight. */
kith_status circuit_numbers_sum(circuit *c, circuit_wire *out, uint32_t out_width,
                                const circuit_wire *bits, size_t n, uint32_t width, arena *memory,
                                kith_error *error) KITH_MUST_USE;

/* A party's input: `width` bits of the number from bit `first` on, the lowest first. */
void circuit_numbers_write(uint64_t *bits, size_t first, uint64_t number, uint32_t width);

/* n numbers of `width` bits become at most two with the same sum, modulo 2^width; returns how many
 * are left. A layer for every third that is saved: about log1.5(n / 2). */
size_t circuit_numbers_reduce(circuit *c, circuit_wire *numbers, size_t n, uint32_t width);

/* Is the sum of n numbers of `width` bits, modulo 2^width, negative: is its highest bit set?
 * Layers: the logarithms of n and of the width. */
kith_status circuit_numbers_negative(circuit *c, circuit_wire *negative, const circuit_wire *bits,
                                     size_t n, uint32_t width, arena *memory,
                                     kith_error *error) KITH_MUST_USE;

/* Is the number at least `min`, which is public? */
circuit_wire circuit_numbers_at_least(circuit *c, const circuit_wire *bits, uint32_t width,
                                      uint64_t min);
/* Is x greater than y? Layers: 1 and the logarithm of the width, at most 64. */
circuit_wire circuit_numbers_greater(circuit *c, const circuit_wire *x, const circuit_wire *y,
                                     uint32_t width);
/* out [max + 1]: is the number, which is at most `max`, 0, 1, …? */
void circuit_numbers_decode(circuit *c, circuit_wire *out, const circuit_wire *bits, uint32_t width,
                            uint32_t max);

#endif
