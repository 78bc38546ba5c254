#include "protocol/mondrian/mondrian_conditions.h"

#include <math.h>

#include "core/check.h"
#include "core/error.h"
#include "protocol/supports.h"

/* l-diversity: a fractional l is rounded up to a multiple of 1 / FRACTION. */
enum { FRACTION = 1 << 12 };

/* --- set-up --- */

/* How many sums a condition compares. */
static uint32_t sums_of(const mondrian_conditions *c, const mondrian_condition *one)
{
    if (one->kind == MONDRIAN_OTHERS)
        return c->n_parties;
    if (one->kind == MONDRIAN_OTHER_VALUES)
        return one->n_values;
    return one->model == NULL || one->model->id == MODEL_L_SITE_DIVERSITY ? 1 : one->n_values;
}

static bool is_frequency(const mondrian_condition *one)
{
    return one->model != NULL && one->model->variant == VARIANT_FREQUENCY;
}

/* Does it ask for different values: of all parties, or of all but one? */
static bool is_distinct(const mondrian_condition *one)
{
    return one->kind == MONDRIAN_OTHER_VALUES ||
           (one->model != NULL && one->model->variant == VARIANT_DISTINCT);
}

/* How many of them. */
static uint32_t n_distinct(const mondrian_conditions *c, const mondrian_condition *one)
{
    return one->kind == MONDRIAN_OTHER_VALUES ? c->other_values : (uint32_t)ceil(one->model->l);
}

static void add_condition(mondrian_conditions *c, const model_spec *model, const problem *p)
{
    mondrian_condition *one = &c->conditions[c->n_conditions++];
    *one = (mondrian_condition){.model = model, .scale = 1};
    if (model == NULL || model->id != MODEL_L_DIVERSITY)
        return;
    one->n_values = p->sensitive[model->sensitive].count;
    if (c->offsets[model->sensitive] == 0) { /* several models share the counts */
        c->offsets[model->sensitive] = c->width;
        c->width += one->n_values;
    }
    one->offset = c->offsets[model->sensitive];
    one->scale = model->l == floor(model->l) ? 1 : FRACTION;
    one->times = (int64_t)ceil(model->l * (double)one->scale);
    if (is_frequency(one) && one->times > c->factor)
        c->factor = one->times;
}

/* Models that need no condition here: k-anonymity, which is the size, l = 1, and m-privacy, which
 * add_m_privacy adds. */
static kith_status add_models(mondrian_conditions *c, const model_spec *models, uint32_t n_models,
                              const problem *p, kith_error *error)
{
    for (uint32_t i = 0; i < n_models; i++) {
        const model_spec *model = &models[i];
        if (!supports_mondrian(model))
            return error_set(error, KITH_INVALID, "distributed Mondrian does not support %s%s%s",
                             model_name(model->id), model->variant == VARIANT_NONE ? "" : ", ",
                             model_variant_name(model->variant));
        if (model->id == MODEL_M_PRIVACY) {
            c->min_others = model->k > c->min_others ? model->k : c->min_others;
            c->other_values =
                model->other_values > c->other_values ? model->other_values : c->other_values;
        } else if (model->id != MODEL_K_ANONYMITY && model->l > 1)
            add_condition(c, model, p);
    }
    return KITH_OK;
}

/* m-privacy by values, of every sensitive attribute that a model looks at. */
static kith_status add_other_values(mondrian_conditions *c, const problem *p, kith_error *error)
{
    for (uint32_t s = 0; c->other_values > 1 && c->width > 1 && s < p->n_sensitive; s++) {
        if (c->offsets[s] == 0)
            continue;
        if (p->sensitive[s].count < c->other_values)
            return error_set(error, KITH_INFEASIBLE,
                             "m-privacy with values = %u cannot be met: the number of sensitive "
                             "values is %u",
                             c->other_values, p->sensitive[s].count);
        const bool both = c->n_parties == 2;
        for (uint32_t i = 0; i < (both ? 1 : c->n_parties); i++)
            c->conditions[c->n_conditions++] =
                (mondrian_condition){.kind = both ? MONDRIAN_BOTH_VALUES : MONDRIAN_OTHER_VALUES,
                                     .n_values = p->sensitive[s].count,
                                     .offset = c->offsets[s],
                                     .without = i};
    }
    return KITH_OK;
}

/* m-privacy is a part of the size where k is large enough (joint_tree_rules.h says why), and else a
 * condition of its own. */
static void add_m_privacy(mondrian_conditions *c)
{
    const uint64_t twice = 2 * (uint64_t)c->min_others;
    c->min_sum = c->max_own = c->k;
    if (c->min_others == 0)
        return;
    if (c->n_parties > 2 && c->k < twice) {
        c->conditions[c->n_conditions++] = (mondrian_condition){.kind = MONDRIAN_OTHERS};
        return;
    }
    c->min_sum = c->k < twice ? (int64_t)twice : c->k;
    c->max_own = c->min_sum - c->min_others;
}

/* Blocks of all conditions, with or without the alternative that the set is empty. */
static kith_status make_shape(mondrian_shape *s, const mondrian_conditions *c, bool or_empty,
                              arena *memory, kith_error *error)
{
    size_t max_blocks = 0;
    for (uint32_t i = 0; i < c->n_conditions; i++)
        max_blocks += sums_of(c, &c->conditions[i]);
    *s = (mondrian_shape){0};
    s->blocks = TRY_ALLOC(arena_array(memory, max_blocks, sizeof *s->blocks), error);
    for (uint32_t i = 0; i < c->n_conditions; i++) {
        const mondrian_condition *one = &c->conditions[i];
        const size_t n = sums_of(c, one);
        const size_t need = is_distinct(one) ? n_distinct(c, one) : n;
        if (is_frequency(one) || (!or_empty && !is_distinct(one)))
            s->blocks[s->n_blocks++] = (compare_block){n, n}; /* holds for empty sets by itself */
        else if (is_distinct(one))
            s->blocks[s->n_blocks++] = (compare_block){n + (or_empty ? need : 0), need};
        else
            for (size_t k = 0; k < n; k++)
                s->blocks[s->n_blocks++] = (compare_block){2, 1};
    }
    for (size_t i = 0; i < s->n_blocks; i++)
        s->n_sums += s->blocks[i].size;
    return KITH_OK;
}

kith_status mondrian_conditions_init(mondrian_conditions *c, const problem *p,
                                     const protocol_options *o, party *me, arena *memory,
                                     kith_error *error)
{
    const size_t max_conditions =
        2 + (size_t)p->n_models + o->n_site_models + (size_t)p->n_sensitive * party_count(me);
    *c = (mondrian_conditions){.n_parties = party_count(me),
                               .self = party_self(me),
                               .k = p->k,
                               .min_others = o->min_others,
                               .other_values = o->other_values,
                               .width = 1,
                               .factor = 1};
    c->offsets = TRY_ALLOC(arena_zalloc(memory, p->n_sensitive, sizeof *c->offsets), error);
    c->conditions = TRY_ALLOC(arena_zalloc(memory, max_conditions, sizeof *c->conditions), error);
    add_condition(c, NULL, p);
    TRY(add_models(c, p->models, p->n_models, p, error));
    TRY(add_models(c, o->site_models, o->n_site_models, p, error));
    TRY(add_other_values(c, p, error));
    add_m_privacy(c);
    TRY(make_shape(&c->required, c, false, memory, error));
    TRY(make_shape(&c->or_empty, c, true, memory, error));
    for (uint32_t i = 1; i < c->n_conditions; i++) {
        const mondrian_condition *one = &c->conditions[i];
        if (one->model == NULL)
            continue;
        const bool sites = one->model->id == MODEL_L_SITE_DIVERSITY;
        const uint32_t most = sites ? c->n_parties : one->n_values;
        if (one->model->l > most)
            return error_set(error, KITH_INFEASIBLE,
                             "%s with l = %g cannot be met: the number of %s is %u",
                             model_name(one->model->id), one->model->l,
                             sites ? "sites" : "sensitive values", most);
    }
    return KITH_OK;
}

/* --- counting --- */

void mondrian_conditions_count(const mondrian_conditions *c, const problem *p, uint32_t *tally,
                               uint32_t row)
{
    ASSERT(row < p->n_records);
    tally[0]++;
    for (uint32_t s = 0; c->width > 1 && s < p->n_sensitive; s++)
        if (c->offsets[s] != 0)
            tally[c->offsets[s] + p->sensitive[s].values[row]]++;
}

/* Sum i of a condition, and its threshold. */
static int64_t sum_at(const mondrian_conditions *c, const mondrian_condition *one, uint32_t i,
                      const uint32_t *tally, int64_t *threshold)
{
    const int64_t size = tally[0];
    if (one->kind == MONDRIAN_OTHERS) {
        *threshold = c->min_others;
        return i == c->self ? 0 : size;
    }
    if (one->kind == MONDRIAN_BOTH_VALUES) {
        uint32_t n_own = 0;
        for (uint32_t a = 0; a < one->n_values; a++)
            n_own += tally[one->offset + a] > 0;
        *threshold = c->n_parties;
        return n_own >= c->other_values;
    }
    if (is_distinct(one)) {
        *threshold = 1;
        return tally[one->offset + i] > 0 &&
               (one->kind != MONDRIAN_OTHER_VALUES || one->without != c->self);
    }
    if (one->model == NULL) {
        *threshold = c->min_sum;
        return size < c->max_own ? size : c->max_own;
    }
    if (one->model->id == MODEL_L_SITE_DIVERSITY) {
        *threshold = (int64_t)ceil(one->model->l);
        return size > 0;
    }
    *threshold = 0;
    return one->scale * size - one->times * (int64_t)tally[one->offset + i];
}

void mondrian_conditions_fill(const mondrian_conditions *c, bool or_empty, const uint32_t *tally,
                              int64_t *sums, int64_t *thresholds)
{
    for (uint32_t k = 0; k < c->n_conditions; k++) {
        const mondrian_condition *one = &c->conditions[k];
        const uint32_t n = sums_of(c, one);
        const bool each = or_empty && !is_frequency(one) && !is_distinct(one);
        for (uint32_t i = 0; i < n; i++) {
            *sums++ = sum_at(c, one, i, tally, thresholds++);
            if (each) { /* "no record" stands beside every sum */
                *sums++ = -(int64_t)tally[0];
                *thresholds++ = 0;
            }
        }
        const uint32_t copies = or_empty && is_distinct(one) ? n_distinct(c, one) : 0;
        for (uint32_t i = 0; i < copies; i++) {
            *sums++ = -(int64_t)tally[0];
            *thresholds++ = 0;
        }
    }
}

int64_t mondrian_conditions_bound(const mondrian_conditions *c, uint64_t n_records)
{
    int64_t bound = c->factor * (int64_t)n_records;
    bound = bound > c->min_sum ? bound : c->min_sum;
    bound = bound > c->min_others ? bound : c->min_others;
    return bound > c->n_parties ? bound : c->n_parties;
}
