/* Primitives between processes, over TLS on loopback: a million bits between two, everything once
 * among three. Inputs follow from the party's number, so that each process knows what to expect. */
/* wrap: nothing */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/error.h"
#include "smc/compare/compare.h"
#include "smc/compare/kth.h"
#include "smc/compare/lca.h"
#include "smc/compare/logic.h"
#include "smc/sets/sets.h"
#include "smc/sums/sum.h"
#include "smc/sets/mix_union.h"
#include "support/loopback.h"

#define EXPECT(condition)                                                \
    do {                                                                 \
        if (!(condition))                                                \
            return error_set(error, KITH_BUG, "not so: %s", #condition); \
    } while (0)

static unsigned bit_of(uint32_t party_index, size_t k)
{
    return (k * 2654435761u >> (7 + party_index)) % 3 != 0;
}

static kith_status million_bits(party *p, void *user, kith_error *error)
{
    enum { N = 1000000 };
    const uint32_t self = party_self(p);
    uint64_t *in = arena_zalloc(party_memory(p), smc_words(N), sizeof *in);
    uint64_t *out = arena_zalloc(party_memory(p), smc_words(N), sizeof *out);
    (void)user;
    TRY_ALLOC(in, error);
    TRY_ALLOC(out, error);
    for (size_t k = 0; k < N; k++)
        smc_set_bit(in, k, bit_of(self, k));
    TRY(logic_and(p, out, in, N, SMC_ALL, error));
    for (size_t k = 0; k < N; k++)
        EXPECT(smc_bit(out, k) == (bit_of(0, k) & bit_of(1, k)));
    return KITH_OK;
}

/* Three parties with 1, 2 and 3 in most places. */
static kith_status sums_and_orders(party *p, kith_error *error)
{
    const uint64_t mine = party_self(p) + 1;
    uint64_t value[3] = {mine, 10 * mine, 0 - mine}, sum[3], bit = 0;
    int64_t small[2] = {(int64_t)mine, -(int64_t)mine}, least[2] = {6, -5}, found;
    kth_query median = {KTH_QUANTILE, 0, 100, 1, 2, 3};
    kth_values own = {small, 1};
    bool any;
    TRY(sum_masked(p, sum, value, 3, 0, SMC_ALL, error));
    EXPECT(sum[0] == 6 && sum[1] == 60 && sum[2] == 0 - UINT64_C(6));
    const compare_sums sums = {small, least, 2, NULL, 0, 10};
    TRY(compare_thresholds(p, &bit, &sums, (smc_output){SMC_ALL, "compare"}, error));
    EXPECT(bit == 1); /* 6 >= 6, but not -6 >= -5 */
    TRY(kth(p, &found, &any, &median, &own, 1, error));
    EXPECT(any && found == 2);
    bit = mine == 1 ? 3 : 1;
    TRY(logic_threshold(p, &bit, &bit, 2, 2, SMC_ALL, error));
    EXPECT(bit == 1);
    return KITH_OK;
}

static kith_status trees_and_sets(party *p, kith_error *error)
{
    static const uint32_t last[] = {4, 3, 2, 3, 4};
    const lca_tree tree = {5, last};
    const lca_query query = {&tree, 0};
    uint32_t node = party_self(p) == 2 ? LCA_NONE : 2 + party_self(p), ancestor;
    unsigned char row[2] = {(unsigned char)party_self(p), 9};
    mix_union_rows mine = {row, 2}, all;
    uint32_t key[2] = {7, party_self(p)};
    const commute_key keys[2] = {{&key[0], 4}, {&key[1], 4}};
    bool common[2];
    TRY(lca(p, &ancestor, &query, &node, 1, SMC_ALL, error));
    EXPECT(ancestor == 1);
    TRY(mix_union(p, &all, &mine, (mix_union_shape){.row_bytes = 1}, error));
    EXPECT(all.count == 4 && memcmp(all.bytes, "\0\1\2\11", 4) == 0);
    TRY(sets_intersection(p, common, keys, 2, 0, NULL, error));
    EXPECT(common[0] && !common[1]);
    return KITH_OK;
}

static kith_status everything(party *p, void *user, kith_error *error)
{
    (void)user;
    TRY(sums_and_orders(p, error));
    return trees_and_sets(p, error);
}

/* One process per party; all must end well. */
static void run_processes(uint32_t m, kith_status (*fn)(party *, void *, kith_error *))
{
    loopback b;
    pid_t child[LOOPBACK_MAX];
    loopback_init(&b, m, fn);
    for (uint32_t i = 0; i < m; i++) {
        child[i] = loopback_fork();
        if (child[i] == 0) {
            loopback_thread(&b.site[i]);
            if (b.site[i].status != KITH_OK)
                fprintf(stderr, "%s: %s\n", b.peer[i].name, b.site[i].error.message);
            _exit(b.site[i].status == KITH_OK ? 0 : 1);
        }
    }
    for (uint32_t i = 0; i < m; i++) {
        int status;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    loopback_free(&b);
}

static void two_processes_and_a_million_bits(void **state)
{
    (void)state;
    run_processes(2, million_bits);
}

static void three_processes_do_everything(void **state)
{
    (void)state;
    run_processes(3, everything);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_processes_and_a_million_bits),
        cmocka_unit_test(three_processes_do_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
