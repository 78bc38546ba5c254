#include "smc/circuits/circuit.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/circuits/gmw.h"

static const message_type share_type = {"circuit.share", DISCLOSE_MASKED};
static const message_type result_type = {"circuit.result", DISCLOSE_AGGREGATE};

/* A gate and its output, which have the same number. Inputs and constants have no gate. */
typedef struct gate {
    circuit_wire a, b;
    uint32_t depth : 31; /* layers of AND gates up to its output */
    uint32_t is_and : 1;
} gate;

/* Invariant: a gate's inputs have lower numbers than its output. */
struct circuit {
    arena *memory;
    uint32_t m;
    size_t n_inputs; /* of each party: wires 2 + party x n_inputs + i */
    gate *gates;
    size_t count, room;
    uint32_t depth;
    bool failed; /* out of memory */
};

/* --- building --- */

static circuit_wire add_gate(circuit *c, gate g)
{
    if (c->count == c->room) {
        const size_t room = arena_capacity(c->room, c->count + 1);
        gate *gates = room > UINT32_MAX
                          ? NULL
                          : arena_resize_array(c->memory, c->gates, c->room, room, sizeof *gates);
        if (gates == NULL) {
            c->failed = true;
            return CIRCUIT_ZERO;
        }
        c->gates = gates;
        c->room = room;
    }
    c->gates[c->count] = g;
    c->depth = g.depth > c->depth ? g.depth : c->depth;
    return (circuit_wire)c->count++;
}

circuit *circuit_new(arena *memory, uint32_t m, size_t n_inputs)
{
    circuit *c = arena_zalloc(memory, 1, sizeof *c);
    if (c == NULL || n_inputs > UINT32_MAX / 2 / m)
        return NULL;
    c->memory = memory;
    c->m = m;
    c->n_inputs = n_inputs;
    c->count = c->room = 2 + m * n_inputs;
    c->gates = arena_zalloc(memory, c->room, sizeof *c->gates);
    return c->gates == NULL ? NULL : c;
}

circuit_wire circuit_input(const circuit *c, uint32_t owner, size_t i)
{
    ASSERT(owner < c->m && i < c->n_inputs);
    return (circuit_wire)(2 + owner * c->n_inputs + i);
}

uint32_t circuit_depth(const circuit *c, circuit_wire a)
{
    ASSERT(a < c->count);
    return c->gates[a].depth;
}

static uint32_t max_depth(const circuit *c, circuit_wire a, circuit_wire b)
{
    const uint32_t x = circuit_depth(c, a), y = circuit_depth(c, b);
    return x > y ? x : y;
}

circuit_wire circuit_xor(circuit *c, circuit_wire a, circuit_wire b)
{
    if (a == b)
        return CIRCUIT_ZERO;
    if (a == CIRCUIT_ZERO || b == CIRCUIT_ZERO)
        return a ^ b; /* the other one */
    return add_gate(c, (gate){.a = a, .b = b, .depth = max_depth(c, a, b)});
}

circuit_wire circuit_and(circuit *c, circuit_wire a, circuit_wire b)
{
    if (a == b || b == CIRCUIT_ONE)
        return a;
    if (a == CIRCUIT_ONE)
        return b;
    if (a == CIRCUIT_ZERO || b == CIRCUIT_ZERO)
        return CIRCUIT_ZERO;
    return add_gate(c, (gate){.a = a, .b = b, .depth = max_depth(c, a, b) + 1, .is_and = 1});
}

circuit_wire circuit_or(circuit *c, circuit_wire a, circuit_wire b)
{
    return circuit_not(c, circuit_and(c, circuit_not(c, a), circuit_not(c, b)));
}

circuit_wire circuit_and_all(circuit *c, circuit_wire *wires, size_t n)
{
    while (n > 1) {
        const size_t half = n / 2;
        for (size_t i = 0; i < half; i++)
            wires[i] = circuit_and(c, wires[i], wires[n - 1 - i]);
        n -= half;
    }
    return wires[0];
}

circuit_wire circuit_or_all(circuit *c, circuit_wire *wires, size_t n)
{
    for (size_t i = 0; i < n; i++)
        wires[i] = circuit_not(c, wires[i]);
    return circuit_not(c, circuit_and_all(c, wires, n));
}

/* --- evaluating --- */

/* The gates in the order of evaluation: by layer, in each the AND gates, then the others by number.
 * Part 2d of `start` is the first AND gate of layer d, part 2d + 1 the first XOR gate. */
typedef struct schedule {
    circuit_wire *order;
    size_t *start;    /* [2 x depth + 3] */
    size_t n_words;   /* of AND gates, each layer filled up */
    size_t max_words; /* of one layer */
} schedule;

static size_t part_of(const gate *g)
{
    return 2 * (size_t)g->depth + !g->is_and;
}

/* `copies`: words of each gate; 0: there is one copy, whose gates share words. */
static kith_status make_schedule(schedule *s, const circuit *c, size_t copies, arena *memory,
                                 kith_error *error)
{
    const size_t first = 2 + c->m * c->n_inputs, n_parts = 2 * (size_t)c->depth + 2;
    *s = (schedule){0};
    s->order = TRY_ALLOC(arena_array(memory, c->count - first + 1, sizeof *s->order), error);
    s->start = TRY_ALLOC(arena_zalloc(memory, n_parts + 2, sizeof *s->start), error);
    for (size_t i = first; i < c->count; i++)
        s->start[part_of(&c->gates[i]) + 2]++;
    for (size_t part = 1; part <= n_parts; part++)
        s->start[part + 1] += s->start[part];
    for (size_t i = first; i < c->count; i++)
        s->order[s->start[part_of(&c->gates[i]) + 1]++] = (circuit_wire)i;
    for (uint32_t d = 1; d <= c->depth; d++) {
        const size_t n_ands = s->start[2 * d + 1] - s->start[2 * d];
        const size_t words = copies == 0 ? smc_words(n_ands) : n_ands * copies;
        s->n_words += words;
        s->max_words = words > s->max_words ? words : s->max_words;
    }
    return KITH_OK;
}

/* A party that is neither A nor B has a stream in common with A, which is A's share; B gets the
 * bits masked with it. */
static kith_status send_shares(const smc_call *call, uint64_t *scratch, const uint64_t *mine,
                               size_t words, kith_error *error)
{
    prg *stream;
    TRY(smc_stream(&stream, call, call->roles.a, "smc circuit", 0, error));
    TRY(prg_bytes(stream, scratch, words * sizeof *scratch, error));
    for (size_t w = 0; w < words; w++)
        scratch[w] ^= mine[w];
    return smc_send(call->party, call->roles.b, &share_type, scratch, words * sizeof *scratch,
                    error);
}

/* A's or B's share of the bits of one party, which is not the other holder: their own bits are
 * their shares. */
static kith_status get_shares(const smc_call *call, uint64_t *bits, uint32_t from,
                              const uint64_t *mine, size_t words, kith_error *error)
{
    prg *stream;
    if (from == party_self(call->party)) {
        memcpy(bits, mine, words * sizeof *bits);
        return KITH_OK;
    }
    if (!smc_is_a(call))
        return smc_recv(call->party, from, &share_type, bits, words * sizeof *bits, error);
    TRY(smc_stream(&stream, call, from, "smc circuit", 0, error));
    return prg_bytes(stream, bits, words * sizeof *bits, error);
}

static kith_status share_inputs(const smc_call *call, const circuit *c, uint8_t *shares,
                                const uint64_t *mine, kith_error *error)
{
    const size_t words = smc_words(c->n_inputs);
    uint64_t *bits = TRY_ALLOC(secret_memory_array(call->scratch, words, sizeof *bits), error);
    if (!smc_holds_share(call))
        return send_shares(call, bits, mine, words, error);
    shares[CIRCUIT_ONE] = smc_is_a(call);
    for (uint32_t from = 0; from < c->m; from++) {
        if (from == smc_other_holder(call))
            continue;
        TRY(get_shares(call, bits, from, mine, words, error));
        for (size_t i = 0; i < c->n_inputs; i++)
            shares[circuit_input(c, from, i)] = (uint8_t)smc_bit(bits, i);
    }
    return KITH_OK;
}

/* One layer: its AND gates in one exchange, then its XOR gates. */
static kith_status run_layer(gmw *g, const circuit *c, const schedule *s, uint32_t depth,
                             uint8_t *shares, uint64_t *x, uint64_t *y, kith_error *error)
{
    const circuit_wire *ands = s->order + s->start[2 * depth];
    const size_t n_ands = s->start[2 * depth + 1] - s->start[2 * depth], words = smc_words(n_ands);
    if (n_ands > 0) {
        memset(x, 0, words * sizeof *x);
        memset(y, 0, words * sizeof *y);
        for (size_t i = 0; i < n_ands; i++) {
            const gate *of = &c->gates[ands[i]];
            x[i / 64] |= (uint64_t)shares[of->a] << i % 64;
            y[i / 64] |= (uint64_t)shares[of->b] << i % 64;
        }
        TRY(gmw_and(g, x, x, y, words, error));
        for (size_t i = 0; i < n_ands; i++)
            shares[ands[i]] = (uint8_t)smc_bit(x, i);
    }
    for (size_t i = s->start[2 * depth + 1]; i < s->start[2 * depth + 2]; i++) {
        const gate *of = &c->gates[s->order[i]];
        shares[s->order[i]] = shares[of->a] ^ shares[of->b];
    }
    return KITH_OK;
}

static kith_status evaluate(const smc_call *call, const circuit *c, uint64_t *out,
                            const circuit_wire *opened, size_t n_opened, const uint64_t *mine,
                            kith_error *error)
{
    arena *scratch = call->scratch;
    const size_t words = smc_words(n_opened);
    uint8_t *shares = TRY_ALLOC(secret_memory_array(scratch, c->count, 1), error);
    uint64_t *last = TRY_ALLOC(secret_memory_array(scratch, words, sizeof *last), error);
    schedule s;
    gmw *g;
    TRY(make_schedule(&s, c, 0, scratch, error));
    TRY(share_inputs(call, c, shares, mine, error));
    TRY(gmw_new(&g, call, s.n_words, error));
    if (smc_holds_share(call)) {
        uint64_t *x = TRY_ALLOC(secret_memory_array(scratch, s.max_words, sizeof *x), error);
        uint64_t *y = TRY_ALLOC(secret_memory_array(scratch, s.max_words, sizeof *y), error);
        for (uint32_t depth = 0; depth <= c->depth; depth++)
            TRY(run_layer(g, c, &s, depth, shares, x, y, error));
        for (size_t i = 0; i < n_opened; i++)
            smc_set_bit(last, i, shares[opened[i]]);
    }
    TRY(gmw_open(g, out, last, words, error));
    TRY(party_flush(call->party, error));
    if (smc_is_hub(call))
        smc_trim(out, n_opened);
    return smc_forward_bits(call->party, &result_type, out, n_opened, call->output.receiver, error);
}

kith_status circuit_open_to(const circuit *c, party *p, uint64_t *out, const circuit_wire *opened,
                            size_t n_opened, const uint64_t *mine, uint32_t receiver,
                            kith_error *error)
{
    smc_call call;
    if (c->failed)
        return error_nomem(error);
    ASSERT(c->m == party_count(p) && n_opened > 0);
    TRY(smc_call_open(&call, p, "circuit", (smc_output){receiver, NULL}, error));
    return smc_call_close(&call, evaluate(&call, c, out, opened, n_opened, mine, error), 0);
}

kith_status circuit_open(const circuit *c, party *p, uint64_t *out, const circuit_wire *opened,
                         size_t n_opened, const uint64_t *mine, kith_error *error)
{
    return circuit_open_to(c, p, out, opened, n_opened, mine, SMC_ALL, error);
}

/* --- copies --- */

/* Puts the bits of one party into the copies, at its position in each. */
static void take_positions(const circuit *c, uint64_t *shares, const uint64_t *bits, uint32_t from,
                           const circuit_copies *copies)
{
    const size_t words = smc_words(copies->count);
    if (copies->positions == NULL) {
        memcpy(shares + circuit_input(c, from, 0) * words, bits,
               c->n_inputs * words * sizeof *bits);
        return;
    }
    for (size_t copy = 0; copy < copies->count; copy++) {
        uint32_t position = 0;
        while (copies->positions[copy * c->m + position] != from)
            position++;
        uint64_t *to = shares + circuit_input(c, position, 0) * words;
        for (size_t i = 0; i < c->n_inputs; i++)
            to[i * words + copy / 64] |= (uint64_t)smc_bit(bits + i * words, copy) << copy % 64;
    }
}

static kith_status share_copies(const smc_call *call, const circuit *c, uint64_t *shares,
                                const uint64_t *mine, const circuit_copies *copies,
                                kith_error *error)
{
    const size_t words = smc_words(copies->count), n = c->n_inputs * words;
    uint64_t *bits = TRY_ALLOC(secret_memory_array(call->scratch, n, sizeof *bits), error);
    if (!smc_holds_share(call))
        return send_shares(call, bits, mine, n, error);
    for (size_t w = 0; w < words; w++)
        shares[CIRCUIT_ONE * words + w] = smc_is_a(call) ? ~UINT64_C(0) : 0;
    for (uint32_t from = 0; from < c->m; from++) {
        if (from == smc_other_holder(call))
            continue;
        TRY(get_shares(call, bits, from, mine, n, error));
        take_positions(c, shares, bits, from, copies);
    }
    return KITH_OK;
}

/* One layer of all copies: a wire is a row of words. */
static kith_status run_layer_of_copies(gmw *g, const circuit *c, const schedule *s, uint32_t depth,
                                       uint64_t *shares, uint64_t *x, uint64_t *y, size_t words,
                                       kith_error *error)
{
    const circuit_wire *ands = s->order + s->start[2 * depth];
    const size_t n_ands = s->start[2 * depth + 1] - s->start[2 * depth];
    for (size_t i = 0; i < n_ands; i++) {
        memcpy(x + i * words, shares + c->gates[ands[i]].a * words, words * sizeof *x);
        memcpy(y + i * words, shares + c->gates[ands[i]].b * words, words * sizeof *y);
    }
    if (n_ands > 0)
        TRY(gmw_and(g, x, x, y, n_ands * words, error));
    for (size_t i = 0; i < n_ands; i++)
        memcpy(shares + ands[i] * words, x + i * words, words * sizeof *x);
    for (size_t i = s->start[2 * depth + 1]; i < s->start[2 * depth + 2]; i++) {
        const gate *of = &c->gates[s->order[i]];
        const uint64_t *a = shares + of->a * words, *b = shares + of->b * words;
        uint64_t *to = shares + s->order[i] * words;
        for (size_t w = 0; w < words; w++)
            to[w] = a[w] ^ b[w];
    }
    return KITH_OK;
}

static kith_status evaluate_copies(const smc_call *call, const circuit *c, uint64_t *out,
                                   const circuit_wire *opened, size_t n_opened,
                                   const uint64_t *mine, const circuit_copies *copies,
                                   kith_error *error)
{
    arena *scratch = call->scratch;
    const size_t words = smc_words(copies->count), n = n_opened * words;
    const size_t n_shares = smc_holds_share(call) ? c->count * words : 1; /* others have none */
    uint64_t *shares = TRY_ALLOC(secret_memory_array(scratch, n_shares, sizeof *shares), error);
    uint64_t *last = TRY_ALLOC(secret_memory_array(scratch, n, sizeof *last), error);
    schedule s;
    gmw *g;
    TRY(make_schedule(&s, c, words, scratch, error));
    TRY(share_copies(call, c, shares, mine, copies, error));
    TRY(gmw_new(&g, call, s.n_words, error));
    if (smc_holds_share(call)) {
        uint64_t *x = TRY_ALLOC(secret_memory_array(scratch, s.max_words, sizeof *x), error);
        uint64_t *y = TRY_ALLOC(secret_memory_array(scratch, s.max_words, sizeof *y), error);
        for (uint32_t depth = 0; depth <= c->depth; depth++)
            TRY(run_layer_of_copies(g, c, &s, depth, shares, x, y, words, error));
        for (size_t i = 0; i < n_opened; i++)
            memcpy(last + i * words, shares + opened[i] * words, words * sizeof *last);
    }
    TRY(gmw_open(g, out, last, n, error));
    TRY(party_flush(call->party, error));
    for (size_t i = 0; smc_is_hub(call) && i < n_opened; i++)
        smc_trim(out + i * words, copies->count);
    return smc_forward_bits(call->party, &result_type, out, 64 * n, SMC_ALL, error);
}

kith_status circuit_open_copies(const circuit *c, party *p, uint64_t *out,
                                const circuit_wire *opened, size_t n_opened, const uint64_t *mine,
                                const circuit_copies *copies, kith_error *error)
{
    smc_call call;
    if (c->failed)
        return error_nomem(error);
    ASSERT(c->m == party_count(p) && n_opened > 0 && copies->count > 0);
    TRY(smc_call_open(&call, p, "circuit", (smc_output){SMC_ALL, NULL}, error));
    kith_status status = evaluate_copies(&call, c, out, opened, n_opened, mine, copies, error);
    return smc_call_close(&call, status, 0);
}
