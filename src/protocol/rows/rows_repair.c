#include "protocol/rows/rows_repair.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "protocol/rows/rows_clustering.h"
#include "protocol/rows/rows_finish_rounds.h"
#include "protocol/supports.h"
#include "smc/compare/compare.h"
#include "smc/compare/logic.h"
#include "smc/sums/sum.h"

/* --- the plan --- */

/* The strictest of the models about the sites of a class. */
static kith_status plan_sites(rows_state *v, kith_error *error)
{
    const protocol_options *o = v->task->options;
    v->models.m_privacy = o->min_others;
    v->models.other_values = o->other_values;
    for (uint32_t m = 0; m < o->n_site_models; m++) {
        const model_spec *model = &o->site_models[m];
        if (!rows_clustering_supports(model))
            return error_set(error, KITH_INVALID, "clustering over sites cannot keep %s",
                             model_name(model->id));
        uint32_t l = (uint32_t)ceil(model->l);
        if (model->id == MODEL_M_PRIVACY) {
            v->models.m_privacy = model->k > v->models.m_privacy ? model->k : v->models.m_privacy;
            if (model->other_values > v->models.other_values)
                v->models.other_values = model->other_values;
        } else if (model->variant == VARIANT_SITES)
            v->models.l_sites = l > v->models.l_sites ? l : v->models.l_sites;
    }
    return KITH_OK;
}

/* Replaces the problem by one whose only model is the size that all models need. */
static kith_status plan_private(rows_state *v, kith_error *error)
{
    problem *plain = TRY_ALLOC(arena_alloc(v->memory, sizeof *plain), error);
    model_spec *size = TRY_ALLOC(arena_zalloc(v->memory, 1, sizeof *size), error);
    *plain = *v->mine;
    *size = (model_spec){.id = MODEL_K_ANONYMITY, .k = v->mine->k};
    for (uint32_t m = 0; m < v->mine->n_models; m++) {
        const model_spec *model = &v->mine->models[m];
        bool by_frequency = model->id == MODEL_L_DIVERSITY && model->variant == VARIANT_FREQUENCY;
        if (model->id != MODEL_K_ANONYMITY && !by_frequency)
            return error_set(error, KITH_INVALID,
                             "private_diversity is for l-diversity by frequency, not for %s",
                             model_name(model->id));
        uint32_t own = model_minimum_size(model);
        size->k = own > size->k ? own : size->k;
    }
    v->models.hidden = v->mine;
    plain->n_models = 1;
    plain->models = size;
    plain->k = size->k;
    v->mine = plain;
    return KITH_OK;
}

/* All models are those of the joint tree, asked about classes; clusters watch their size alone. */
static kith_status plan_persons(rows_state *v, kith_error *error)
{
    const protocol_options *given = v->task->options;
    protocol_options options = *given;
    rows_task task = *v->task;
    joint_tree_rules *rules = TRY_ALLOC(arena_alloc(v->memory, sizeof *rules), error);
    problem *plain = TRY_ALLOC(arena_alloc(v->memory, sizeof *plain), error);
    model_spec *size = TRY_ZEROS(size, v->memory, 1, error);
    model_spec *sites = TRY_ARRAY(sites, v->memory, given->n_site_models, error);
    options.n_site_models = 0; /* values that few sites have: rows_site_models.h */
    for (uint32_t m = 0; m < given->n_site_models; m++)
        if (given->site_models[m].variant != VARIANT_ATTRIBUTES)
            sites[options.n_site_models++] = given->site_models[m];
    options.site_models = sites;
    options.quiet = true; /* nothing about how trees grow */
    task.options = &options;
    TRY(joint_tree_rules_init(rules, &task, v->p, v->memory, error));
    rules->max_size = v->n;
    v->models = (rows_models){.persons = rules};
    *plain = *v->mine;
    plain->unit = NULL;
    plain->n_models = 1;
    plain->models = size;
    *size = (model_spec){.id = MODEL_K_ANONYMITY, .k = plain->k};
    v->mine = plain;
    return KITH_OK;
}

kith_status rows_repair_plan(rows_state *v, kith_error *error)
{
    bool values = false;
    for (uint32_t m = 0; m < v->mine->n_models; m++)
        values |= v->mine->models[m].id != MODEL_K_ANONYMITY;
    TRY(plan_sites(v, error));
    if (v->mine->unit != NULL)
        return plan_persons(v, error);
    return values && v->task->options->private_diversity ? plan_private(v, error) : KITH_OK;
}

/* --- the questions --- */

/* The classes to check. */
typedef struct candidates {
    const uint32_t *list; /* [count] clusters; NULL: all records as one class */
    uint32_t count;
    uint64_t *bits; /* [words] scratch */
    bool *bad;      /* [count] violates a model */
} candidates;

static uint32_t held(const rows_state *v, const candidates *c, uint32_t i)
{
    return c->list == NULL ? v->mine->n_records : v->c.held[c->list[i]];
}

static uint32_t size_of(const rows_state *v, const candidates *c, uint32_t i)
{
    return c->list == NULL ? v->n : v->c.size[c->list[i]];
}

/* Marks the classes whose answer is not the wanted one. */
static void note_bad(candidates *c, unsigned wanted)
{
    for (uint32_t i = 0; i < c->count; i++)
        c->bad[i] = c->bad[i] || smc_bit(c->bits, i) != wanted;
}

/* Do the others have too few different values in a class? All parties know the counts of all, and
 * this one knows its own. `own` is scratch for a row of counts. */
static bool few_values(const rows_state *v, const candidates *c, uint32_t i, uint32_t *own)
{
    const value_counts *by = &v->models.value_counts;
    const uint32_t *all = c->list == NULL ? v->models.table : clusters_row(&v->c, c->list[i]);
    memset(own, 0, by->n_values * sizeof *own);
    for (uint32_t m = 0; m < held(v, c, i); m++)
        value_counts_add(by, own, c->list == NULL ? m : v->c.member[c->list[i]][m]);
    for (uint32_t s = 0; s < v->mine->n_sensitive; s++) {
        uint32_t n = 0;
        for (uint32_t a = 0; by->rules->uses_sensitive[s] && a < v->mine->sensitive[s].count; a++)
            n += all[by->offset[s] + a] > own[by->offset[s] + a];
        if (by->rules->uses_sensitive[s] && n < v->models.other_values)
            return true;
    }
    return false;
}

/* Does any party see some, but too few, records of others in a class, or too few values? */
static kith_status ask_m_privacy(rows_state *v, candidates *c, arena *scratch, kith_error *error)
{
    const uint32_t n_values = v->models.other_values > 1 ? v->models.value_counts.n_values : 0;
    uint32_t *own = TRY_ALLOC(arena_array(scratch, n_values, sizeof *own), error);
    memset(c->bits, 0, smc_words(c->count) * sizeof *c->bits);
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t others = size_of(v, c, i) - held(v, c, i);
        smc_set_bit(c->bits, i,
                    others > 0 && (others < v->models.m_privacy ||
                                   (n_values > 0 && few_values(v, c, i, own))));
    }
    TRY(logic_or(v->p, c->bits, c->bits, c->count, SMC_ALL, error)); /* message 4 */
    note_bad(c, 0);
    return KITH_OK;
}

/* The largest number of records with one value that l-diversity allows, as the model rounds. */
static uint32_t max_equal_values(uint32_t size, double l)
{
    uint32_t max = (uint32_t)fmin((double)size / l, size);
    while (max < size && (double)size / (max + 1.0) >= l)
        max++;
    while (max > 0 && (double)size / max < l)
        max--;
    return max;
}

/* Is a value too frequent in a class? One circuit compares all counts with what is allowed. Both
 * are negated, because it computes "at least". */
static kith_status ask_diversity(rows_state *v, candidates *c, const model_spec *model,
                                 arena *scratch, kith_error *error)
{
    const sensitive_attribute *by = &v->models.hidden->sensitive[model->sensitive];
    size_t all = (size_t)c->count * by->count;
    int64_t *value = TRY_ALLOC(arena_zalloc(scratch, all, sizeof *value), error);
    int64_t *min_values = TRY_ALLOC(arena_array(scratch, all, sizeof *min_values), error);
    for (uint32_t i = 0; i < c->count; i++) {
        const size_t first = (size_t)i * by->count;
        for (uint32_t m = 0; m < held(v, c, i); m++) {
            uint32_t record = c->list == NULL ? m : v->c.member[c->list[i]][m];
            value[first + by->values[record]]--;
        }
        for (uint32_t a = 0; a < by->count; a++)
            min_values[first + a] = -(int64_t)max_equal_values(size_of(v, c, i), model->l);
    }
    const compare_block all_values = {by->count, by->count};
    const compare_sums sums = {value, min_values, c->count, &all_values, 1, v->n};
    /* message 4 */
    TRY(compare_thresholds(v->p, c->bits, &sums, (smc_output){SMC_ALL, "dominates"}, error));
    note_bad(c, 1);
    return KITH_OK;
}

/* Does a class keep all models of persons? */
static kith_status ask_persons(rows_state *v, candidates *c, arena *scratch, kith_error *error)
{
    const joint_tree_rules *r = v->models.persons;
    const problem *p = v->task->mine;
    uint32_t *tallies = TRY_ZEROS(tallies, scratch, (size_t)c->count * r->width, error);
    uint32_t *place = TRY_ZEROS(place, scratch, c->list == NULL ? 0 : v->c.used, error);
    for (uint32_t i = 0; c->list != NULL && i < c->count; i++)
        place[c->list[i]] = i;
    for (uint32_t i = 0; i < p->n_records; i++) {
        const size_t at = c->list == NULL ? 0 : place[v->c.of[i]];
        joint_tree_rules_count_row(r, p, tallies + at * r->width, i);
    }
    const joint_tree_questions q = {.count = c->count, .tallies = tallies, .exact = true};
    TRY(joint_tree_rules_ask(r, v->p, c->bits, &q, error)); /* message 4 */
    party_learns(v->p, DISCLOSE_AGGREGATE, "classes keep the models", c->count);
    note_bad(c, 1);
    return KITH_OK;
}

/* Checks all models; c->bad becomes the classes that violate one. */
static kith_status ask_all(rows_state *v, candidates *c, arena *scratch, kith_error *error)
{
    c->bits = TRY_ALLOC(arena_zalloc(scratch, smc_words(c->count), sizeof *c->bits), error);
    c->bad = TRY_ALLOC(arena_zalloc(scratch, c->count, sizeof *c->bad), error);
    if (v->models.persons != NULL)
        return ask_persons(v, c, scratch, error);
    if (v->models.l_sites > 0) {
        /* Does every class have records of at least l sites? */
        memset(c->bits, 0, smc_words(c->count) * sizeof *c->bits);
        for (uint32_t i = 0; i < c->count; i++)
            smc_set_bit(c->bits, i, held(v, c, i) > 0);
        /* message 4 */
        TRY(logic_threshold(v->p, c->bits, c->bits, c->count, v->models.l_sites, SMC_ALL, error));
        note_bad(c, 1);
    }
    if (v->models.m_privacy > 0)
        TRY(ask_m_privacy(v, c, scratch, error));
    for (uint32_t m = 0; v->models.hidden != NULL && m < v->models.hidden->n_models; m++)
        if (v->models.hidden->models[m].id == MODEL_L_DIVERSITY)
            TRY(ask_diversity(v, c, &v->models.hidden->models[m], scratch, error));
    return KITH_OK;
}

/* --- before the first and after the last pass --- */

static bool nothing_to_ask(const rows_state *v)
{
    return v->models.l_sites == 0 && v->models.m_privacy == 0 && v->models.hidden == NULL &&
           v->models.persons == NULL;
}

kith_status rows_repair_check(rows_state *v, kith_error *error)
{
    if (nothing_to_ask(v))
        return KITH_OK;
    if (v->models.l_sites > 0) {
        uint64_t n_holders = v->mine->n_records > 0;
        TRY(sum_masked(v->p, &n_holders, &n_holders, 1, 0, SMC_ALL, error)); /* message 2 */
        if (n_holders < v->models.l_sites)
            return error_set(
                error, KITH_INFEASIBLE,
                "records of %u sites are asked for in every class, but only %llu sites have any",
                v->models.l_sites, (unsigned long long)n_holders);
    }
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    candidates all = {.count = 1};
    TRY(ask_all(v, &all, scratch, error));
    if (all.bad[0] && v->models.persons != NULL)
        return joint_tree_rules_unmet(v->models.persons, error);
    if (all.bad[0] && v->models.hidden != NULL)
        return error_set(error, KITH_INFEASIBLE,
                         "not even all records together as one class keep the diversity that is "
                         "asked for%s",
                         v->models.m_privacy > 0 ? ", and m-privacy" : "");
    if (all.bad[0])
        return error_set(error, KITH_INFEASIBLE,
                         "without the records of one site all others have some, but fewer than "
                         "%u (m-privacy)",
                         v->models.m_privacy);
    return KITH_OK;
}

kith_status rows_repair_check_values(rows_state *v, kith_error *error)
{
    if (v->models.m_privacy == 0 || v->models.other_values < 2 ||
        v->models.value_counts.n_values == 0)
        return KITH_OK;
    uint64_t bits = 0;
    bool bad = false;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    candidates all = {.count = 1, .bits = &bits, .bad = &bad};
    TRY(ask_m_privacy(v, &all, scratch, error));
    if (bad)
        return error_set(error, KITH_INFEASIBLE,
                         "without the records of one site all others have fewer than %u "
                         "different sensitive values (m-privacy)",
                         v->models.other_values);
    return KITH_OK;
}

/* One round: checks all classes and merges those that violate a model; *left tells whether another
 * round must check the merged ones. */
static kith_status repair_round(rows_state *v, bool *left, kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    clusters_compact(&v->c);
    TRY(clusters_arrange(&v->c, error));
    uint32_t *list = TRY_ALLOC(arena_array(scratch, v->c.used, sizeof *list), error);
    for (uint32_t i = 0; i < v->c.used; i++)
        list[i] = i;
    candidates c = {.list = list, .count = v->c.used};
    TRY(ask_all(v, &c, scratch, error));
    *left = false;
    for (uint32_t i = 0; i < c.count; i++)
        *left = *left || c.bad[i];
    if (*left && c.count == 1)
        return error_set(error, KITH_PEER,
                         "one class of all records violates a model that it satisfied before");
    return *left ? rows_finish_rounds_merge(&v->c, v->k, c.bad, error) : KITH_OK;
}

kith_status rows_repair(rows_state *v, kith_error *error)
{
    bool left = !nothing_to_ask(v);
    party_step(v->p, "repairing");
    while (left)
        TRY(repair_round(v, &left, error));
    return KITH_OK;
}
