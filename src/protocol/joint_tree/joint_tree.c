#include "protocol/joint_tree/joint_tree.h"

#include <string.h>

#include "core/error.h"
#include "protocol/joint_rules/united_classes.h"
#include "protocol/joint_tree/joint_tree_internal.h"
#include "protocol/joint_tree/joint_tree_reweave.h"
#include "protocol/joint_tree/joint_tree_steps.h"
#include "protocol/leave_together.h"
#include "protocol/rows_by_person.h"
#include "smc/sums/sum.h"

static const message_type end_type = {"tree.end", DISCLOSE_CONTROL}; /* message 0 */

/* May these rows of all parties together be a class, and with `four`: one of 4k records? Rows are
 * those of the root of tree `number`. */
static kith_status ask_root(joint_tree *j, const uint32_t *rows, uint32_t n_rows, uint32_t number,
                            bool *one, bool *four, kith_error *error)
{
    const joint_tree_rules *r = j->rules;
    uint32_t *tallies = TRY_ZEROS(tallies, j->memory, 2 * (size_t)r->width, error);
    for (uint32_t i = 0; i < n_rows; i++)
        joint_tree_count_row(j, tallies, rows[i]);
    memcpy(tallies + r->width, tallies, r->width * sizeof *tallies);
    const uint64_t set = joint_tree_score_tree_name(number), names[] = {set, set};
    const uint32_t min_sizes[] = {r->k, r->k > UINT32_MAX / 4 ? UINT32_MAX : 4 * r->k};
    const joint_tree_questions q = {.count = four == NULL ? 1 : 2,
                                    .tallies = tallies,
                                    .names = names,
                                    .min_sizes = min_sizes,
                                    .exact = number == 0};
    uint64_t bits = 0, spared = 0;
    if (number > 0 && r->n_frequencies > 0)
        /* message 7 */
        TRY(joint_tree_possible_ask(
            r, j->party, &bits, &spared,
            &(joint_tree_questions){.count = 1, .tallies = tallies, .names = names}, NULL, error));
    else
        TRY(joint_tree_rules_ask(r, j->party, &bits, &q, error)); /* messages 1, 7 */
    for (size_t i = 0; i < q.count; i++)
        joint_tree_record(j, (joint_tree_opened){.event = JOINT_TREE_ALL,
                                                 .set = set,
                                                 .of = UINT64_MAX,
                                                 .min_size = min_sizes[i],
                                                 .bit = bits >> i & 1,
                                                 .rows = rows,
                                                 .n_rows = n_rows});
    party_learns(j->party, DISCLOSE_AGGREGATE,
                 number == 0 ? "all records are enough" : "the pool is enough", q.count);
    *one = bits & 1;
    if (four != NULL)
        *four = bits >> 1 & 1;
    return KITH_OK;
}

/* Numbers of records may be known to be enough; sensitive values cannot, before their union. */
static kith_status joint_tree_check_all(joint_tree *j, const uint32_t *rows, bool enough,
                                        kith_error *error)
{
    bool feasible;
    if (enough && j->rules->n_counts == 1)
        return KITH_OK;
    TRY(ask_root(j, rows, j->problem->n_records, 0, &feasible, NULL, error));
    if (feasible)
        return KITH_OK;
    leave_together(j->party, &end_type);
    return joint_tree_rules_unmet(j->rules, error);
}

/* Sums of records need a bound if a model looks at sensitive values: the number of records. It
 * follows from the sizes of the classes, which will be opened in the end. */
static kith_status open_total(const joint_tree *j, joint_tree_rules *r, kith_error *error)
{
    if (!r->shares)
        return KITH_OK;
    uint64_t total = j->problem->n_records;
    TRY(sum_masked(j->party, &total, &total, 1, 0, SMC_ALL, error)); /* message 2 */
    /* A sum does not tell which party is wrong. */
    if (total < j->problem->n_records || total > (uint64_t)UINT32_MAX * r->n_parties)
        return error_set(error, KITH_PEER, "the number of records of all sites is impossible");
    r->max_size = (int64_t)total;
    return KITH_OK;
}

/* One more tree, on what the trees before have ejected. *over: no further tree can follow. */
static kith_status grow_pool(joint_tree *j, uint32_t *rows, uint32_t number, bool *over,
                             kith_error *error)
{
    const uint32_t n_rows = j->pool.count, n_before = j->leaves.count;
    joint_tree_sort_pool(j);
    const bool may_be_last = j->rules->monotone;
    const bool must_be_last = may_be_last && number == JOINT_TREE_MAX_TREES;
    bool one, four = false;
    TRY(ask_root(j, j->pool.rows, n_rows, number, &one, may_be_last && !must_be_last ? &four : NULL,
                 error));
    *over = !one;
    if (*over)
        return KITH_OK;
    memcpy(rows, j->pool.rows, n_rows * sizeof *rows);
    j->pool.count = 0;
    const joint_tree_root root = {.name = joint_tree_score_tree_name(number), .size = n_rows};
    const joint_tree_roots roots = {
        .rows = rows, .n_rows = n_rows, .count = 1, .roots = &root, .last = may_be_last && !four};
    j->pool.known_empty = roots.last && joint_tree_rules_stays_good(j->rules);
    TRY(joint_tree_grow(j, roots, error));
    *over = roots.last || j->leaves.count == n_before;
    return KITH_OK;
}

/* A tree of all records, then trees of what is left. */
static kith_status grow_all(joint_tree *j, uint32_t *rows, uint32_t *n_trees, kith_error *error)
{
    const uint32_t n_records = j->problem->n_records;
    bool over = false;
    party_step(j->party, "first tree");
    const joint_tree_root root = {.name = joint_tree_score_tree_name(0), .size = n_records};
    const joint_tree_roots roots = {
        .rows = rows, .n_rows = n_records, .count = 1, .roots = &root, .first = true};
    TRY(joint_tree_grow(j, roots, error));
    party_step(j->party, "pool trees");
    const uint32_t max_trees = j->rules->n_frequencies == 0
                                   ? JOINT_TREE_MAX_TREES
                                   : joint_tree_score_max_trees(joint_tree_rules_l(j->rules));
    for (*n_trees = 1; *n_trees <= max_trees && !over; ++*n_trees)
        TRY(grow_pool(j, rows, *n_trees, &over, error));
    return KITH_OK;
}

/* If no leaf keeps the models, all records are one, which does: that was the first question. */
static void join_all(joint_tree *j)
{
    joint_tree_leaves *l = &j->leaves;
    ASSERT(l->count == 0 && l->room > 0);
    for (uint32_t a = 0; a < j->problem->n_attributes; a++)
        l->closures[a] = tree_root(j->problem->attributes[a].tree);
    l->areas[0] = 0;
    l->names[0] = joint_tree_score_tree_name(0);
    l->count = 1;
    l->loose_from = 0;
    memset(l->class_of, 0, j->problem->n_records * sizeof *l->class_of);
    j->pool.count = 0;
    j->pool.known_empty = true;
}

/* The leaves are the classes now. */
static kith_status make_classes(rows_result *result, const joint_tree *j, kith_error *error)
{
    CHECK(joint_tree_check(j));
    ASSERT(j->pool.count == 0);
    result->n_classes = j->leaves.count;
    result->closure = j->leaves.closures;
    result->class_of = j->leaves.class_of;
    result->size = TRY_ZEROS(result->size, j->memory, result->n_classes, error);
    return joint_tree_sizes(j, result->size, error);
}

static kith_status joint_tree_protocol(rows_result *result, party *p, const rows_task *task,
                                       joint_tree_rules *rules, const joint_tree_recorder *recorder,
                                       kith_error *error)
{
    const uint32_t n_records = task->mine->n_records;
    joint_tree j = {.problem = task->mine,
                    .rules = rules,
                    .party = p,
                    .context = task->context,
                    .memory = task->context->memory,
                    .quiet = task->options->quiet,
                    .recorder = recorder,
                    .coins = task->seeded ? task->seed : task->coins};
    uint32_t n_trees = 0;
    if (problem_costs_sensitive(task->mine))
        return error_set(error, KITH_INVALID,
                         "the joint tree cannot minimize costs that depend on sensitive values");
    TRY(joint_tree_rules_init(rules, task, p, j.memory, error));
    if (j.quiet && (!rules->monotone || rules->slack > 0 || rules->by_persons))
        return error_set(error, KITH_INVALID,
                         "a quiet joint tree supports neither blur nor models that are kept by "
                         "frequency, nor does it count persons");
    TRY(joint_tree_grow_init(&j, error));
    uint32_t *rows = TRY_ARRAY(rows, j.memory, n_records, error);
    for (uint32_t i = 0; i < n_records; i++)
        rows[i] = i;
    party_step(p, "all records");
    TRY(joint_tree_check_all(&j, rows, task->enough, error));
    TRY(open_total(&j, rules, error));
    TRY(joint_tree_prune(&j, task->options, error));
    TRY(grow_all(&j, rows, &n_trees, error));
    if (j.leaves.count == 0)
        join_all(&j);
    party_step(p, "closures");
    TRY(joint_tree_close_loose(&j, error));
    if (rules->n_frequencies > 0)
        TRY(joint_tree_sweep(&j, error));
    if (!j.pool.known_empty)
        TRY(joint_tree_leftovers(&j, error));
    party_step(p, "reweaving");
    for (uint32_t round = 0; round < task->options->reweave; round++)
        TRY(joint_tree_reweave(&j, round, error));
    party_step(p, "sizes");
    TRY(make_classes(result, &j, error));
    /* message 19 */
    TRY(united_classes_make(result, p, task->mine, rules, "classes keep the models", j.memory,
                            error));
    result->report = (protocol_report){.n_passes = 0};
    report_fact(&result->report, "trees", n_trees);
    report_fact(&result->report, "questions", (double)j.n_questions);
    report_fact(&result->report, "batches", (double)j.n_batches);
    return KITH_OK;
}

kith_status joint_tree_run_recorded(rows_result *result, party *p, const rows_task *task,
                                    const joint_tree_recorder *recorder, kith_error *error)
{
    const char *before = party_step(p, "joint tree");
    joint_tree_rules rules = {0};
    rows_by_person sorted;
    TRY(rows_by_person_sort(&sorted, task, error));
    kith_status status = joint_tree_protocol(result, p, &sorted.task, &rules, recorder, error);
    joint_tree_rules_wipe(&rules);
    party_step(p, before);
    return status == KITH_OK ? rows_by_person_restore(result, &sorted, error) : status;
}

kith_status joint_tree_run(rows_result *result, party *p, const rows_task *task, kith_error *error)
{
    return joint_tree_run_recorded(result, p, task, NULL, error);
}
