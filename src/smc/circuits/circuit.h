/* Any Boolean circuit on private bits of all parties, of which only chosen wires are opened.
 *
 * From:   Goldreich, Micali, Wigderson (1987); see gmw.h, which evaluates the gates.
 * Model:  semi-honest; that of gmw.h: m > 2: no two of A, B and the hub may collude; m = 2:
 *         oblivious transfer.
 * Output: the opened wires, at all parties or at one; the entry in the ledger is the caller's.
 * Leaks:  nothing. The circuit itself is public.
 * Cost:   n input bits per party: circuit.share (masked): m-2 messages of n/8 bytes; gates as in
 *         gmw.h, each layer filled up to 64: gmw.triple (masked), gmw.and (masked), gmw.open
 *         (masked); if m = 2, also ot.columns (masked), and the first time ot.trees (masked),
 *         ot.offer (blinded) and ot.answer (blinded); unless there is one receiver,
 *         circuit.result (aggregate): m-1 messages of one bit per opened wire. Rounds: one per
 *         layer of AND gates and 3; if m = 2, 4 more the first time.
 *         Copies cost as much as so many circuits, each gate and each bit rounded up to 64 copies.
 *
 * All parties build the same circuit, from the inputs to the outputs. A wire is a number; gates of
 * constants and of equal wires are folded away. Memory that runs out while a circuit is built is
 * reported by circuit_open. */
#ifndef SMC_CIRCUITS_CIRCUIT_H
#define SMC_CIRCUITS_CIRCUIT_H

#include "smc/smc.h"

typedef uint32_t circuit_wire;
#define CIRCUIT_ZERO ((circuit_wire)0)
#define CIRCUIT_ONE ((circuit_wire)1)

typedef struct circuit circuit;

/* Each of m parties has n_inputs bits. Lives in `memory`; NULL if that runs out. */
circuit *circuit_new(arena *memory, uint32_t m, size_t n_inputs);
/* Bit i of a party. */
circuit_wire circuit_input(const circuit *c, uint32_t owner, size_t i);

circuit_wire circuit_xor(circuit *c, circuit_wire a, circuit_wire b);
circuit_wire circuit_and(circuit *c, circuit_wire a, circuit_wire b);
circuit_wire circuit_or(circuit *c, circuit_wire a, circuit_wire b);
static inline circuit_wire circuit_not(circuit *c, circuit_wire a)
{
    return circuit_xor(c, a, CIRCUIT_ONE);
}
/* Layers of AND gates below a wire. */
uint32_t circuit_depth(const circuit *c, circuit_wire a);
/* The AND of n > 0 wires; the array is used up. */
circuit_wire circuit_and_all(circuit *c, circuit_wire *wires, size_t n);
circuit_wire circuit_or_all(circuit *c, circuit_wire *wires, size_t n);

/* `out`, packed (smc.h): the opened wires. `mine`, packed: this party's input bits. */
kith_status circuit_open_to(const circuit *c, party *p, uint64_t *out, const circuit_wire *opened,
                            size_t n_opened, const uint64_t *mine, uint32_t receiver,
                            kith_error *error) KITH_MUST_USE;
/* To all parties. */
kith_status circuit_open(const circuit *c, party *p, uint64_t *out, const circuit_wire *opened,
                         size_t n_opened, const uint64_t *mine, kith_error *error) KITH_MUST_USE;

/* Many copies of a circuit, evaluated side by side: layers, hence rounds, are those of one. */
typedef struct circuit_copies {
    size_t count;
    /* [count * m] public: the party whose bits are those of owner 0, 1, … in each copy; NULL: party
     * 0, 1, … in all of them */
    const uint32_t *positions;
} circuit_copies;

/* The same for all copies. A row of smc_words(count) words holds one bit of every copy; `mine` has
 * a row for each input bit, `out` for each opened wire. */
kith_status circuit_open_copies(const circuit *c, party *p, uint64_t *out,
                                const circuit_wire *opened, size_t n_opened, const uint64_t *mine,
                                const circuit_copies *copies, kith_error *error) KITH_MUST_USE;

#endif
