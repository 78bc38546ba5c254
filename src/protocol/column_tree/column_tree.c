#include "protocol/column_tree/column_tree.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/column_tree/column_tree_internal.h"
#include "protocol/column_tree/column_tree_naming.h"
#include "protocol/columns_agree.h"
#include "protocol/leave_together.h"
#include "protocol/private_choices.h"
#include "protocol/supports.h"
#include "search/search.h"
#include "smc/smc.h"

static const message_type terms_type = {"column.terms", DISCLOSE_CHOICE}; /* message 6 */

/* Do models look at sensitive values? */
static bool asks_for_values(const problem *p)
{
    bool any = false;
    for (uint32_t i = 0; i < p->n_models; i++)
        any |= p->models[i].id != MODEL_K_ANONYMITY;
    return any;
}

/* Checks what needs no message: the same at all parties. */
static kith_status column_tree_accept_task(const columns_task *task, kith_error *error)
{
    const problem *p = task->mine;
    if (problem_costs_sensitive(p))
        return error_set(error, KITH_INVALID,
                         "a measure that depends on sensitive values needs all columns in one "
                         "place");
    for (uint32_t m = 0; m < p->n_models; m++)
        if (!supports_columns(&p->models[m]))
            return error_set(error, KITH_INVALID,
                             "the joint tree of columns does not serve the model %s",
                             model_name(p->models[m].id));
    if (task->options->pools && asks_for_values(p))
        return error_set(error, KITH_INVALID,
                         "pools cannot be combined with models on sensitive values");
    return columns_agree_size(p, error);
}

/* The pivot tells all parties whether the models can be met, and the size of class that they need.
 */
static kith_status agree_on_terms(column_tree *w, kith_error *error)
{
    party *p = w->party;
    uint32_t terms[2] = {0, 0};
    kith_status status = KITH_OK;
    if (party_self(p) == w->task->pivot) {
        status = search_feasible(w->problem, w->memory, error);
        if (status != KITH_OK && status != KITH_INFEASIBLE)
            return status;
        terms[0] = status == KITH_OK;
        terms[1] = class_rules_min_size(w->problem);
        TRY(class_rules_init(&w->rules, w->problem, w->memory, error));
        w->joined = TRY_ALLOC(arena_array(w->memory, w->problem->n_records, 1), error);
        TRY(party_broadcast(p, &terms_type, terms, sizeof terms, error));
    } else {
        TRY(party_recv(p, w->task->pivot, &terms_type, terms, sizeof terms, error));
        party_learns(p, DISCLOSE_CHOICE, "terms", 2);
        if (terms[0] == 0)
            status = error_set(error, KITH_INFEASIBLE,
                               "the holder of the sensitive columns says that the models cannot be "
                               "met");
    }
    if (status != KITH_OK) {
        leave_together(p, &leave_together_word);
        return status;
    }
    if (terms[0] > 1 || terms[1] < w->problem->k || terms[1] == 0 ||
        terms[1] > w->problem->n_records)
        return party_protocol_error(p, w->task->pivot, error, "sent invalid terms");
    w->k = terms[1];
    return KITH_OK;
}

static kith_status column_tree_init(column_tree *w, kith_error *error)
{
    const uint32_t n_records = w->problem->n_records;
    w->sides = TRY_ARRAY(w->sides, w->memory, w->n_sides + (size_t)1, error);
    for (uint32_t s = 0; s < w->n_sides; s++) {
        const attribute *a = &w->problem->attributes[s];
        const uint32_t n_nodes = a->tree->n_nodes;
        column_tree_side *side = &w->sides[s];
        *side = (column_tree_side){.attribute = a, .number = w->task->numbers[s]};
        side->cells = TRY_ARRAY(side->cells, w->memory, n_records, error);
        side->level = TRY_ARRAY(side->level, w->memory, n_nodes, error);
        side->count = TRY_ZEROS(side->count, w->memory, n_nodes, error);
        memcpy(side->cells, a->cells, n_records * sizeof *side->cells);
        for (uint32_t node = 0; node < n_nodes; node++)
            side->level[node] = column_tree_score_level(a, node);
    }
    w->members = TRY_ARRAY(w->members, w->memory, n_records, error);
    w->spare = TRY_ARRAY(w->spare, w->memory, n_records, error);
    w->n_members = w->members_room = n_records;
    for (uint32_t i = 0; i < n_records; i++)
        w->members[i] = i;
    if (w->task->options->pools)
        TRY(column_tree_pools_begin(w, error));
    return column_tree_add(w, &w->open, (column_tree_set){.size = n_records}, error);
}

/* A and B, then C at the owners. */
static kith_status column_tree_choose_splits(column_tree *w, uint32_t *owner, uint8_t **mine,
                                             uint32_t *side, arena *scratch, kith_error *error)
{
    column_tree_offer *offers = TRY_ZEROS(offers, scratch, w->open.count, error);
    column_tree_slot slot;
    for (size_t i = 0; i < w->open.count; i++) {
        TRY(party_poll(w->party, error));
        for (uint32_t s = 0; s < w->n_sides; s++) {
            slot.side = s;
            column_tree_offer_slot(w, &slot, &w->open.items[i]);
            if (slot.score > offers[i].score)
                offers[i] = (column_tree_offer){s, slot.score};
        }
    }
    TRY(column_tree_choose(w, owner, offers, SMC_ALL, error));
    bool **named = TRY_ZEROS(named, scratch, w->open.count, error);
    if (w->naming)
        TRY(column_tree_name(w, owner, offers, named, scratch, error));
    for (size_t i = 0; i < w->open.count; i++) {
        if (owner[i] != party_self(w->party))
            continue;
        TRY(party_poll(w->party, error));
        side[i] = slot.side = offers[i].side;
        mine[i] = TRY_ALLOC(arena_array(scratch, w->open.items[i].size, 1), error);
        column_tree_offer_slot(w, &slot, &w->open.items[i]);
        TRY(column_tree_lend(w, mine[i], &w->open.items[i], &slot, named[i], error));
    }
    return KITH_OK;
}

static kith_status column_tree_grow(column_tree *w, kith_error *error)
{
    while (w->open.count > 0) {
        uint64_t left = 0;
        for (size_t i = 0; i < w->open.count; i++)
            left += w->open.items[i].size;
        if (!context_progress(w->task->context, "growing",
                              1 - (double)left / w->problem->n_records))
            return error_set(error, KITH_CANCELLED, "stopped while growing");
        arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(w->memory), error);
        /* One step: all open sets are split, or become classes. */
        const size_t n_sets = w->open.count;
        uint32_t *owner = TRY_ARRAY(owner, scratch, n_sets, error);
        uint32_t *side = TRY_ZEROS(side, scratch, n_sets, error);
        uint8_t **mine = TRY_ZEROS(mine, scratch, n_sets, error);
        TRY(w->conditions ? column_tree_models(w, owner, mine, side, scratch, error)
                          : column_tree_choose_splits(w, owner, mine, side, scratch, error));
        w->n_steps++;
        TRY(column_tree_divide(w, owner, mine, side, error));
    }
    return KITH_OK;
}

static kith_status fill_result(columns_result *result, const column_tree *w, kith_error *error)
{
    arena *memory = w->task->context->memory;
    const size_t n_classes = w->classes.count;
    *result = (columns_result){.n_classes = (uint32_t)n_classes};
    result->class_of = TRY_ARRAY(result->class_of, memory, w->problem->n_records, error);
    result->closure = TRY_ARRAY(result->closure, memory, n_classes * w->n_sides + 1, error);
    result->size = TRY_ARRAY(result->size, memory, n_classes, error);
    for (uint32_t c = 0; c < n_classes; c++) {
        const column_tree_set *n = &w->classes.items[c];
        result->size[c] = n->size;
        for (uint32_t i = 0; i < n->size; i++)
            result->class_of[w->members[n->first + i]] = c;
        for (uint32_t s = 0; s < w->n_sides; s++)
            result->closure[(size_t)c * w->n_sides + s] =
                column_tree_offer_common(w, &w->sides[s], n);
    }
    protocol_report *r = &result->report;
    report_fact(r, "steps", w->n_steps);
    report_fact(r, "comparisons", (double)w->n_compared);
    report_fact(r, "lent", (double)w->n_lent);
    if (w->conditions)
        report_fact(r, "proposals", (double)w->n_proposed);
    if (w->task->options->pools)
        report_fact(r, "ejected", (double)w->n_ejected);
    report_fact(r, "naming", w->naming);
    return KITH_OK;
}

static kith_status column_tree_run_steps(columns_result *result, column_tree *w, kith_error *error)
{
    const char *before = party_step(w->party, "tree of columns");
    TRY(columns_agree_shape(w->party, w->task, error));
    if (w->conditions)
        TRY(agree_on_terms(w, error));
    w->naming =
        !w->conditions && !w->task->options->pools &&
        column_tree_naming(w->task->options->name, w->problem->n_records, party_count(w->party));
    TRY(column_tree_init(w, error));
    TRY(column_tree_grow(w, error));
    if (w->task->options->pools)
        TRY(column_tree_pools_finish(w, error));
    TRY(fill_result(result, w, error));
    TRY(columns_agree(result, w->party, w->task, error));
    party_step(w->party, before);
    return KITH_OK;
}

kith_status column_tree_run(columns_result *result, party *p, const columns_task *task,
                            kith_error *error)
{
    return column_tree_run_recorded(result, p, task, NULL, error);
}

kith_status column_tree_run_recorded(columns_result *result, party *p, const columns_task *task,
                                     const column_tree_recorder *recorder, kith_error *error)
{
    unsigned char key[PRIVATE_CHOICES_BYTES];
    column_tree w = {.party = p,
                     .task = task,
                     .recorder = recorder,
                     .problem = task->mine,
                     .k = task->mine->k,
                     .n_sides = task->mine->n_attributes,
                     .key = task->seeded ? NULL : key};
    TRY(column_tree_accept_task(task, error));
    w.conditions = asks_for_values(task->mine);
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(task->context->memory), error);
    w.memory = memory;
    private_choices_key(key, task->choices, "joint tree of columns");
    const kith_status status = column_tree_run_steps(result, &w, error);
    secret_memory_wipe(key, sizeof key);
    return status;
}
