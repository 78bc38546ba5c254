/* Parties that send messages which contradict what the others know: all others name them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/error.h"
#include "protocol/rows/rows_diversity.h"
#include "protocol/rows/rows_finish_rounds.h"
#include "protocol/rows/rows_turn.h"
#include "smc/sums/sum.h"
#include "support/distributed.h"

enum { PARTIES = 3, LIAR = 1, RECORDS = 120, VALUES = 4 };

static const problem_shape shape = {
    .n_records = RECORDS, .n_attributes = 3, .n_leaves = 12, .width = 3, .skew = 2, .k = 6};

typedef enum lie {
    ONE_RECORD_MORE,
    LOST_CLUSTER,
    NARROW_CLOSURE,
    UNKNOWN_CLUSTER,
    UNKNOWN_NODE,
    MANY_QUESTIONS,
    LIES
} lie;

static lie told;

/* Steps 1 to 3, in which all parties are honest. */
static kith_status begin(rows_state *v, kith_error *error)
{
    const uint32_t n_parts = sequential_parts(RECORDS, shape.k);
    uint32_t list[RECORDS];
    TRY(rows_state_accept_task(v, error));
    TRY(rows_state_init(v, error));
    TRY(rows_state_begin(v, error));
    site_choices_distribute(&v->site_choices, v->block_pass.sites.records, v->mine->n_records,
                            n_parts, &v->rng);
    TRY(site_choices_create_clusters(&v->site_choices, n_parts, error));
    for (uint32_t i = 0; i < n_parts; i++)
        list[i] = i;
    TRY(rows_exchange_compute(v, list, n_parts, NULL, error));
    clusters_compact(&v->c);
    return clusters_arrange(&v->c, error);
}

/* Step 19 with a change of the clusters that no move of the pivot's own records explains. */
static kith_status lie_about_clusters(rows_state *v, kith_error *error)
{
    rows_exchange before = {0};
    TRY(rows_exchange_save(&before, v, error));
    if (told == ONE_RECORD_MORE)
        v->c.size[0]++;
    else if (told == LOST_CLUSTER)
        v->c.size[0] = 0;
    else
        slots_start(&v->rows, rows_state_closure(v, 0), 0);
    return rows_exchange_share(v, &before, LIAR, true, error);
}

/* Step 6 with a question that makes no sense. */
static kith_status lie_in_a_question(const rows_state *v, kith_error *error)
{
    static const message_type count_type = {"cluster.count", DISCLOSE_CHOICE};
    static const message_type ask_type = {"cluster.ask", DISCLOSE_CHOICE};
    uint32_t count = told == MANY_QUESTIONS ? UINT32_MAX : 1, ask[3] = {0, 0, 0};
    ask[told == UNKNOWN_CLUSTER ? 0 : 2] = 1000000;
    TRY(party_broadcast(v->p, &count_type, &count, sizeof count, error));
    return told == MANY_QUESTIONS ? KITH_OK
                                  : party_broadcast(v->p, &ask_type, ask, sizeof ask, error);
}

static kith_status run_with_a_liar(rows_result *result, party *p, const rows_task *task,
                                   kith_error *error)
{
    rows_state v = {
        .p = p, .task = task, .mine = task->mine, .memory = task->context->memory, .n = RECORDS};
    rows_turn turn;
    (void)result;
    TRY(begin(&v, error));
    TRY(rows_turn_init(&turn, &v, error));
    if (party_self(p) == LIAR)
        return told < UNKNOWN_CLUSTER ? lie_about_clusters(&v, error)
                                      : lie_in_a_question(&v, error);
    if (told >= UNKNOWN_CLUSTER)
        return rows_turn_run(&turn, &v, LIAR, error);
    TRY(rows_exchange_save(&turn.exchange, &v, error));
    return rows_exchange_share(&v, &turn.exchange, LIAR, false, error);
}

static void the_liar_is_named(void **state)
{
    (void)state;
    static const char *const words[LIES] = {
        [ONE_RECORD_MORE] = "sent an inconsistent clustering",
        [LOST_CLUSTER] = "sent an inconsistent clustering",
        [NARROW_CLOSURE] = "sent an inconsistent clustering",
        [UNKNOWN_CLUSTER] = "asked about an unknown cluster or node",
        [UNKNOWN_NODE] = "asked about an unknown cluster or node",
        [MANY_QUESTIONS] = "announces 4294967295 questions",
    };
    for (told = 0; told < LIES; told++) {
        distributed j;
        search_spec usual = {0};
        distributed_init(&j, &shape, PARTIES, 3, NULL);
        assert_int_equal(distributed_run(&j, run_with_a_liar, &usual, NULL), KITH_PEER);
        bool said = false;
        for (uint32_t i = 0; i < PARTIES; i++) {
            if (i == LIAR)
                continue;
            assert_int_equal(j.error[i].status, KITH_PEER);
            /* One party finds the fault; another may hear of it before it looks itself. */
            assert_non_null(strstr(j.error[i].message, "site2"));
            said = said || strstr(j.error[i].message, words[told]) != NULL;
        }
        assert_true(said);
        distributed_wipe(&j);
    }
}

/* The pivot tells the closure of a cluster that is too small for that. It holds all records, so
 * that nothing else is wrong with what it says. */
static kith_status tell_too_much(rows_result *result, party *p, const rows_task *task,
                                 kith_error *error)
{
    rows_state v = {
        .p = p, .task = task, .mine = task->mine, .memory = task->context->memory, .n = RECORDS};
    rows_exchange before = {0};
    (void)result;
    TRY(begin(&v, error));
    TRY(rows_exchange_save(&before, &v, error));
    if (party_self(p) == LIAR) {
        v.c.size[1] += v.c.size[0] - 1;
        v.c.size[0] = 1;
        slots_start(&v.rows, rows_state_closure(&v, 0), v.c.member[0][0]);
    }
    return rows_exchange_share(&v, &before, LIAR, true, error);
}

static void who_tells_what_is_withheld_is_named(void **state)
{
    (void)state;
    static const double share[] = {0, 1, 0};
    for (uint32_t withhold = 1; withhold < 3; withhold++) {
        distributed j;
        search_spec usual = {0};
        protocol_options options = {.partition = PARTITION_HORIZONTAL, .withhold = withhold};
        distributed_init(&j, &shape, PARTIES, 3, share);
        assert_int_equal(distributed_run(&j, tell_too_much, &usual, &options),
                         withhold == 1 ? KITH_OK : KITH_PEER);
        for (uint32_t i = 0; i < PARTIES && withhold > 1; i++)
            assert_true(i == LIAR || strstr(j.error[i].message, "site2") != NULL);
        distributed_wipe(&j);
    }
}

/* --- lies in sums, which cannot be traced --- */

/* One record more in every cluster than there are. */
static kith_status add_up_wrongly(rows_result *result, party *p, const rows_task *task,
                                  kith_error *error)
{
    rows_state v = {
        .p = p, .task = task, .mine = task->mine, .memory = task->context->memory, .n = RECORDS};
    uint64_t sizes[RECORDS];
    (void)result;
    if (party_self(p) != LIAR)
        return begin(&v, error);
    for (uint32_t i = 0; i < RECORDS; i++)
        sizes[i] = 20;
    return sum_masked(p, sizes, sizes, sequential_parts(RECORDS, shape.k), 0, SMC_ALL, error);
}

static void wrong_sizes_are_a_peers_fault(void **state)
{
    (void)state;
    distributed j;
    search_spec usual = {0};
    distributed_init(&j, &shape, PARTIES, 3, NULL);
    assert_int_equal(distributed_run(&j, add_up_wrongly, &usual, NULL), KITH_PEER);
    bool said = false;
    for (uint32_t i = 0; i < PARTIES; i++)
        said = said || strstr(j.error[i].message, "do not add up to 120 records") != NULL;
    assert_true(said);
    distributed_wipe(&j);
}

/* Prices of all parties together that no clusters have. */
static kith_status decide_on_lies(rows_result *result, party *p, const rows_task *task,
                                  kith_error *error)
{
    rows_state v = {
        .p = p, .task = task, .mine = task->mine, .memory = task->context->memory, .n = RECORDS};
    rows_finish_rounds h;
    int64_t price[RECORDS];
    (void)result;
    TRY(begin(&v, error));
    TRY(rows_finish_rounds_init(&h, &v.c, shape.k, error));
    assert_true(rows_finish_rounds_pick(&h));
    for (uint32_t i = 0; i < h.count; i++)
        price[i] = party_self(p) == 0 ? INT64_MIN : INT64_MAX;
    return rows_finish_rounds_decide(&h, price, error);
}

static void impossible_prices_are_a_peers_fault(void **state)
{
    (void)state;
    distributed j;
    search_spec usual = {0};
    distributed_init(&j, &shape, PARTIES, 3, NULL);
    assert_int_equal(distributed_run(&j, decide_on_lies, &usual, NULL), KITH_PEER);
    for (uint32_t i = 0; i < PARTIES; i++)
        assert_int_equal(j.error[i].status, KITH_PEER);
    distributed_wipe(&j);
}

/* --- evening out sensitive values (6.1.1) --- */

static bool moves_records_of_others;

/* The second of two parties: adds its counts up with the first one's, receives the table and sends
 * back one that the records do not have. */
static kith_status lie_about_values(rows_state *v, uint32_t n_parts, kith_error *error)
{
    static const message_type values_type = {"cluster.values", DISCLOSE_AGGREGATE};
    const size_t n_values = v->models.value_counts.n_values, count = n_parts * n_values;
    uint32_t table[RECORDS * VALUES] = {0};
    uint64_t wide[RECORDS * VALUES];
    site_choices_count(&v->site_choices, &v->models.value_counts, table,
                       v->block_pass.sites.records, v->mine->n_records);
    for (size_t i = 0; i < count; i++)
        wide[i] = table[i];
    TRY(sum_masked(v->p, wide, wide, count, 0, SMC_ALL, error));
    TRY(smc_recv(v->p, 0, &values_type, table, count * sizeof *table, error));
    if (!moves_records_of_others) {
        table[0]++;
    } else { /* all records into the first part */
        for (size_t i = n_values; i < count; i++) {
            table[i % n_values] += table[i];
            table[i] = 0;
        }
    }
    return smc_send(v->p, 0, &values_type, table, count * sizeof *table, error);
}

static kith_status distribute_with_a_liar(rows_result *result, party *p, const rows_task *task,
                                          kith_error *error)
{
    rows_state v = {
        .p = p, .task = task, .mine = task->mine, .memory = task->context->memory, .n = RECORDS};
    const uint32_t n_parts = sequential_parts(RECORDS, shape.k);
    bool good;
    (void)result;
    TRY(rows_state_accept_task(&v, error));
    TRY(rows_state_init(&v, error));
    TRY(rows_state_begin(&v, error));
    site_choices_distribute(&v.site_choices, v.block_pass.sites.records, v.mine->n_records, n_parts,
                            &v.rng);
    return party_self(p) == LIAR ? lie_about_values(&v, n_parts, error)
                                 : rows_diversity_distribute(&v, n_parts, &good, error);
}

static void who_changes_counts_is_named(void **state)
{
    (void)state;
    problem_shape diverse = shape;
    search_spec merge = {.finish = FINISH_MERGE};
    diverse.n_sensitive = VALUES;
    diverse.l = 1.5;
    for (int i = 0; i < 2; i++) {
        distributed j;
        moves_records_of_others = i == 1;
        distributed_init(&j, &diverse, 2, 3, NULL);
        assert_int_equal(distributed_run(&j, distribute_with_a_liar, &merge, NULL), KITH_PEER);
        assert_non_null(
            strstr(j.error[0].message, "site2 sent counts of sensitive values that do not add up"));
        distributed_wipe(&j);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_liar_is_named),
        cmocka_unit_test(who_tells_what_is_withheld_is_named),
        cmocka_unit_test(wrong_sizes_are_a_peers_fault),
        cmocka_unit_test(impossible_prices_are_a_peers_fault),
        cmocka_unit_test(who_changes_counts_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
