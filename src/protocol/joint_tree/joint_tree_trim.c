#include "protocol/joint_tree/joint_tree_trim.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/compare/trim.h"

/* --- which rows stay --- */

/* A row in the order in which those of its set and value stay. */
typedef struct place_in_line {
    size_t group; /* set and value */
    uint64_t drawn;
    uint32_t number; /* of the row */
} place_in_line;

static int compare_places(const void *a, const void *b)
{
    const place_in_line *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->drawn != y->drawn)
        return x->drawn < y->drawn ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* One attribute's turn. */
typedef struct turn {
    const joint_tree *tree;
    const joint_tree_trim_sets *sets;
    uint32_t at; /* in r->frequencies */
    const joint_tree_condition *of;
    uint64_t *names;  /* [sets->count] for its draws */
    uint32_t *leader; /* [n_rows] persons: the first row of the same person in the set; or NULL */
    arena *memory;
} turn;

/* The set and value of a row. */
static size_t group_of(const turn *t, uint32_t i)
{
    return (size_t)t->sets->set_of[i] * t->of->n_values +
           joint_tree_trim_place(t->tree, t->at, t->sets->rows[i]) - t->of->offset;
}

/* Does the row stand for itself? */
static bool leads(const turn *t, uint32_t i)
{
    return t->leader == NULL || t->leader[i] == i;
}

/* The rows of a person in a set stay or leave together; those with another value than the first of
 * them leave at once, so that a set has as many persons as there are of each value in all. */
static kith_status find_leaders(turn *t, uint32_t *stays, kith_error *error)
{
    const joint_tree_trim_sets *sets = t->sets;
    const uint32_t *person = t->tree->problem->unit;
    if (!t->tree->rules->by_persons)
        return KITH_OK;
    t->leader = TRY_ARRAY(t->leader, t->memory, sets->n_rows, error);
    uint32_t *last = TRY_ARRAY(last, t->memory, sets->count, error);
    memset(last, 0xFF, sets->count * sizeof *last);
    for (uint32_t i = 0; i < sets->n_rows; i++) {
        uint32_t *first = &last[sets->set_of[i]];
        t->leader[i] = i;
        if (stays[i] != JOINT_TREE_STAYS)
            continue;
        if (*first == UINT32_MAX || person[sets->rows[*first]] != person[sets->rows[i]])
            *first = i;
        t->leader[i] = *first;
        if (group_of(t, *first) != group_of(t, i))
            stays[i] = t->at;
    }
    return KITH_OK;
}

/* Draws which of the rows that stayed so far are the stay[group] ones that still do. */
static kith_status draw(const turn *t, uint32_t *stays, uint32_t *stay, kith_error *error)
{
    const joint_tree *j = t->tree;
    const joint_tree_trim_sets *sets = t->sets;
    place_in_line *line = TRY_ARRAY(line, t->memory, sets->n_rows, error);
    uint32_t n = 0;
    for (uint32_t i = 0; i < sets->n_rows; i++)
        if (stays[i] == JOINT_TREE_STAYS && leads(t, i))
            line[n++] = (place_in_line){
                group_of(t, i),
                joint_tree_score_draw(&j->rules->draws, t->names[sets->set_of[i]], sets->rows[i]),
                i};
    qsort(line, n, sizeof *line, compare_places);
    for (uint32_t i = 0; i < n; i++) {
        const size_t group = line[i].group;
        if (stay[group] > 0) {
            stay[group]--;
            continue;
        }
        stays[line[i].number] = t->at;
    }
    for (uint32_t i = 0; i < sets->n_rows; i++)
        if (stays[i] == JOINT_TREE_STAYS && !leads(t, i))
            stays[i] = stays[t->leader[i]];
    return KITH_OK;
}

/* Tells the recorder what this party learns from one call. */
static void joint_tree_trim_record(const turn *t, const uint32_t *mine, const uint32_t *stay,
                                   const uint32_t *order)
{
    const joint_tree *j = t->tree;
    const uint32_t m = j->rules->n_parties, n_values = t->of->n_values;
    for (size_t group = 0; group < (size_t)t->sets->count * n_values; group++) {
        const size_t set = group / n_values;
        uint32_t position = 0;
        while (order[set * m + position] != j->rules->self)
            position++;
        if (mine[group] > 0)
            joint_tree_record(
                j, (joint_tree_opened){.event = JOINT_TREE_KEPT,
                                       .set = t->names[set],
                                       .node = t->of->offset + (uint32_t)(group % n_values),
                                       .a = position,
                                       .min_size = stay[group],
                                       .n_rows = mine[group],
                                       .bit = t->sets->fixed != NULL});
    }
}

static kith_status take_turn(turn *t, uint32_t *stays, kith_error *error)
{
    const joint_tree *j = t->tree;
    const joint_tree_trim_sets *sets = t->sets;
    const joint_tree_diversity *d = &t->of->diversity;
    const uint32_t m = j->rules->n_parties, n_values = t->of->n_values;
    const size_t n_counts = (size_t)sets->count * n_values;
    uint32_t *mine = TRY_ALLOC(secret_memory_array(t->memory, n_counts, sizeof *mine), error);
    uint32_t *stay = TRY_ALLOC(secret_memory_array(t->memory, n_counts, sizeof *stay), error);
    uint32_t *fixed = NULL;
    uint32_t *order = TRY_ARRAY(order, t->memory, (size_t)sets->count * m, error);
    if (sets->fixed != NULL)
        fixed = TRY_ALLOC(secret_memory_array(t->memory, n_counts, sizeof *fixed), error);
    TRY(find_leaders(t, stays, error));
    for (uint32_t i = 0; i < sets->n_rows; i++)
        mine[group_of(t, i)] += stays[i] == JOINT_TREE_STAYS && leads(t, i);
    for (uint32_t s = 0; s < sets->count; s++) {
        joint_tree_score_site_order(order + (size_t)s * m, j->coins, t->names[s], m);
        if (fixed != NULL)
            memcpy(fixed + (size_t)s * n_values,
                   sets->fixed + (size_t)s * j->rules->width + t->of->offset,
                   n_values * sizeof *fixed);
    }
    const trim_sets counts = {
        .count = sets->count,
        .n_values = n_values,
        .scale = d->scale,
        .times = d->times,
        .max_count = joint_tree_score_max_count(j->rules->k, joint_tree_diversity_l(d)),
        .fixed = fixed,
        .mine = mine,
        .order = order};
    TRY(trim(j->party, stay, &counts, error)); /* message 9 */
    if (j->recorder != NULL)
        joint_tree_trim_record(t, mine, stay, order);
    return draw(t, stays, stay, error);
}

kith_status joint_tree_trim(const joint_tree *j, uint32_t *stays, const joint_tree_trim_sets *sets,
                            kith_error *error)
{
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    uint64_t *names = TRY_ARRAY(names, memory, sets->count, error);
    for (uint32_t i = 0; i < sets->n_rows; i++)
        stays[i] = JOINT_TREE_STAYS;
    for (uint32_t i = 0; i < j->rules->n_frequencies; i++) {
        turn t = {j, sets, i, j->rules->frequencies[i], names, NULL, memory};
        for (uint32_t s = 0; s < sets->count; s++)
            names[s] = joint_tree_score_turn_name(sets->names[s], i);
        TRY(take_turn(&t, stays, error));
    }
    return KITH_OK;
}

/* --- leaves --- */

/* Are there models that trimming may break? */
static bool must_check(const joint_tree_rules *r)
{
    bool others = r->min_others > 0 || r->n_frequencies > 1 || joint_tree_rules_asks_again(r);
    for (uint32_t i = 1; i < r->n_conditions; i++)
        others = others || r->conditions[i].kind != JOINT_TREE_FREQUENCY;
    return others;
}

static void eject(joint_tree *j, uint32_t row)
{
    j->leaves.class_of[row] = JOINT_TREE_NONE;
    j->pool.rows[j->pool.count++] = row;
}

/* Gives up leaves that do not keep the models any more. A single trim keeps diversity by frequency, but
 * where persons count it looks at fewer of them. */
static kith_status give_up(joint_tree *j, uint32_t first, arena *memory, kith_error *error)
{
    joint_tree_leaves *l = &j->leaves;
    joint_tree_rules asked = *j->rules;
    if (j->rules->n_frequencies == 1 && !j->rules->by_persons)
        TRY(joint_tree_rules_trimmed(&asked, j->rules, memory, error));
    const uint32_t n = l->count - first, width = j->rules->width;
    uint32_t *tallies =
        TRY_ALLOC(secret_memory_array(memory, (size_t)n * width, sizeof *tallies), error);
    uint64_t *bits = TRY_ZEROS(bits, memory, smc_words(n), error);
    uint8_t *gone = TRY_ALLOC(arena_zalloc(memory, l->count, 1), error);
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        if (l->class_of[i] != JOINT_TREE_NONE && l->class_of[i] >= first)
            joint_tree_count_row(j, tallies + (size_t)(l->class_of[i] - first) * width, i);
    const joint_tree_questions q = {
        .count = n, .tallies = tallies, .names = l->names + first, .exact = true};
    TRY(joint_tree_rules_ask(&asked, j->party, bits, &q, error)); /* message 10 */
    party_learns(j->party, DISCLOSE_AGGREGATE, "trimmed classes keep the models", n);
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        gone[first + leaf] = !smc_bit(bits, leaf);
        joint_tree_record(j, (joint_tree_opened){.event = JOINT_TREE_TRIMMED,
                                                 .set = first + leaf,
                                                 .min_size = j->rules->k,
                                                 .bit = smc_bit(bits, leaf)});
    }
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        if (l->class_of[i] != JOINT_TREE_NONE && gone[l->class_of[i]])
            eject(j, i);
    return joint_tree_remove_leaves(j, gone, memory, error);
}

kith_status joint_tree_trim_leaves(joint_tree *j, uint32_t first, kith_error *error)
{
    if (j->leaves.count == first)
        return KITH_OK;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    const uint32_t n_records = j->problem->n_records;
    uint32_t *rows = TRY_ARRAY(rows, memory, n_records, error);
    uint32_t *leaf_of = TRY_ARRAY(leaf_of, memory, n_records, error);
    uint32_t *stays = TRY_ARRAY(stays, memory, n_records, error);
    joint_tree_trim_sets sets = {.count = j->leaves.count - first,
                                 .names = j->leaves.names + first,
                                 .rows = rows,
                                 .set_of = leaf_of};
    for (uint32_t i = 0; i < n_records; i++) {
        if (j->leaves.class_of[i] == JOINT_TREE_NONE || j->leaves.class_of[i] < first)
            continue;
        leaf_of[sets.n_rows] = j->leaves.class_of[i] - first;
        rows[sets.n_rows++] = i;
    }
    if (j->rules->n_frequencies > 0)
        TRY(joint_tree_trim(j, stays, &sets, error));
    for (uint32_t i = 0; i < sets.n_rows && j->rules->n_frequencies > 0; i++)
        if (stays[i] != JOINT_TREE_STAYS)
            eject(j, rows[i]);
    return must_check(j->rules) ? give_up(j, first, memory, error) : KITH_OK;
}
