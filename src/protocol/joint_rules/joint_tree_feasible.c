#include "protocol/joint_rules/joint_tree_feasible.h"

#include "core/error.h"
#include "protocol/joint_rules/joint_tree_rules.h"
#include "protocol/leave_together.h"
#include "protocol/rows_by_person.h"

static kith_status joint_tree_feasible_ask(party *p, bool *enough, joint_tree_rules *rules,
                                           context *c, const problem *mine,
                                           const protocol_options *o, kith_error *error)
{
    const problem sizes = {.n_records = mine->n_records,
                           .k = mine->k,
                           .unit = mine->unit,
                           .n_units = mine->n_units,
                           .home = mine->home};
    const rows_task task = {.mine = &sizes, .options = o, .context = c};
    rows_by_person sorted;
    uint64_t bits = 0;
    TRY(rows_by_person_sort(&sorted, &task, error));
    TRY(joint_tree_rules_init(rules, &sorted.task, p, c->memory, error));
    ASSERT(rules->n_counts == 1);
    uint32_t *tally = TRY_ZEROS(tally, c->memory, rules->width, error);
    for (uint32_t i = 0; i < sizes.n_records; i++)
        joint_tree_rules_count_row(rules, &sorted.mine, tally, i);
    const joint_tree_questions all = {.count = 1, .tallies = tally, .exact = true};
    TRY(joint_tree_rules_ask(rules, p, &bits, &all, error)); /* message 1 */
    party_learns(p, DISCLOSE_AGGREGATE, "all records are enough", 1);
    *enough = bits & 1;
    return KITH_OK;
}

kith_status joint_tree_feasible(party *p, const problem *mine, const protocol_options *o,
                                context *c, kith_error *error)
{
    joint_tree_rules rules = {0};
    bool enough = false;
    const char *before = party_step(p, "all records");
    kith_status status = joint_tree_feasible_ask(p, &enough, &rules, c, mine, o, error);
    joint_tree_rules_wipe(&rules);
    if (status != KITH_OK)
        return status;
    party_step(p, before);
    if (enough)
        return KITH_OK;
    leave_together(p, &leave_together_word);
    return joint_tree_rules_unmet(&rules, error);
}
