/* Numbers in circuits, for all small values, and how many layers they take. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/circuits/circuit_numbers.h"
#include "support/session.h"

enum { BITS = 64, OPENED = 4096 };

/* One circuit with many outputs, on BITS bits that are shared by exclusive or. */
typedef struct job {
    uint64_t bits;
    circuit_wire opened[PARTY_MAX][OPENED];
    size_t n_opened[PARTY_MAX];
    uint64_t wanted[OPENED]; /* written by party 0 */
    uint64_t out[PARTY_MAX][OPENED / 64];
} job;

static void open_wire(job *j, uint32_t self, circuit_wire wire, bool wanted)
{
    const size_t i = j->n_opened[self]++;
    assert_true(i < OPENED);
    j->opened[self][i] = wire;
    if (self == 0)
        j->wanted[i] = wanted;
}

/* The bits as numbers of `width` bits each: their sum, thresholds, order and decoding. */
static kith_status build(job *j, uint32_t self, circuit *c, const circuit_wire *x, uint32_t width,
                         arena *memory, kith_error *error)
{
    const uint32_t n = BITS / width, sum_width = circuit_numbers_width(n * ((1u << width) - 1));
    uint64_t total = 0, first = j->bits & ((1u << width) - 1),
             second = j->bits >> width & ((1u << width) - 1);
    circuit_wire sum[64], is[256];
    for (uint32_t i = 0; i < n; i++)
        total += j->bits >> i * width & ((1u << width) - 1);
    TRY(circuit_numbers_sum(c, sum, sum_width, x, n, width, memory, error));
    for (uint32_t b = 0; b < sum_width; b++) {
        open_wire(j, self, sum[b], total >> b & 1);
        assert_true(circuit_depth(c, sum[b]) <= b + 1);
    }
    for (uint64_t min = 0; min < total + 3; min += 1 + min / 9) {
        open_wire(j, self, circuit_numbers_at_least(c, sum, sum_width, min), total >= min);
        const uint64_t near = total + min % 3;
        open_wire(j, self, circuit_numbers_at_least(c, sum, sum_width, near), total >= near);
    }
    open_wire(j, self, circuit_numbers_at_least(c, sum, sum_width, UINT64_C(1) << sum_width),
              false);
    open_wire(j, self, circuit_numbers_greater(c, x, x + width, width), first > second);
    open_wire(j, self, circuit_numbers_greater(c, x + width, x, width), second > first);
    open_wire(j, self, circuit_numbers_greater(c, x, x, width), false);
    for (uint32_t max = (uint32_t)first; max < (1u << width); max += 1 + max / 5) {
        circuit_numbers_decode(c, is, x, width, max);
        for (uint32_t v = 0; v <= max; v++)
            open_wire(j, self, is[v], v == first);
    }
    return KITH_OK;
}

/* Signs of sums of 1, 2, … of the numbers, modulo 2^width, and sums that are reduced to two
 * numbers.
 */
static kith_status build_signs(job *j, uint32_t self, circuit *c, const circuit_wire *x,
                               uint32_t width, arena *memory, kith_error *error)
{
    uint64_t total = 0;
    uint32_t layers = 0;
    for (uint32_t bit = 1; bit < width; bit *= 2)
        layers++;
    for (size_t n = 1; n <= BITS / width; n++) {
        circuit_wire negative, reduced[BITS], sum[BITS];
        total += j->bits >> (n - 1) * width;
        TRY(circuit_numbers_negative(c, &negative, x, n, width, memory, error));
        open_wire(j, self, negative, total >> (width - 1) & 1);
        memcpy(reduced, x, n * width * sizeof *x);
        const size_t left = circuit_numbers_reduce(c, reduced, n, width);
        assert_int_equal(left, n < 2 ? n : 2);
        uint32_t depth = 0;
        for (size_t i = 0; i < left * width; i++)
            depth = circuit_depth(c, reduced[i]) > depth ? circuit_depth(c, reduced[i]) : depth;
        assert_true(n == 64 ? depth <= 10 : depth <= n);
        assert_true(circuit_depth(c, negative) <= depth + 1 + layers);
        TRY(circuit_numbers_sum(c, sum, width, reduced, left, width, memory, error));
        for (uint32_t b = 0; b < width; b++)
            open_wire(j, self, sum[b], total >> b & 1);
    }
    return KITH_OK;
}

static kith_status run_in(arena *memory, party *p, job *j, kith_error *error)
{
    const uint32_t self = party_self(p), m = party_count(p);
    circuit *c = circuit_new(memory, m, BITS);
    circuit_wire x[BITS];
    uint64_t mine = 0x9E3779B97F4A7C15u * (self + 1);
    for (uint32_t other = 0; self == 0 && other < m; other++)
        mine = other == 0 ? j->bits : mine ^ 0x9E3779B97F4A7C15u * (other + 1);
    for (uint32_t b = 0; b < BITS; b++) {
        x[b] = circuit_input(c, 0, b);
        for (uint32_t other = 1; other < m; other++)
            x[b] = circuit_xor(c, x[b], circuit_input(c, other, b));
    }
    for (uint32_t width = 1; width <= 5; width++)
        TRY(build(j, self, c, x, width, memory, error));
    static const uint32_t widths[] = {1, 2, 3, 7, 10, 21, 31, 32, 64};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        TRY(build_signs(j, self, c, x, widths[i], memory, error));
    return circuit_open(c, p, j->out[self], j->opened[self], j->n_opened[self], &mine, error);
}

static kith_status run(party *p, void *user, kith_error *error)
{
    arena *memory = arena_new();
    kith_status status = run_in(memory, p, user, error);
    arena_free(memory);
    return status;
}

static void computes_with_small_numbers(void **state)
{
    (void)state;
    static const uint64_t some[] = {
        0, UINT64_MAX, 1, 0x5555555555555555, 0x8000000000000000, 0x1084210842108421};
    rng r;
    rng_init(&r, 3, 3);
    for (size_t i = 0; i < 60; i++) {
        job *j = calloc(1, sizeof *j);
        j->bits =
            i < sizeof some / sizeof *some ? some[i] : rng_next(&r) & (i % 2 ? rng_next(&r) : ~0u);
        assert_int_equal(session_run(3, run, j), KITH_OK);
        assert_true(j->n_opened[0] > 100);
        for (size_t o = 0; o < j->n_opened[0]; o++)
            assert_int_equal(smc_bit(j->out[1], o), j->wanted[o]);
        free(j);
    }
}

static void knows_how_wide_numbers_are(void **state)
{
    (void)state;
    assert_int_equal(circuit_numbers_width(0), 1);
    assert_int_equal(circuit_numbers_width(1), 1);
    assert_int_equal(circuit_numbers_width(2), 2);
    assert_int_equal(circuit_numbers_width(255), 8);
    assert_int_equal(circuit_numbers_width(256), 9);
    assert_int_equal(circuit_numbers_width(UINT64_MAX), 64);
}

static void writes_numbers_bit_by_bit(void **state)
{
    (void)state;
    uint64_t bits[3] = {0};
    circuit_numbers_write(bits, 60, 0xABCDEF,
                          9); /* the lowest ones alone, over the edge of a word */
    circuit_numbers_write(bits, 128, UINT64_MAX, 64);
    circuit_numbers_write(bits, 100, UINT64_MAX, 0);
    assert_true(bits[0] == UINT64_C(0xF) << 60);
    assert_true(bits[1] == 0x1E);
    assert_true(bits[2] == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computes_with_small_numbers),
        cmocka_unit_test(writes_numbers_bit_by_bit),
        cmocka_unit_test(knows_how_wide_numbers_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
