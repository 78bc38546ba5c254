/* For valgrind: whole secure primitives, with the private inputs of every party marked as undefined
 * memory. What a party sends is marked as defined when its frame is sealed, what it learns when the
 * output is opened; memcheck then reports every other branch and address that depends on private
 * input. Links the library as it is built.
 *
 * usage: constant_time_primitives PARTIES [leak]    "leak" only branches on an input */
/* wrap: compare_thresholds logic_and_in_call crypto_box_seal */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>
#include <valgrind/memcheck.h>

#include "core/error.h"
#include "protocol/joint_rules/joint_tree_possible.h"
#include "smc/compare/at_least.h"
#include "smc/circuits/circuit.h"
#include "smc/compare/compare.h"
#include "smc/sets/homes.h"
#include "smc/compare/kth.h"
#include "smc/compare/lca.h"
#include "smc/compare/logic.h"
#include "smc/sets/mix_union.h"
#include "smc/sets/sets.h"
#include "smc/sums/shared_sum.h"
#include "smc/sums/sum.h"
#include "smc/compare/trim.h"
#include "wire/inproc.h"

enum { N = 100, WORDS = 2 };

static void hide(void *bytes, size_t length)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, length);
}

static void show(void *bytes, size_t length)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, length);
}

static void seal(void *user, uint32_t from, uint32_t to, const char *type, payload_copy *payload)
{
    (void)user;
    (void)from;
    (void)to;
    (void)type;
    show(payload->bytes, payload->length);
}

/* --- outputs that primitives open on the way --- */

kith_status __real_compare_thresholds(party *p, uint64_t *out, const compare_sums *sums,
                                      smc_output output, kith_error *error);
kith_status __wrap_compare_thresholds(party *p, uint64_t *out, const compare_sums *sums,
                                      smc_output output, kith_error *error);
kith_status __real_logic_and_in_call(const smc_call *call, uint64_t *out, const uint64_t *in,
                                     size_t n, kith_error *error);
kith_status __wrap_logic_and_in_call(const smc_call *call, uint64_t *out, const uint64_t *in,
                                     size_t n, kith_error *error);
int __real_crypto_box_seal(unsigned char *box, const unsigned char *message,
                           unsigned long long length, const unsigned char *key);
int __wrap_crypto_box_seal(unsigned char *box, const unsigned char *message,
                           unsigned long long length, const unsigned char *key);

/* kth opens the answer of every comparison. */
kith_status __wrap_compare_thresholds(party *p, uint64_t *out, const compare_sums *sums,
                                      smc_output output, kith_error *error)
{
    kith_status status = __real_compare_thresholds(p, out, sums, output, error);
    show(out, smc_words(sums->n_groups) * sizeof *out);
    return status;
}

/* lca reads its result from the answers. */
kith_status __wrap_logic_and_in_call(const smc_call *call, uint64_t *out, const uint64_t *in,
                                     size_t n, kith_error *error)
{
    kith_status status = __real_logic_and_in_call(call, out, in, n, error);
    show(out, smc_words(n) * sizeof *out);
    return status;
}

/* Party 0 opens its own boxes among those of the others. */
int __wrap_crypto_box_seal(unsigned char *box, const unsigned char *message,
                           unsigned long long length, const unsigned char *key)
{
    int failed = __real_crypto_box_seal(box, message, length, key);
    show(box, length + crypto_box_SEALBYTES);
    return failed;
}

/* --- the primitives --- */

/* Private numbers of a party: -4 … 4. */
static void numbers(int64_t *values, size_t n, uint32_t self)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (int64_t)(self * 7 + i) % 9 - 4;
    hide(values, n * sizeof *values);
}

static kith_status sums(party *p, kith_error *error)
{
    static const uint64_t moduli[] = {0, 1000003, (UINT64_C(1) << 61) - 1};
    for (unsigned k = 0; k < 3; k++) {
        uint64_t values[N], out[N];
        for (unsigned i = 0; i < N; i++)
            values[i] = party_self(p) + i;
        hide(values, sizeof values);
        TRY(sum_masked(p, out, values, N, moduli[k], SMC_ALL, error));
    }
    return KITH_OK;
}

static kith_status shared_sums(party *p, kith_error *error)
{
    uint64_t values[N], shares[N];
    uint8_t small[N], small_shares[N];
    smc_call call;
    for (unsigned i = 0; i < N; i++) {
        values[i] = party_self(p) + i;
        small[i] = (uint8_t)(party_self(p) + i);
    }
    hide(values, sizeof values);
    hide(small, sizeof small);
    TRY(smc_call_open(&call, p, "shared sum", (smc_output){SMC_ALL, NULL}, error));
    TRY(smc_call_close(&call, shared_sum(&call, shares, values, N, 0, error), N));
    TRY(smc_call_open(&call, p, "shared sum", (smc_output){SMC_ALL, NULL}, error));
    return smc_call_close(&call, shared_sum_bytes(&call, small_shares, small, N, 251, error), N);
}

static kith_status logic(party *p, kith_error *error)
{
    uint64_t in[WORDS] = {0x1234567890abcdef ^ party_self(p), 77 + party_self(p)}, out[WORDS];
    hide(in, sizeof in);
    TRY(logic_and(p, out, in, N, SMC_ALL, error));
    TRY(logic_or(p, out, in, N, SMC_ALL, error));
    return logic_threshold(p, out, in, N, 2, SMC_ALL, error);
}

static kith_status counts(party *p, kith_error *error)
{
    int64_t values[N], thresholds[N];
    uint64_t out[WORDS];
    if (party_count(p) == 2) /* at_least is for three and more */
        return KITH_OK;
    numbers(values, N, party_self(p));
    for (unsigned i = 0; i < N; i++)
        thresholds[i] = 1 + i % 5;
    const at_least_sums sums_of = {values, thresholds, N, 8};
    return at_least(p, out, &sums_of, (smc_output){SMC_ALL, "at least"}, error);
}

static kith_status comparisons(party *p, kith_error *error)
{
    static const compare_block all = {4, 4}, some[] = {{3, 2}, {1, 1}};
    const struct {
        size_t n_groups, n_blocks;
        const compare_block *blocks;
    } shapes[] = {{N, 0, NULL}, {N / 4, 1, &all}, {N / 4, 2, some}};
    int64_t values[N], thresholds[N];
    uint64_t out[WORDS];
    for (unsigned i = 0; i < N; i++)
        thresholds[i] = (int64_t)i % 5 - 2;
    for (unsigned k = 0; k < 3; k++) {
        numbers(values, N, party_self(p));
        const compare_sums asked = {.values = values,
                                    .thresholds = thresholds,
                                    .n_groups = shapes[k].n_groups,
                                    .blocks = shapes[k].blocks,
                                    .n_blocks = shapes[k].n_blocks,
                                    .bound = 1000};
        TRY(compare_thresholds(p, out, &asked, (smc_output){SMC_ALL, "compare"}, error));
    }
    return KITH_OK;
}

/* The bits of all parties, each ANDed with its neighbour's. */
static kith_status circuits(party *p, kith_error *error)
{
    uint64_t in[WORDS] = {0x1234567890abcdef ^ party_self(p), 77 + party_self(p)}, out[WORDS];
    circuit_wire opened[N];
    arena *memory = TRY_ALLOC(arena_new(), error);
    circuit *c = circuit_new(memory, party_count(p), N);
    for (unsigned i = 0; c != NULL && i < N; i++)
        opened[i] = circuit_or(c, circuit_input(c, 0, i), circuit_input(c, 1, (i + 1) % N));
    hide(in, sizeof in);
    kith_status status =
        c == NULL ? error_nomem(error) : circuit_open(c, p, out, opened, N, in, error);
    arena_free(memory);
    return status;
}

static kith_status trims(party *p, kith_error *error)
{
    uint32_t order[PARTY_MAX], fixed[] = {1, 0, 1}, mine[] = {2 + party_self(p), 40, 0}, stay[3];
    const trim_sets sets = {.count = 1,
                            .n_values = 3,
                            .scale = 1,
                            .times = 2,
                            .max_count = 15,
                            .fixed = fixed,
                            .mine = mine,
                            .order = order};
    for (uint32_t i = 0; i < party_count(p); i++)
        order[i] = i;
    hide(fixed, sizeof fixed);
    hide(mine, sizeof mine);
    return trim(p, stay, &sets, error);
}

/* The question of the joint tree with diversity by frequency, which looks at counts of values. */
static kith_status ask_possible(party *p, arena *memory, kith_error *error)
{
    const model_spec model = {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 4};
    const sensitive_attribute values = {.count = 5};
    const problem mine = {
        .k = 6, .n_models = 1, .models = &model, .n_sensitive = 1, .sensitive = &values};
    const protocol_options options = {0};
    const rows_task task = {.mine = &mine, .options = &options};
    uint32_t tallies[] = {8, 2, 3 + party_self(p), 1, 1, 1, 1, 0, 0, 0, 1, 0};
    joint_tree_loss losses[] = {{JOINT_TREE_LOSS_REST, 9, 2 + party_self(p)},
                                {JOINT_TREE_LOSS_ALL, 1, 0}};
    const uint64_t names[] = {1, 2};
    const joint_tree_questions all = {
        .count = 2, .tallies = tallies, .names = names, .exact = true};
    uint64_t fit = 0, spared = 0;
    joint_tree_rules rules;
    TRY(joint_tree_rules_init(&rules, &task, p, memory, error));
    rules.max_size = 100;
    hide(tallies, sizeof tallies);
    for (unsigned i = 0; i < 2; i++) {
        hide(&losses[i].kept, sizeof losses[i].kept);
        hide(&losses[i].lost, sizeof losses[i].lost);
    }
    return joint_tree_possible_ask(&rules, p, &fit, &spared, &all, losses, error);
}

static kith_status questions(party *p, kith_error *error)
{
    arena *memory = TRY_ALLOC(arena_new(), error);
    kith_status status = ask_possible(p, memory, error);
    arena_free(memory);
    return status;
}

static kith_status ancestors(party *p, kith_error *error)
{
    static const uint32_t last[] = {4, 3, 2, 3, 4};
    static const lca_tree shape = {5, last};
    static const lca_query queries[] = {{&shape, 0}, {&shape, 0}, {&shape, 1}, {&shape, 4}};
    uint32_t nodes[] = {2 + party_self(p) % 2, LCA_NONE, 2, 4}, out[4];
    hide(nodes, sizeof nodes);
    return lca(p, out, queries, nodes, 4, SMC_ALL, error);
}

static kith_status order(party *p, kith_error *error)
{
    static const kth_query queries[] = {{KTH_SMALLEST, 0, 15, 2, 0, 20},
                                        {KTH_LARGEST, 0, 15, 1, 0, 20},
                                        {KTH_QUANTILE, 0, 15, 1, 2, 20}};
    int64_t values[] = {1, 2, 5, 7, 9 + party_self(p)}, out[3];
    const kth_values mine[] = {{values, 5}, {values, 5}, {values, 5}};
    bool found[3];
    hide(values, sizeof values);
    return kth(p, out, found, queries, mine, 3, error);
}

static kith_status sets(party *p, kith_error *error)
{
    uint32_t ids[] = {1, 2, 30 + party_self(p), 9};
    commute_key keys[4];
    bool common[4];
    for (unsigned i = 0; i < 4; i++)
        keys[i] = (commute_key){&ids[i], sizeof ids[i]};
    hide(ids, sizeof ids);
    return sets_intersection(p, common, keys, 4, 0, NULL, error);
}

static kith_status homes(party *p, kith_error *error)
{
    uint32_t ids[] = {1, 2, 30 + party_self(p), 9};
    commute_key keys[4];
    bool here[4], any;
    for (unsigned i = 0; i < 4; i++)
        keys[i] = (commute_key){&ids[i], sizeof ids[i]};
    hide(ids, sizeof ids);
    for (size_t capacity = 0; capacity < 6; capacity += 5) {
        const homes_task task = {.keys = keys, .n = 4, .capacity = capacity};
        TRY(homes_choose(p, here, &any, &task, error));
    }
    return KITH_OK;
}

static kith_status unions(party *p, kith_error *error)
{
    static const mix_union_shape shapes[] = {{.row_bytes = 4},
                                             {.row_bytes = 4, .multiset = true, .capacity = 7}};
    for (unsigned k = 0; k < 2; k++) {
        unsigned char rows[5 * 4];
        mix_union_rows mine = {rows, 5}, all;
        for (unsigned i = 0; i < sizeof rows; i++)
            rows[i] = (unsigned char)(3 * i + party_self(p));
        hide(rows, sizeof rows);
        TRY(mix_union(p, &all, &mine, shapes[k], error));
    }
    return KITH_OK;
}

static const struct {
    const char *name;
    kith_status (*fn)(party *p, kith_error *error);
} primitives[] = {{"sum", sums},
                  {"shared_sum", shared_sums},
                  {"and, or, threshold", logic},
                  {"at_least", counts},
                  {"compare, dominates, quorum", comparisons},
                  {"circuit", circuits},
                  {"trim", trims},
                  {"possible classes", questions},
                  {"lca", ancestors},
                  {"kth", order},
                  {"sets", sets},
                  {"homes", homes},
                  {"union", unions}};

static kith_status take_part(party *p, void *user, kith_error *error)
{
    if (*(const bool *)user) {
        uint64_t bits = 3;
        hide(&bits, sizeof bits);
        if (bits == 3)
            puts("the input is 3");
        return KITH_OK;
    }
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++) {
        party_step(p, primitives[i].name);
        TRY(primitives[i].fn(p, error));
    }
    return KITH_OK;
}

int main(int argc, char **argv)
{
    bool leak = argc > 2 && strcmp(argv[2], "leak") == 0;
    const uint32_t m = argc > 1 ? (uint32_t)atoi(argv[1]) : 3;
    /* Under valgrind everything takes long: no deadline is meant to pass. */
    const inproc_options options = {.deadline_ms = 600000, .payload = {seal, NULL}};
    kith_error errors[PARTY_MAX] = {0};
    void *users[PARTY_MAX];
    for (uint32_t i = 0; i < m && i < PARTY_MAX; i++)
        users[i] = &leak;
    kith_status status = inproc_run(m, NULL, &options, take_part, users, errors);
    for (uint32_t i = 0; i < m && status != KITH_OK; i++)
        fprintf(stderr, "site%u: %s\n", i + 1, errors[i].message);
    puts(status == KITH_OK ? "done" : "failed");
    return status == KITH_OK ? 0 : 1;
}
