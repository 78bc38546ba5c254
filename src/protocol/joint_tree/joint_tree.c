#include "protocol/joint_tree/joint_tree.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/joint_tree/joint_tree_close.h"
#include "protocol/joint_tree/joint_tree_internal.h"
#include "protocol/joint_tree/joint_tree_prune.h"
#include "protocol/joint_tree/joint_tree_reweave.h"
#include "protocol/joint_tree/joint_tree_spread.h"
#include "protocol/leave_together.h"
#include "smc/sum.h"

static const message_type end_type = {"tree.end", DISCLOSE_CONTROL};
static const message_type coin_type = {"tree.coin", DISCLOSE_CONTROL};

/* Public coins: the exclusive or of what all parties draw. */
static kith_status draw_coins(uint64_t *coins, party *p, const rows_task *task, kith_error *error)
{
    uint64_t drawn[PARTY_MAX];
    void *theirs[PARTY_MAX];
    const uint32_t m = party_count(p), self = party_self(p);
    if (task->seeded) {
        *coins = task->seed;
        return KITH_OK;
    }
    for (uint32_t i = 0; i < m; i++)
        theirs[i] = &drawn[i];
    secret_memory_random(&drawn[self], sizeof drawn[self]);
    TRY(party_exchange(p, &coin_type, &drawn[self], theirs, sizeof drawn[self], error));
    *coins = 0;
    for (uint32_t i = 0; i < m; i++)
        *coins ^= drawn[i];
    return KITH_OK;
}

/* May these records of all parties together be a class, and be a class of 4k? */
static kith_status enough(joint_tree *f, const uint32_t *rows, uint32_t count, uint32_t number,
                          bool *one, bool *four, kith_error *error)
{
    const joint_tree_rules *r = f->rules;
    uint32_t *tally =
        TRY_ALLOC(arena_zalloc(f->memory, 2 * (size_t)r->width, sizeof *tally), error);
    for (uint32_t i = 0; i < count; i++)
        joint_tree_count_row(f, tally, rows == NULL ? i : rows[i]);
    memcpy(tally + r->width, tally, r->width * sizeof *tally);
    const uint64_t set = joint_tree_score_tree_name(number), name[] = {set, set};
    const uint32_t min_sizes[] = {r->k, r->k > UINT32_MAX / 4 ? UINT32_MAX : 4 * r->k};
    joint_tree_questions q = {four == NULL ? 1 : 2, tally, name, min_sizes, number == 0};
    uint64_t bits = 0;
    TRY(joint_tree_rules_ask(r, f->party, &bits, &q, error));
    *one = bits & 1;
    for (size_t i = 0; f->recorder != NULL && i < q.count; i++)
        f->recorder->opened(f->recorder->user, JOINT_TREE_ALL, set, UINT64_MAX, 0, 0, min_sizes[i],
                            bits >> i & 1);
    party_learns(f->party, DISCLOSE_AGGREGATE,
                 number == 0 ? "all records are enough" : "the pool is enough", q.count);
    if (four != NULL)
        *four = bits >> 1 & 1;
    return KITH_OK;
}

static kith_status check_all(joint_tree *f, kith_error *error)
{
    bool feasible;
    TRY(enough(f, NULL, f->problem->n_records, 0, &feasible, NULL, error));
    if (feasible)
        return KITH_OK;
    leave_together(f->party, &end_type);
    if (f->rules->n_conditions == 1)
        return error_set(error, KITH_INFEASIBLE,
                         "all sites together have fewer than k = %u records", f->rules->k);
    return error_set(error, KITH_INFEASIBLE,
                     "the records of all sites together do not satisfy the models");
}

/* The number of records bounds what diversity by frequency compares. It follows from the sizes of
 * the classes, which exist from here on. */
static kith_status open_total(const joint_tree *f, joint_tree_rules *r, kith_error *error)
{
    bool needed = false;
    for (uint32_t c = 1; c < r->n_conditions; c++)
        needed = needed || r->conditions[c].model->variant == VARIANT_FREQUENCY;
    if (!needed)
        return KITH_OK;
    uint64_t total = f->problem->n_records;
    TRY(sum_masked(f->party, &total, &total, 1, 0, SMC_ALL, error));
    if (total < f->problem->n_records || total > (uint64_t)UINT32_MAX * r->n_parties)
        return error_set(error, KITH_PEER, "the number of records of all sites is impossible");
    r->max_size = (int64_t)total;
    return KITH_OK;
}

/* One more tree, on what the last one ejected. *over: it is the last one, or would have no leaf. */
static kith_status grow_pool(joint_tree *f, uint32_t *rows, uint32_t t, bool *over,
                             kith_error *error)
{
    const uint32_t count = f->pooled, before = f->n_leaves;
    const bool may_be_last = f->rules->grows, must_be = may_be_last && t == JOINT_TREE_MAX_TREES;
    bool one, four = false;
    TRY(enough(f, f->pool, count, t, &one, may_be_last && !must_be ? &four : NULL, error));
    *over = f->rules->grows && !one;
    if (*over)
        return KITH_OK;
    const bool last = may_be_last && !four;
    memcpy(rows, f->pool, count * sizeof *rows);
    f->pooled = 0;
    f->emptied = last;
    const joint_tree_root root = {
        .name = joint_tree_score_tree_name(t), .size = count, .unfit = !one};
    TRY(joint_tree_grow(f, (joint_tree_root_set){rows, count, 1, &root, false, last}, error));
    *over = last || f->n_leaves == before;
    return KITH_OK;
}

/* First a tree of all records, then trees of what is left. */
static kith_status grow_all(joint_tree *f, uint32_t *trees, kith_error *error)
{
    const uint32_t n_records = f->problem->n_records;
    uint32_t *rows = arena_array(f->memory, n_records, sizeof *rows);
    bool over = false;
    TRY_ALLOC(rows, error);
    for (uint32_t i = 0; i < n_records; i++)
        rows[i] = i;
    party_step(f->party, "first tree");
    const joint_tree_root root = {
        .name = joint_tree_score_tree_name(0), .size = n_records, .unfit = false};
    TRY(joint_tree_grow(f, (joint_tree_root_set){rows, n_records, 1, &root, true, false}, error));
    party_step(f->party, "pool trees");
    for (*trees = 1; *trees <= JOINT_TREE_MAX_TREES && !over; ++*trees)
        TRY(grow_pool(f, rows, *trees, &over, error));
    return KITH_OK;
}

/* Leaves that took part in a union are gone. */
static kith_status drop_gone(joint_tree *f, const uint8_t *gone, kith_error *error)
{
    const uint32_t n = f->problem->n_attributes;
    uint32_t *place = TRY_ALLOC(arena_array(f->memory, f->n_leaves, sizeof *place), error);
    uint32_t kept = 0;
    for (uint32_t l = 0; l < f->n_leaves; l++) {
        if (gone[l])
            continue;
        place[l] = kept;
        memmove(f->closure + (size_t)kept * n, f->closure + (size_t)l * n, n * sizeof *f->closure);
        kept++;
    }
    for (uint32_t i = 0; i < f->problem->n_records; i++)
        f->class_of[i] = place[f->class_of[i]];
    f->n_leaves = kept;
    return KITH_OK;
}

/* Leaves are the classes now. */
static kith_status open_sizes(rows_result *result, const joint_tree *f, kith_error *error)
{
    result->n_classes = f->n_leaves;
    result->closure = f->closure;
    result->class_of = f->class_of;
    result->size =
        TRY_ALLOC(arena_zalloc(f->memory, result->n_classes, sizeof *result->size), error);
    for (uint32_t i = 0; i < f->problem->n_records; i++)
        result->size[result->class_of[i]]++;
    TRY(sum_masked(f->party, result->size, result->size, result->n_classes, 0, SMC_ALL, error));
    for (uint32_t c = 0; c < result->n_classes; c++)
        if (result->size[c] < f->rules->k)
            return error_set(error, KITH_BUG, "class %u of the joint tree has %llu records", c,
                             (unsigned long long)result->size[c]);
    return KITH_OK;
}

static kith_status check_task(const rows_task *task, kith_error *error)
{
    if (problem_costs_sensitive(task->mine))
        return error_set(error, KITH_INVALID,
                         "the joint tree cannot minimize costs that depend on sensitive values");
    return KITH_OK;
}

static kith_status run(rows_result *result, party *p, const rows_task *task,
                       const joint_tree_recorder *record, kith_error *error)
{
    joint_tree_rules rules;
    joint_tree f = {.problem = task->mine,
                    .rules = &rules,
                    .party = p,
                    .context = task->context,
                    .memory = task->context->memory,
                    .recorder = record};
    uint32_t trees = 0;
    TRY(check_task(task, error));
    TRY(joint_tree_rules_init(&rules, task->mine, task->options, p, f.memory, error));
    TRY(joint_tree_grow_init(&f, error));
    TRY(draw_coins(&f.coins, p, task, error));
    party_step(p, "all records");
    TRY(check_all(&f, error));
    TRY(open_total(&f, &rules, error));
    TRY(joint_tree_prune(&f, task->options, error));
    TRY(grow_all(&f, &trees, error));
    party_step(p, "closures");
    uint8_t *gone = TRY_ALLOC(arena_zalloc(f.memory, f.n_leaves, 1), error);
    TRY(joint_tree_close_loose(&f, error));
    if (!rules.grows)
        TRY(joint_tree_spread(&f, error));
    if (!f.emptied)
        TRY(joint_tree_close_leftovers(&f, gone, error));
    TRY(drop_gone(&f, gone, error));
    party_step(p, "reweaving");
    for (uint32_t round = 0; round < task->options->reweave; round++)
        TRY(joint_tree_reweave(&f, round, error));
    party_step(p, "sizes");
    TRY(open_sizes(result, &f, error));
    result->report = (protocol_report){.n_passes = 0};
    report_fact(&result->report, "trees", trees);
    report_fact(&result->report, "questions", (double)f.n_questions);
    report_fact(&result->report, "batches", (double)f.n_batches);
    return KITH_OK;
}

kith_status joint_tree_run_recorded(rows_result *result, party *p, const rows_task *task,
                                    const joint_tree_recorder *record, kith_error *error)
{
    const char *before = party_step(p, "joint tree");
    kith_status status = run(result, p, task, record, error);
    party_step(p, before);
    return status;
}

kith_status joint_tree_run(rows_result *result, party *p, const rows_task *task, kith_error *error)
{
    return joint_tree_run_recorded(result, p, task, NULL, error);
}
