#include "protocol/joint_tree/joint_tree_feasible.h"

#include "core/error.h"
#include "protocol/joint_rules/joint_tree_rules.h"
#include "protocol/leave_together.h"

static kith_status joint_tree_feasible_ask(party *p, bool *enough, joint_tree_rules *rules,
                                           const problem *sizes, const protocol_options *o,
                                           arena *memory, kith_error *error)
{
    const joint_tree_questions all = {.count = 1, .tallies = &sizes->n_records, .exact = true};
    const rows_task task = {.mine = sizes, .options = o};
    uint64_t bits = 0;
    TRY(joint_tree_rules_init(rules, &task, p, memory, error));
    ASSERT(rules->width == 1);
    TRY(joint_tree_rules_ask(rules, p, &bits, &all, error));
    party_learns(p, DISCLOSE_AGGREGATE, "all records are enough", 1);
    *enough = bits & 1;
    return KITH_OK;
}

kith_status joint_tree_feasible(party *p, uint32_t n_records, uint32_t k, const protocol_options *o,
                                arena *memory, kith_error *error)
{
    const problem sizes = {.n_records = n_records, .k = k};
    joint_tree_rules rules = {0};
    bool enough = false;
    const char *before = party_step(p, "all records");
    kith_status status = joint_tree_feasible_ask(p, &enough, &rules, &sizes, o, memory, error);
    joint_tree_rules_wipe(&rules);
    if (status != KITH_OK)
        return status;
    party_step(p, before);
    if (enough)
        return KITH_OK;
    leave_together(p, &leave_together_word);
    return joint_tree_rules_unmet(&rules, error);
}
