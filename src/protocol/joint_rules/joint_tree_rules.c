#include "protocol/joint_rules/joint_tree_rules.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/private_choices.h"
#include "protocol/supports.h"
#include "smc/compare/at_least.h"

enum {
    MAX_AT_LEAST = 16, /* largest k for which at_least costs less than compare */
};

/* Persons: what a tally has behind its counts; then, for every count by value, the records with the
 * value, and of whom the last of them was. */
enum {
    OF_ALL,     /* persons, guests included */
    OF_RECORDS, /* records */
    OF_MOST,    /* the most records of one person */
    OF_RUN,     /* records of the last person */
    OF_LAST,    /* the last person's number, plus 1 */
    N_OF_PERSONS
};

/* --- conditions --- */

/* How many numbers a condition compares with thresholds. */
static uint32_t components_of(const joint_tree_rules *r, const joint_tree_condition *c)
{
    if (c->kind == JOINT_TREE_SIZE || c->kind == JOINT_TREE_SITES ||
        c->kind == JOINT_TREE_BOTH_VALUES)
        return 1;
    if (c->kind == JOINT_TREE_CERTAIN || c->kind == JOINT_TREE_DOMINANCE)
        return c->n_values * (r->matched ? 1 : r->n_parties);
    return c->kind == JOINT_TREE_OTHERS ? r->n_parties : c->n_values;
}

static void add_condition(joint_tree_rules *r, joint_tree_condition c)
{
    const size_t size = components_of(r, &c);
    r->conditions[r->n_conditions] = c;
    /* How many of the components must reach their thresholds. */
    const bool some = c.kind == JOINT_TREE_DISTINCT || c.kind == JOINT_TREE_OTHER_VALUES;
    r->blocks[r->n_conditions++] = (compare_block){size, some ? c.least : size};
    r->n_components += size;
}

/* Adds a condition on sensitive values. Their counts are added to tallies once, even if several
 * models need them. */
static void add_diversity(joint_tree_rules *r, const model_spec *model,
                          const joint_tree_diversity *d, const problem *p)
{
    joint_tree_condition c = {.model = model, .least = d->least, .diversity = *d};
    c.kind = d->asks == JOINT_TREE_ASKS_DISTINCT ? JOINT_TREE_DISTINCT : JOINT_TREE_FREQUENCY;
    c.n_values = p->sensitive[model->sensitive].count;
    const bool is_first = r->offsets[model->sensitive] == 0;
    if (is_first) {
        r->offsets[model->sensitive] = r->n_counts;
        r->n_counts += c.n_values;
    }
    c.offset = r->offsets[model->sensitive];
    r->monotone = r->monotone && c.kind == JOINT_TREE_DISTINCT;
    add_condition(r, c);
    if (!is_first || !r->by_persons)
        return;
    const joint_tree_condition both[] = {
        {.kind = JOINT_TREE_EVERYBODY, .n_values = c.n_values, .offset = c.offset},
        {.kind = JOINT_TREE_CERTAIN, .n_values = c.n_values, .offset = c.offset}};
    if (c.kind == JOINT_TREE_DISTINCT) /* a share below 1 says it already */
        add_condition(r, both[0]);
    add_condition(r, both[1]);
}

/* One number in the place of one for each value. */
static void add_dominance(joint_tree_rules *r, const model_spec *model)
{
    joint_tree_condition c = {.kind = JOINT_TREE_DOMINANCE,
                              .n_values = 1,
                              .diversity = joint_tree_diversity_share(model->share)};
    if (c.diversity.asks == JOINT_TREE_ASKS_NOTHING)
        return;
    r->monotone = false;
    add_condition(r, c);
}

/* The name of a model with the parameters that decide how many values it needs. */
static void name_model(char *text, size_t room, const model_spec *m)
{
    const char *name = model_name(m->id);
    if (m->id == MODEL_ALPHA_K)
        snprintf(text, room, "%s with alpha = %g", name, m->alpha);
    else if (m->id == MODEL_P_SENSITIVE)
        snprintf(text, room, "%s with p = %u", name, m->p);
    else if (m->variant == VARIANT_RECURSIVE)
        snprintf(text, room, "%s with l = %g, c = %g", name, m->l, m->c);
    else
        snprintf(text, room, "%s with l = %g", name, m->l);
}

/* Models that need no condition of their own: k-anonymity, which is the size; l-site-diversity by
 * attributes, which joint_tree_prune enforces before; diversity that every set has; and
 * m-privacy, which add_m_privacy adds. */
static kith_status add_models(joint_tree_rules *r, const model_spec *models, uint32_t n_models,
                              const problem *p, kith_error *error)
{
    for (uint32_t m = 0; m < n_models; m++) {
        if (!supports_joint_tree(&models[m]))
            return error_set(error, KITH_INVALID, "the joint tree does not support %s%s%s",
                             model_name(models[m].id),
                             models[m].variant == VARIANT_NONE ? "" : ", ",
                             model_variant_name(models[m].variant));
        const joint_tree_diversity d = joint_tree_diversity_of(&models[m]);
        if (models[m].id == MODEL_M_PRIVACY) {
            r->min_others = models[m].k > r->min_others ? models[m].k : r->min_others;
            r->other_values =
                models[m].other_values > r->other_values ? models[m].other_values : r->other_values;
        } else if (models[m].variant == VARIANT_SITES)
            add_condition(r, (joint_tree_condition){.kind = JOINT_TREE_SITES,
                                                    .model = &models[m],
                                                    .least = (uint32_t)ceil(models[m].l)});
        else if (d.asks != JOINT_TREE_ASKS_NOTHING)
            add_diversity(r, &models[m], &d, p);
        else if (models[m].id == MODEL_DOMINANCE)
            add_dominance(r, &models[m]);
    }
    return KITH_OK;
}

/* m-privacy by values, of every sensitive attribute that a model looks at. */
static kith_status add_other_values(joint_tree_rules *r, const problem *p, kith_error *error)
{
    if (r->other_values > 1 && r->n_counts > 1 && r->matched)
        return error_set(error, KITH_INVALID,
                         "m-privacy by values cannot be kept where persons are at several sites");
    for (uint32_t s = 0; r->other_values > 1 && r->n_counts > 1 && s < p->n_sensitive; s++) {
        joint_tree_condition c = {.kind = JOINT_TREE_OTHER_VALUES,
                                  .n_values = p->sensitive[s].count,
                                  .offset = r->offsets[s],
                                  .least = r->other_values};
        if (c.offset == 0)
            continue;
        if (c.n_values < c.least)
            return error_set(error, KITH_INFEASIBLE,
                             "m-privacy with values = %u cannot be met: the number of sensitive "
                             "values is %u",
                             c.least, c.n_values);
        if (r->n_parties == 2)
            c.kind = JOINT_TREE_BOTH_VALUES;
        for (c.without = 0; c.without < (r->n_parties == 2 ? 1 : r->n_parties); c.without++)
            add_condition(r, c);
    }
    return KITH_OK;
}

/* m-privacy becomes a part of the size, or a condition of its own if k is too small for that. */
static void add_m_privacy(joint_tree_rules *r)
{
    const uint64_t twice = 2 * (uint64_t)r->min_others;
    if (r->min_others == 0)
        return;
    r->monotone = r->monotone && !r->matched;
    if (!r->matched && (r->n_parties == 2 || r->k >= twice))
        return;
    if (!r->matched && r->k == twice - 1)
        r->unit = 2;
    else
        add_condition(r, (joint_tree_condition){.kind = JOINT_TREE_OTHERS});
}

bool joint_tree_rules_caps_counts(const joint_tree_rules *r)
{
    return r->min_others > 0 && r->conditions[r->n_conditions - 1].kind != JOINT_TREE_OTHERS;
}

double joint_tree_rules_l(const joint_tree_rules *r)
{
    double most = 1;
    for (uint32_t i = 0; i < r->n_frequencies; i++)
        most = fmax(most, joint_tree_diversity_l(&r->frequencies[i]->diversity));
    return most;
}

/* Which diversity trimming keeps, and how splits are chosen. */
static void find_diversity(joint_tree_rules *r, bool quiet)
{
    bool distinct = false;
    for (uint32_t i = 1; i < r->n_conditions; i++) {
        distinct = distinct || r->conditions[i].kind == JOINT_TREE_DISTINCT;
        if (r->conditions[i].kind == JOINT_TREE_FREQUENCY) {
            /* The strictest condition on its attribute takes the place of others. */
            uint32_t at = 0;
            while (at < r->n_frequencies && r->frequencies[at]->offset != r->conditions[i].offset)
                at++;
            if (at == r->n_frequencies)
                r->frequencies[r->n_frequencies++] = &r->conditions[i];
            else if (joint_tree_diversity_l(&r->conditions[i].diversity) >
                     joint_tree_diversity_l(&r->frequencies[at]->diversity))
                r->frequencies[at] = &r->conditions[i];
        }
    }
    r->lends = distinct && r->n_frequencies == 0 && !quiet;
    r->shares = r->lends || r->n_frequencies > 0;
}

kith_status joint_tree_rules_init(joint_tree_rules *r, const rows_task *task, party *me,
                                  arena *memory, kith_error *error)
{
    const problem *p = task->mine;
    const protocol_options *o = task->options;
    const size_t max_conditions =
        2 + (size_t)p->n_models + o->n_site_models + (size_t)p->n_sensitive * (2 + party_count(me));
    unsigned char key[PRIVATE_CHOICES_BYTES];
    *r = (joint_tree_rules){
        .n_parties = party_count(me), .self = party_self(me), .k = p->k, .unit = 1, .n_counts = 1};
    r->monotone = true;
    r->by_persons = p->unit != NULL;
    r->matched = p->home != NULL;
    r->min_others = o->min_others;
    r->other_values = o->other_values;
    r->max_size = (int64_t)UINT32_MAX * r->n_parties;
    r->slack = o->blur ? p->k / PROTOCOL_BLUR_SHARE : 0;
    private_choices_key(key, task->choices, "tree blur");
    memcpy(r->blur_key, key, sizeof r->blur_key);
    private_choices_key(key, task->choices, "tree draws");
    memcpy(r->draws.key, key, sizeof r->draws.key);
    secret_memory_wipe(key, sizeof key);
    if (task->seeded)
        r->draws = joint_tree_score_seeded_draws(task->seed, r->self);
    r->offsets = TRY_ZEROS(r->offsets, memory, p->n_sensitive, error);
    r->frequencies = TRY_ZEROS(r->frequencies, memory, p->n_sensitive, error);
    r->conditions = TRY_ZEROS(r->conditions, memory, max_conditions, error);
    r->blocks = TRY_ZEROS(r->blocks, memory, max_conditions, error);
    add_condition(r, (joint_tree_condition){.kind = JOINT_TREE_SIZE});
    TRY(add_models(r, p->models, p->n_models, p, error));
    TRY(add_models(r, o->site_models, o->n_site_models, p, error));
    TRY(add_other_values(r, p, error));
    add_m_privacy(r);
    find_diversity(r, o->quiet);
    r->width = r->n_counts + (r->by_persons ? N_OF_PERSONS + 2 * (r->n_counts - 1) : 0);
    /* Can any set of records meet the conditions? */
    for (uint32_t i = 0; i < r->n_conditions; i++) {
        const joint_tree_condition *c = &r->conditions[i];
        char name[96];
        if (c->model == NULL)
            continue;
        const bool of_sites = c->kind == JOINT_TREE_SITES;
        const double needed = c->kind == JOINT_TREE_FREQUENCY
                                  ? joint_tree_diversity_l(&c->diversity)
                                  : (double)c->least;
        const uint32_t found = of_sites ? r->n_parties : c->n_values;
        name_model(name, sizeof name, c->model);
        if (needed > found)
            return error_set(error, KITH_INFEASIBLE, "%s cannot be met: the number of %s is %u",
                             name, of_sites ? "sites" : "sensitive values", found);
    }
    return KITH_OK;
}

kith_status joint_tree_rules_trimmed(joint_tree_rules *left, const joint_tree_rules *r,
                                     arena *memory, kith_error *error)
{
    *left = *r;
    left->n_conditions = left->n_frequencies = 0;
    left->n_components = 0;
    left->conditions = TRY_ZEROS(left->conditions, memory, r->n_conditions, error);
    left->blocks = TRY_ZEROS(left->blocks, memory, r->n_conditions, error);
    for (uint32_t i = 0; i < r->n_conditions; i++)
        if (r->conditions[i].kind != JOINT_TREE_FREQUENCY)
            add_condition(left, r->conditions[i]);
    return KITH_OK;
}

kith_status joint_tree_rules_unmet(const joint_tree_rules *r, kith_error *error)
{
    const char *counted = r->by_persons ? "persons" : "records";
    if (r->n_conditions == 1 && r->min_others == 0)
        return error_set(error, KITH_INFEASIBLE, "all sites together have fewer than k = %u %s",
                         r->k, counted);
    if (r->n_conditions == 1)
        return error_set(error, KITH_INFEASIBLE,
                         "all sites together have fewer than k = %u %s, or without those of "
                         "one site fewer than %u (m-privacy)",
                         r->k, counted, r->min_others);
    for (uint32_t i = 0; i < r->n_frequencies; i++) {
        const joint_tree_condition *f = r->frequencies[i];
        if (supports_by_stricter_rule(f->model))
            return error_set(error, KITH_INFEASIBLE,
                             "the records of all sites together do not satisfy the models; weave "
                             "keeps %s (%s) by a stricter rule, no value in more than 1/%.4g of a "
                             "class: clustering or encrypted-view keep the model itself",
                             model_name(f->model->id), model_variant_name(f->model->variant),
                             joint_tree_diversity_l(&f->diversity));
    }
    if (r->other_values > 1)
        return error_set(error, KITH_INFEASIBLE,
                         "the records of all sites together do not satisfy the models; m-privacy, "
                         "which asks for %u values without any one site, is one of them",
                         r->other_values);
    return error_set(error, KITH_INFEASIBLE,
                     "the records of all sites together do not satisfy the models");
}

void joint_tree_rules_wipe(joint_tree_rules *r)
{
    secret_memory_wipe(r->blur_key, sizeof r->blur_key);
    secret_memory_wipe(&r->draws, sizeof r->draws);
}

#if KITH_DEBUG
void joint_tree_rules_check(const joint_tree_rules *r)
{
    size_t n_components = 0;
    ASSERT(r->n_conditions > 0 && r->conditions[0].kind == JOINT_TREE_SIZE);
    for (uint32_t i = 0; i < r->n_conditions; i++) {
        const joint_tree_condition *c = &r->conditions[i];
        ASSERT(r->blocks[i].size == components_of(r, c));
        ASSERT(c->offset + c->n_values <= r->n_counts);
        ASSERT(c->kind != JOINT_TREE_FREQUENCY || !r->monotone);
        n_components += r->blocks[i].size;
    }
    ASSERT(n_components == r->n_components);
}
#endif

/* --- questions --- */

/* A person counts with its first record, and for each value with the first one that shows it. */
static void count_row_of_person(const joint_tree_rules *r, const problem *p, uint32_t *tally,
                                uint32_t row)
{
    const uint32_t n_values = r->n_counts - 1, person = p->unit[row] + 1;
    uint32_t *of = tally + r->n_counts, *records = of + N_OF_PERSONS, *last = records + n_values;
    ASSERT(of[OF_LAST] <= person);
    if (of[OF_LAST] != person) {
        tally[0] += p->home == NULL || p->home[p->unit[row]];
        of[OF_ALL]++;
        of[OF_RUN] = 0;
        of[OF_LAST] = person;
    }
    of[OF_RECORDS]++;
    of[OF_RUN]++;
    of[OF_MOST] = of[OF_RUN] > of[OF_MOST] ? of[OF_RUN] : of[OF_MOST];
    for (uint32_t s = 0; n_values > 0 && s < p->n_sensitive; s++) {
        if (r->offsets[s] == 0)
            continue;
        const uint32_t at = r->offsets[s] + p->sensitive[s].values[row];
        records[at - 1]++;
        tally[at] += last[at - 1] != person;
        last[at - 1] = person;
    }
}

void joint_tree_rules_count_row(const joint_tree_rules *r, const problem *p, uint32_t *tally,
                                uint32_t row)
{
    ASSERT(row < p->n_records);
    if (r->by_persons) {
        count_row_of_person(r, p, tally, row);
        return;
    }
    tally[0]++;
    for (uint32_t s = 0; r->n_counts > 1 && s < p->n_sensitive; s++)
        if (r->offsets[s] != 0)
            tally[r->offsets[s] + p->sensitive[s].values[row]]++;
}

uint32_t joint_tree_rules_records(const joint_tree_rules *r, const uint32_t *tally)
{
    return tally[r->by_persons ? r->n_counts + OF_RECORDS : 0];
}

/* What this party subtracts from its count of a set: always the same for the same set, so that
 * asking twice tells nothing more, and over all parties at most `slack`. If the slack cannot be
 * divided evenly, some parties may subtract one more than others; which ones depends on the set. */
uint32_t joint_tree_rules_blur(const joint_tree_rules *r, uint64_t name)
{
    unsigned char in[sizeof name], out[crypto_shorthash_BYTES];
    uint64_t drawn;
    if (r->slack == 0)
        return 0;
    uint32_t turn = (uint32_t)((name >> 32) + r->self) % r->n_parties;
    uint32_t max_blur = r->slack / r->n_parties + (turn < r->slack % r->n_parties);
    memcpy(in, &name, sizeof in);
    crypto_shorthash(out, in, sizeof in, r->blur_key);
    memcpy(&drawn, out, sizeof drawn);
    return (uint32_t)(drawn % (max_blur + 1));
}

static int64_t at_most(int64_t count, int64_t max)
{
    return count < max ? count : max;
}

joint_tree_size_rule joint_tree_rules_size(const joint_tree_rules *r, int64_t wanted)
{
    const int64_t others = r->min_others;
    if (!joint_tree_rules_caps_counts(r))
        return (joint_tree_size_rule){1, wanted, wanted};
    if (r->n_parties == 2 && wanted < 2 * others)
        wanted = 2 * others;
    const int64_t cap = r->unit == 1 || wanted >= 2 * others ? r->unit * (wanted - others) : wanted;
    return (joint_tree_size_rule){r->unit, cap, r->unit * wanted};
}

/* Records without a value, or a share of all, against those of one person: of each site in turn, or of
 * all together. */
static void fill_most(const joint_tree_rules *r, const joint_tree_condition *c, int64_t *values,
                      int64_t *min_values, const uint32_t *tally)
{
    const uint32_t *of = tally + r->n_counts, *records = of + N_OF_PERSONS + c->offset - 1;
    const uint32_t n = components_of(r, c);
    const bool certain = c->kind == JOINT_TREE_CERTAIN;
    const int64_t scale = certain ? 1 : c->diversity.scale,
                  times = certain ? 1 : c->diversity.times;
    for (uint32_t i = 0; i < n; i++) {
        const bool mine = r->matched || i / c->n_values == r->self;
        values[i] = scale * of[OF_RECORDS] - (certain ? records[i % c->n_values] : 0) -
                    (mine ? times * of[OF_MOST] : 0);
        min_values[i] = 0;
    }
}

/* How many values of the condition's attribute this party has in a set. */
static uint32_t own_values(const joint_tree_condition *c, const uint32_t *tally)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n_values; i++)
        n += tally[c->offset + i] > 0;
    return n;
}

/* This party's numbers for one condition of one set, and their thresholds. A count that reaches the
 * threshold alone decides; capping it there changes no answer and keeps the circuit small. */
static void fill_condition(const joint_tree_rules *r, const joint_tree_condition *c,
                           int64_t *values, int64_t *min_values, const uint32_t *tally)
{
    const int64_t size = tally[0];
    const uint32_t n = components_of(r, c);
    if (c->kind == JOINT_TREE_CERTAIN || c->kind == JOINT_TREE_DOMINANCE) {
        fill_most(r, c, values, min_values, tally);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (c->kind == JOINT_TREE_OTHERS) {
            if (r->matched)
                values[i] = size - (i == r->self ? tally[r->n_counts + OF_ALL] : 0);
            else
                values[i] = i == r->self ? 0 : at_most(size, r->min_others);
            min_values[i] = r->min_others;
        } else if (c->kind == JOINT_TREE_SITES) {
            values[i] = size > 0;
            min_values[i] = c->least;
        } else if (c->kind == JOINT_TREE_BOTH_VALUES) {
            values[i] = own_values(c, tally) >= c->least;
            min_values[i] = r->n_parties;
        } else if (c->kind == JOINT_TREE_DISTINCT || c->kind == JOINT_TREE_OTHER_VALUES) {
            const bool counts = c->kind == JOINT_TREE_DISTINCT || c->without != r->self;
            values[i] = counts && tally[c->offset + i] > 0;
            min_values[i] = 1;
        } else if (c->kind == JOINT_TREE_EVERYBODY) {
            values[i] = size - tally[c->offset + i];
            min_values[i] = 1;
        } else {
            const joint_tree_diversity *d = &c->diversity;
            values[i] = d->scale * size - d->times * (int64_t)tally[c->offset + i];
            min_values[i] = 0;
        }
    }
}

void joint_tree_rules_fill(const joint_tree_rules *r, int64_t *values, int64_t *min_values,
                           const uint32_t *tally, int64_t wanted, uint32_t blur)
{
    /* What this party counts of its records, and the threshold, for sets of at least `wanted`. With
     * m-privacy blur is taken off before the cap: what the others have left of their counts must
     * reach min_others, too. */
    const int64_t size = tally[0];
    const joint_tree_size_rule rule = joint_tree_rules_size(r, wanted);
    *values = joint_tree_rules_caps_counts(r) ? at_most(rule.unit * (size - blur), rule.cap)
                                              : at_most(size, rule.cap + r->slack) - blur;
    *min_values = rule.min_sum;
    for (uint32_t c = 1; c < r->n_conditions; c++) {
        values += r->blocks[c - 1].size;
        min_values += r->blocks[c - 1].size;
        fill_condition(r, &r->conditions[c], values, min_values, tally);
    }
}

int64_t joint_tree_rules_bound(const joint_tree_rules *r, int64_t min_size)
{
    int64_t bound = r->n_parties * (min_size + r->unit * r->slack);
    for (uint32_t i = 0; i < r->n_conditions; i++) {
        const joint_tree_condition *c = &r->conditions[i];
        int64_t needed = 0;
        if (c->kind == JOINT_TREE_OTHERS)
            needed = r->matched ? r->max_size : (int64_t)r->n_parties * r->min_others;
        else if (c->kind == JOINT_TREE_FREQUENCY || c->kind == JOINT_TREE_DOMINANCE)
            needed = r->max_size * c->diversity.times;
        else if (c->kind == JOINT_TREE_EVERYBODY || c->kind == JOINT_TREE_CERTAIN)
            needed = r->max_size;
        bound = needed > bound ? needed : bound;
    }
    return bound;
}

kith_status joint_tree_rules_ask_for(const joint_tree_rules *r, party *p, uint64_t *bits,
                                     const joint_tree_questions *q, uint32_t receiver,
                                     kith_error *error)
{
    CHECK(joint_tree_rules_check(r));
    ASSERT(q->count > 0);
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    const size_t n_values = q->count * r->n_components;
    int64_t *values = TRY_ALLOC(secret_memory_array(scratch, n_values, sizeof *values), error);
    int64_t *min_values = TRY_ARRAY(min_values, scratch, n_values, error);
    int64_t max_size = 0;
    for (size_t i = 0; i < q->count; i++) {
        const uint32_t *tally = q->tallies + i * r->width;
        int64_t *to = values + i * r->n_components, *at = min_values + i * r->n_components;
        joint_tree_rules_fill(r, to, at, tally, q->min_sizes == NULL ? r->k : q->min_sizes[i],
                              q->exact ? 0 : joint_tree_rules_blur(r, q->names[i]));
        max_size = *at > max_size ? *at : max_size;
    }
    /* Questions about 4k records come along with those about k. */
    const uint32_t slack = r->unit * r->slack;
    const bool cheap = receiver == SMC_ALL && r->n_conditions == 1 && r->k <= MAX_AT_LEAST &&
                       max_size <= 4 * MAX_AT_LEAST &&
                       at_least_fits(r->n_parties, (uint32_t)max_size, slack);
    const smc_output output = {receiver, NULL};
    const at_least_sums counts = {values, min_values, q->count, slack};
    const compare_sums sums = {values,    min_values,      q->count,
                               r->blocks, r->n_conditions, joint_tree_rules_bound(r, max_size)};
    return cheap ? at_least(p, bits, &counts, output, error)
                 : compare_thresholds(p, bits, &sums, output, error);
}

kith_status joint_tree_rules_ask(const joint_tree_rules *r, party *p, uint64_t *bits,
                                 const joint_tree_questions *q, kith_error *error)
{
    return joint_tree_rules_ask_for(r, p, bits, q, SMC_ALL, error);
}
