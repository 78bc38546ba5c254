#include "support/medley.h"

#include <string.h>

#include "core/error.h"
#include "smc/compare/at_least.h"
#include "smc/circuits/circuit.h"
#include "smc/compare/compare.h"
#include "smc/sets/homes.h"
#include "smc/compare/kth.h"
#include "smc/compare/lca.h"
#include "smc/compare/logic.h"
#include "smc/sets/sets.h"
#include "smc/sums/shared_sum.h"
#include "smc/sums/sum.h"
#include "smc/compare/trim.h"
#include "smc/sets/mix_union.h"

#define EXPECT(condition)                                                \
    do {                                                                 \
        if (user == NULL && !(condition))                                \
            return error_set(error, KITH_BUG, "not so: %s", #condition); \
    } while (0)

/* 1 + 2 + … + m: party i has i + 1. */
static uint64_t total(const party *p)
{
    return (uint64_t)party_count(p) * (party_count(p) + 1) / 2;
}

static kith_status try_masked(party *p, void *user, kith_error *error)
{
    const uint64_t mine = party_self(p) + 1;
    uint64_t value[2] = {mine, 0 - mine}, sum[2];
    TRY(sum_masked(p, sum, value, 2, 0, SMC_ALL, error));
    EXPECT(sum[0] == total(p) && sum[1] == 0 - total(p));
    return KITH_OK;
}

static const message_type share_type = {"medley.share", DISCLOSE_MASKED};

static kith_status try_shared(party *p, void *user, kith_error *error)
{
    const uint64_t value = party_self(p) + 1;
    const smc_roles roles = smc_assign(p, 0);
    uint64_t share = 0, other;
    smc_call call;
    TRY(smc_call_open(&call, p, "medley", (smc_output){0, NULL}, error));
    TRY(smc_call_close(&call, shared_sum(&call, &share, &value, 1, 0, error), 1));
    if (party_self(p) == roles.a)
        TRY(party_send(p, roles.b, &share_type, &share, sizeof share, error));
    if (party_self(p) != roles.b)
        return KITH_OK;
    TRY(party_recv(p, roles.a, &share_type, &other, sizeof other, error));
    EXPECT(share + other == total(p));
    return KITH_OK;
}

static kith_status try_logic(party *p, void *user, kith_error *error)
{
    uint64_t bits = party_self(p) == 0 ? 5 : 4, out = 9;
    TRY(logic_and(p, &out, &bits, 3, SMC_ALL, error));
    EXPECT(out == 4);
    TRY(logic_or(p, &out, &bits, 3, SMC_ALL, error));
    EXPECT(out == 5);
    return KITH_OK;
}

static kith_status try_threshold(party *p, void *user, kith_error *error)
{
    uint64_t bits = party_self(p) == 0 ? 3 : 1, out = 9;
    TRY(logic_threshold(p, &out, &bits, 2, 2, SMC_ALL, error));
    EXPECT(out == 1);
    return KITH_OK;
}

/* Parties after the second have nothing: sums of 3 and of 1. */
static kith_status try_at_least(party *p, void *user, kith_error *error)
{
    const bool some = party_self(p) < 2;
    const int64_t value[2] = {some ? 1 + (int64_t)party_self(p) : 0, party_self(p) == 0 ? 1 : 0};
    const int64_t least[2] = {3, 2};
    uint64_t bits = 9;
    const at_least_sums sums = {value, least, 2, 0};
    TRY(at_least(p, &bits, &sums, (smc_output){SMC_ALL, "at least"}, error));
    EXPECT(bits == 1);
    return KITH_OK;
}

static kith_status try_compare(party *p, void *user, kith_error *error)
{
    const int64_t sum = (int64_t)total(p), mine = (int64_t)party_self(p) + 1;
    const int64_t value[2] = {mine, -mine}, least[2] = {sum, 1 - sum};
    uint64_t bits = 9;
    const compare_sums sums = {value, least, 2, NULL, 0, 4096};
    TRY(compare_thresholds(p, &bits, &sums, (smc_output){SMC_ALL, "compare"}, error));
    EXPECT(bits == 1);
    return KITH_OK;
}

static kith_status try_dominates(party *p, void *user, kith_error *error)
{
    const int64_t sum = (int64_t)total(p), mine = (int64_t)party_self(p) + 1;
    const int64_t value[4] = {mine, mine, mine, mine}, least[4] = {sum, sum, 0, sum + 1};
    uint64_t bits = 9;
    const compare_block pair = {2, 2};
    const compare_sums sums = {value, least, 2, &pair, 1, 4096};
    TRY(compare_thresholds(p, &bits, &sums, (smc_output){SMC_ALL, "dominates"}, error));
    EXPECT(bits == 1);
    return KITH_OK;
}

/* Two of three components reach their thresholds in the first group, one in the second. */
static kith_status try_quorum(party *p, void *user, kith_error *error)
{
    const int64_t sum = (int64_t)total(p), mine = (int64_t)party_self(p) + 1;
    const int64_t value[6] = {mine, mine, mine, mine, mine, mine};
    const int64_t least[6] = {sum, sum, sum + 1, sum, sum + 1, sum + 1};
    uint64_t bits = 9;
    const compare_block two_of_three = {3, 2};
    const compare_sums sums = {value, least, 2, &two_of_three, 1, 4096};
    TRY(compare_thresholds(p, &bits, &sums, (smc_output){SMC_ALL, "quorum"}, error));
    EXPECT(bits == 1);
    return KITH_OK;
}

/* Have all a 1, and has any? Opened are the answers and their exclusive or. */
static kith_status open_circuit(party *p, arena *memory, uint64_t *bits, kith_error *error)
{
    const uint32_t m = party_count(p);
    const uint64_t mine = party_self(p) == 0 ? 1 : 3;
    circuit_wire first[PARTY_MAX], second[PARTY_MAX], opened[3];
    circuit *c = TRY_ALLOC(circuit_new(memory, m, 2), error);
    for (uint32_t i = 0; i < m; i++) {
        first[i] = circuit_input(c, i, 0);
        second[i] = circuit_input(c, i, 1);
    }
    opened[0] = circuit_and_all(c, first, m);
    opened[1] = circuit_not(c, circuit_or_all(c, second, m));
    opened[2] = circuit_xor(c, opened[0], opened[1]);
    return circuit_open(c, p, bits, opened, 3, &mine, error);
}

static kith_status try_circuit(party *p, void *user, kith_error *error)
{
    uint64_t bits = 9;
    arena *memory = TRY_ALLOC(arena_new(), error);
    kith_status status = open_circuit(p, memory, &bits, error);
    arena_free(memory);
    TRY(status);
    EXPECT(bits == 5);
    return KITH_OK;
}

/* Each party has two records of one value, the first one also two of another: two of each may stay,
 * of the first value those of the first party in the order, which is the last one. */
static kith_status try_trim(party *p, void *user, kith_error *error)
{
    const uint32_t m = party_count(p), self = party_self(p);
    const uint32_t mine[2] = {2, self == 0 ? 2 : 0};
    uint32_t order[PARTY_MAX], stay[2] = {9, 9};
    for (uint32_t i = 0; i < m; i++)
        order[i] = m - 1 - i;
    const trim_sets sets = {.count = 1,
                            .n_values = 2,
                            .scale = 1,
                            .times = 2,
                            .max_count = 3,
                            .mine = mine,
                            .order = order};
    TRY(trim(p, stay, &sets, error));
    EXPECT(stay[0] == (self == m - 1 ? 2u : 0u) && stay[1] == mine[1]);
    return KITH_OK;
}

static kith_status try_kth(party *p, void *user, kith_error *error)
{
    const int64_t mine = party_self(p) < 2 ? 1 : 3;
    const kth_query smallest = {KTH_SMALLEST, 0, 3, 1, 0, PARTY_MAX};
    const kth_values values = {&mine, 1};
    int64_t found = 9;
    bool any = false;
    TRY(kth(p, &found, &any, &smallest, &values, 1, error));
    EXPECT(any && found == 1);
    return KITH_OK;
}

/* Two leaves below node 1, one beside it. */
static const uint32_t last[] = {4, 3, 2, 3, 4};
static const lca_tree tree = {5, last};
static const lca_query query = {&tree, 0};

static uint32_t own_node(const party *p)
{
    return party_self(p) < 2 ? 2 + party_self(p) : LCA_NONE;
}

static kith_status try_lca(party *p, void *user, kith_error *error)
{
    uint32_t node = own_node(p), ancestor = 9;
    TRY(lca(p, &ancestor, &query, &node, 1, SMC_ALL, error));
    EXPECT(ancestor == 1);
    return KITH_OK;
}

static kith_status try_union(party *p, void *user, kith_error *error)
{
    unsigned char row[2] = {(unsigned char)party_self(p), 99};
    const mix_union_rows mine = {row, 2};
    mix_union_rows all;
    TRY(mix_union(p, &all, &mine, (mix_union_shape){.row_bytes = 1}, error));
    EXPECT(all.count == party_count(p) + 1 && all.bytes[party_count(p)] == 99);
    return KITH_OK;
}

/* Every party fills up to three rows. */
static kith_status try_capacity(party *p, void *user, kith_error *error)
{
    unsigned char row[2] = {(unsigned char)party_self(p), 99};
    const mix_union_rows mine = {row, 2};
    const mix_union_shape shape = {.row_bytes = 1, .multiset = true, .capacity = 3};
    mix_union_rows all;
    TRY(mix_union(p, &all, &mine, shape, error));
    EXPECT(all.count == 2 * (size_t)party_count(p) && all.bytes[party_count(p)] == 99);
    return KITH_OK;
}

/* One key that all have, one of the party alone. */
typedef struct two_keys {
    uint32_t number[2];
    commute_key key[2];
} two_keys;

static void set_keys(two_keys *k, const party *p)
{
    k->number[0] = 77;
    k->number[1] = party_self(p);
    for (int i = 0; i < 2; i++)
        k->key[i] = (commute_key){&k->number[i], sizeof k->number[i]};
}

static kith_status try_intersection(party *p, void *user, kith_error *error)
{
    two_keys k;
    bool common[2] = {false, true};
    set_keys(&k, p);
    TRY(sets_intersection(p, common, k.key, 2, 0, NULL, error));
    EXPECT(common[0] && !common[1]);
    return KITH_OK;
}

/* The common key counts at one party; with a capacity each brings a third one. */
static kith_status try_homes(party *p, void *user, kith_error *error)
{
    two_keys k;
    bool here[2] = {true, false}, any = false;
    set_keys(&k, p);
    for (size_t capacity = 0; capacity < 4; capacity += 3) {
        const homes_task task = {.keys = k.key, .n = 2, .capacity = capacity};
        TRY(homes_choose(p, here, &any, &task, error));
        EXPECT(any && here[1]);
    }
    return KITH_OK;
}

const medley_item medley[] = {
    {"masked sum", 2, try_masked},
    {"shared sum", 2, try_shared},
    {"and or", 2, try_logic},
    {"threshold", 2, try_threshold},
    {"compare", 2, try_compare},
    {"at least", 3, try_at_least},
    {"dominates", 2, try_dominates},
    {"quorum", 2, try_quorum},
    {"circuit", 2, try_circuit},
    {"trim", 2, try_trim},
    {"kth", 2, try_kth},
    {"lca", 2, try_lca},
    {"union", 2, try_union},
    {"union with capacity", 2, try_capacity},
    {"intersection", 2, try_intersection},
    {"homes", 2, try_homes},
};
const size_t medley_items = sizeof medley / sizeof *medley;

kith_status medley_all(party *p, void *user, kith_error *error)
{
    for (size_t i = 0; i < medley_items; i++) {
        if (party_count(p) < medley[i].least)
            continue;
        party_step(p, medley[i].name);
        TRY(medley[i].fn(p, user, error));
    }
    return KITH_OK;
}
